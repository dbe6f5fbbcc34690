using System.Text;
using Wire.Amqp.Errors;

namespace Wire.Amqp.V10.Values;

/// <summary>Walks whole values, to a bounded depth: makes objects of them and compares them.</summary>
internal static class Materializer
{
    // Elements of an array are described by bytes that all of them share, and each of these is another object for each of them.
    private const int MaxSharedDescriptors = 4;

    public static object? ToObject(in AmqpValue value, int depth)
    {
        switch (value.Type)
        {
            case AmqpType.Null: return null;
            case AmqpType.Boolean: return value.As<bool>();
            case AmqpType.UByte: return value.As<byte>();
            case AmqpType.UShort: return value.As<ushort>();
            case AmqpType.UInt: return value.As<uint>();
            case AmqpType.ULong: return value.As<ulong>();
            case AmqpType.Byte: return value.As<sbyte>();
            case AmqpType.Short: return value.As<short>();
            case AmqpType.Int: return value.As<int>();
            case AmqpType.Long: return value.As<long>();
            case AmqpType.Float: return value.As<float>();
            case AmqpType.Double: return value.As<double>();
            case AmqpType.Decimal32: return value.As<Decimal32>();
            case AmqpType.Decimal64: return value.As<Decimal64>();
            case AmqpType.Decimal128: return value.As<Decimal128>();
            case AmqpType.Char: return value.As<Rune>();
            case AmqpType.Timestamp: return value.As<Timestamp>();
            case AmqpType.Uuid: return value.As<Guid>();
            case AmqpType.Binary: return value.As<byte[]>();
            case AmqpType.String: return value.As<string>();
            case AmqpType.Symbol: return new AmqpSymbol(value.As<AmqpSymbol>().ToString());
        }

        Descend(value, ref depth);
        return value.Type switch
        {
            AmqpType.List => ToObjects(value.As<AmqpList>(), depth),
            AmqpType.Map => ToObjects(value.As<AmqpMap>(), depth),
            AmqpType.Array => ToObjects(value.As<AmqpArray>(), depth),
            _ => new DescribedObject(ToObject(value.Descriptor, depth), ToObject(value.Undescribed, depth)),
        };
    }

    /// <summary>Compares two lists, two maps, two arrays or two described values.</summary>
    public static bool AreEqual(in AmqpValue left, in AmqpValue right, int depth)
    {
        Descend(left, ref depth);
        switch (left.Type)
        {
            case AmqpType.List:
                return AreEqual(left.As<AmqpList>().GetEnumerator(), right.As<AmqpList>().GetEnumerator(), depth);

            case AmqpType.Map:
                return AreEqual(left.As<AmqpMap>().GetEnumerator().Values, right.As<AmqpMap>().GetEnumerator().Values, depth);

            case AmqpType.Array:
                return AreEqual(left.As<AmqpArray>(), right.As<AmqpArray>(), depth);

            default:
                return left.Descriptor.Equals(right.Descriptor, depth) && left.Undescribed.Equals(right.Undescribed, depth);
        }
    }

    private static bool AreEqual(AmqpList.Enumerator left, AmqpList.Enumerator right, int depth)
    {
        while (left.MoveNext())
        {
            if (!right.MoveNext() || !left.Current.Equals(right.Current, depth))
            {
                return false;
            }
        }

        return !right.MoveNext();
    }

    private static bool AreEqual(AmqpArray left, AmqpArray right, int depth)
    {
        if (left.Count != right.Count || left.ElementType != right.ElementType)
        {
            return false;
        }

        if (left.Count == 0)
        {
            return true;
        }

        // The descriptors that all elements share are compared once.
        (AmqpValue first, AmqpValue other) = (left[0], right[0]);
        for (; first.Type == AmqpType.Described
            && other.Type == AmqpType.Described; (first, other) = (first.Undescribed, other.Undescribed))
        {
            Descend(first, ref depth);
            if (!first.Descriptor.Equals(other.Descriptor, depth))
            {
                return false;
            }
        }

        if (first.Type != other.Type)
        {
            return false;
        }

        AmqpArray.Enumerator elements = left.Undescribed;
        AmqpArray.Enumerator others = right.Undescribed;
        while (elements.MoveNext())
        {
            if (!others.MoveNext() || !elements.Current.Equals(others.Current, depth))
            {
                return false;
            }
        }

        return !others.MoveNext();
    }

    private static object?[] ToObjects(AmqpList list, int depth)
    {
        object?[] objects = new object?[list.Count];
        int i = 0;
        foreach (AmqpValue element in list)
        {
            objects[i++] = ToObject(element, depth);
        }

        return objects;
    }

    private static object?[] ToObjects(AmqpArray array, int depth)
    {
        object?[] objects = new object?[array.Count];
        object?[] descriptors = SharedDescriptors(array, ref depth);
        int i = 0;
        for (AmqpArray.Enumerator elements = array.Undescribed; elements.MoveNext(); i++)
        {
            objects[i] = i > 0 && array.IsUniform ? objects[0] : Describe(ToObject(elements.Current, depth), descriptors);
        }

        return objects;
    }

    // From the innermost to the outermost. They are made once: each may be as long as the array has elements.
    private static object?[] SharedDescriptors(AmqpArray array, ref int depth)
    {
        if (array.ElementType != AmqpType.Described || array.Count == 0)
        {
            return [];
        }

        var descriptors = new List<object?>();
        for (AmqpValue element = array[0]; element.Type == AmqpType.Described; element = element.Undescribed)
        {
            Descend(element, ref depth);
            if (descriptors.Count == MaxSharedDescriptors)
            {
                ThrowHelper.Format(
                    AmqpFormatError.Depth,
                    element.Offset,
                    $"Expected at most {MaxSharedDescriptors} descriptors of the elements of an array, found more");
            }

            descriptors.Insert(0, ToObject(element.Descriptor, depth));
        }

        return [.. descriptors];
    }

    private static object? Describe(object? value, object?[] descriptors)
    {
        foreach (object? descriptor in descriptors)
        {
            value = new DescribedObject(descriptor, value);
        }

        return value;
    }

    private static KeyValuePair<object?, object?>[] ToObjects(AmqpMap map, int depth)
    {
        var entries = new KeyValuePair<object?, object?>[map.Count];
        int i = 0;
        foreach ((AmqpValue key, AmqpValue value) in map)
        {
            entries[i++] = new(ToObject(key, depth), ToObject(value, depth));
        }

        return entries;
    }

    private static void Descend(in AmqpValue value, ref int depth)
    {
        if (++depth > AmqpValue.MaxDepth)
        {
            ThrowHelper.Format(
                AmqpFormatError.Depth, value.Offset, $"Expected values nested at most {AmqpValue.MaxDepth} deep, found more");
        }
    }
}
