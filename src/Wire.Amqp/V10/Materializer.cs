using System.Text;

namespace Wire.Amqp.V10;

/// <summary>Walks whole values, to a bounded depth: makes objects of them and compares them.</summary>
internal static class Materializer
{
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

        AmqpArray.Enumerator others = right.GetEnumerator();
        foreach (AmqpValue element in left)
        {
            if (!others.MoveNext() || !element.Equals(others.Current, depth))
            {
                return false;
            }
        }

        return true;
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
        int i = 0;
        foreach (AmqpValue element in array)
        {
            objects[i++] = ToObject(element, depth);
        }

        return objects;
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
            Throw.Format(AmqpFormatError.Depth, value.Offset, $"Expected values at most {AmqpValue.MaxDepth} times inside each other, found more");
        }
    }
}
