using System.Text;
using Wire.Amqp.V10;
using Wire.Amqp.V10.Values;

namespace Wire.Amqp.Tests.V10;

/// <summary>An array in a model: what <see cref="AmqpValue.ToObject"/> does not tell from a list.</summary>
internal sealed record ArrayModel(AmqpType Type, bool HasDescriptor, object? Descriptor, object?[] Elements);

/// <summary>
/// Values as plain objects, made at random, turned into <see cref="AmqpValue"/> with the builder and compared with what is read: and the
/// size that the specification needs for each, counted by another way than the library's.
/// </summary>
internal static class Models
{
    private static readonly AmqpType[] Scalars = [.. Enum.GetValues<AmqpType>().Where(type => type < AmqpType.List)];

    public static object? Random(Random random, int depth = 0)
    {
        if (depth > 3 || random.Next(3) == 0)
        {
            return Scalar(random, Scalars[random.Next(Scalars.Length)]);
        }

        int count = depth < 2 && random.Next(8) == 0 ? random.Next(300) : random.Next(6);
        switch (random.Next(4))
        {
            case 0: return Many(random, count, depth);
            case 1:
                return Enumerable.Range(0, count).Select(_ => KeyValuePair.Create(Random(random, depth + 2), Random(random, depth + 1)))
                    .ToArray();
            case 2:
                return new DescribedObject(
                    Scalar(random, random.Next(2) == 0 ? AmqpType.ULong : AmqpType.Symbol), Random(random, depth + 1));
            default:
                bool described = random.Next(3) == 0;
                return RandomArray(random, count, depth, described ? Scalar(random, AmqpType.ULong) : null, described);
        }
    }

    public static object? Scalar(Random random, AmqpType type)
    {
        long bits = random.Next(3) == 0 ? random.NextInt64(long.MinValue, long.MaxValue) : random.Next(-300, 300);
        int length = random.Next(6) == 0 ? random.Next(300) : random.Next(12);
        return type switch
        {
            AmqpType.Null => null,
            AmqpType.Boolean => (bits & 1) != 0,
            AmqpType.UByte => (byte)bits,
            AmqpType.UShort => (ushort)bits,
            AmqpType.UInt => (uint)bits,
            AmqpType.ULong => (ulong)bits,
            AmqpType.Byte => (sbyte)bits,
            AmqpType.Short => (short)bits,
            AmqpType.Int => (int)bits,
            AmqpType.Long => bits,
            AmqpType.Float => BitConverter.Int32BitsToSingle((int)bits),
            AmqpType.Double => BitConverter.Int64BitsToDouble(bits),
            AmqpType.Decimal32 => new Decimal32((uint)bits),
            AmqpType.Decimal64 => new Decimal64((ulong)bits),
            AmqpType.Decimal128 => new Decimal128(new UInt128((ulong)bits, (ulong)~bits)),
            AmqpType.Char => Rune.IsValid((uint)bits & 0x1fffff) ? new Rune((uint)bits & 0x1fffff) : new Rune('x'),
            AmqpType.Timestamp => new Timestamp(bits),
            AmqpType.Uuid => new Guid((int)bits, 1, 2, 3, 4, 5, 6, 7, 8, 9, (byte)bits),
            AmqpType.Binary => Bytes(random, length),
            AmqpType.String => string.Concat(Enumerable.Range(0, length).Select(_ => "aß€𝄞"[random.Next(3)])),
            AmqpType.Symbol => new AmqpSymbol(new string((char)('a' + (bits & 15)), length)),
            _ => throw new ArgumentOutOfRangeException(nameof(type)),
        };
    }

    public static AmqpValue ToValue(object? model)
    {
        var builder = new AmqpBuilder();
        Add(builder, model);
        return builder.Build();
    }

    public static void Add(AmqpBuilder builder, object? model)
    {
        switch (model)
        {
            case object?[] list:
                builder.BeginList();
                Array.ForEach(list, element => Add(builder, element));
                builder.End();
                break;

            case KeyValuePair<object?, object?>[] map:
                builder.BeginMap();
                foreach ((object? key, object? value) in map)
                {
                    Add(builder, key);
                    Add(builder, value);
                }

                builder.End();
                break;

            case ArrayModel array:
                if (array.HasDescriptor)
                {
                    builder.BeginArray(array.Type, ToValue(array.Descriptor));
                }
                else
                {
                    builder.BeginArray(array.Type);
                }

                Array.ForEach(array.Elements, element => Add(builder, element));
                builder.End();
                break;

            case DescribedObject described:
                Add(builder.Describe(ToValue(described.Descriptor)), described.Value);
                break;

            default:
                builder.Add(ScalarValue(model));
                break;
        }
    }

    public static AmqpValue ScalarValue(object? model) => model switch
    {
        null => default,
        bool value => value,
        byte value => value,
        ushort value => value,
        uint value => value,
        ulong value => value,
        sbyte value => value,
        short value => value,
        int value => value,
        long value => value,
        float value => value,
        double value => value,
        Decimal32 value => value,
        Decimal64 value => value,
        Decimal128 value => value,
        Rune value => value,
        Timestamp value => value,
        Guid value => value,
        byte[] value => value,
        string value => value,
        AmqpSymbol value => value,
        _ => throw new ArgumentOutOfRangeException(nameof(model)),
    };

    /// <summary>Compares a model with what <see cref="AmqpValue.ToObject"/> has made.</summary>
    public static void AssertSame(object? model, object? read)
    {
        switch (model)
        {
            case ArrayModel array:
                object?[] elements = Assert.IsType<object?[]>(read);
                Assert.Equal(array.Elements.Length, elements.Length);
                for (int i = 0; i < elements.Length; i++)
                {
                    AssertSame(
                        array.HasDescriptor ? new DescribedObject(array.Descriptor, array.Elements[i]) : array.Elements[i], elements[i]);
                }

                break;

            case object?[] list:
                object?[] others = Assert.IsType<object?[]>(read);
                Assert.Equal(list.Length, others.Length);
                for (int i = 0; i < list.Length; i++)
                {
                    AssertSame(list[i], others[i]);
                }

                break;

            case KeyValuePair<object?, object?>[] map:
                KeyValuePair<object?, object?>[] entries = Assert.IsType<KeyValuePair<object?, object?>[]>(read);
                Assert.Equal(map.Length, entries.Length);
                for (int i = 0; i < map.Length; i++)
                {
                    AssertSame(map[i].Key, entries[i].Key);
                    AssertSame(map[i].Value, entries[i].Value);
                }

                break;

            case DescribedObject described:
                DescribedObject other = Assert.IsType<DescribedObject>(read);
                AssertSame(described.Descriptor, other.Descriptor);
                AssertSame(described.Value, other.Value);
                break;

            case float value:
                Assert.Equal(BitConverter.SingleToInt32Bits(value), BitConverter.SingleToInt32Bits(Assert.IsType<float>(read)));
                break;

            case double value:
                Assert.Equal(BitConverter.DoubleToInt64Bits(value), BitConverter.DoubleToInt64Bits(Assert.IsType<double>(read)));
                break;

            default:
                Assert.Equal(model, read);
                break;
        }
    }

    /// <summary>The fewest bytes in which the specification can say this, arrays of elements without bytes apart.</summary>
    public static int LeastSize(object? model) => model switch
    {
        object?[] { Length: 0 } => 1,
        object?[] list => Framed(list.Sum(LeastSize), list.Length),
        KeyValuePair<object?, object?>[] map => Framed(map.Sum(entry => LeastSize(entry.Key) + LeastSize(entry.Value)), map.Length * 2),
        DescribedObject described => 1 + LeastSize(described.Descriptor) + LeastSize(described.Value),
        ArrayModel array =>
            Framed(1 + (array.HasDescriptor ? 1 + LeastSize(array.Descriptor) : 0) + LeastElements(array), array.Elements.Length),
        null or bool or 0u or 0ul => 1,
        byte or sbyte or uint and <= 255 or ulong and <= 255 or int and >= -128 and <= 127 or long and >= -128 and <= 127 => 2,
        ushort or short => 3,
        uint or int or float or Decimal32 or Rune => 5,
        ulong or long or double or Decimal64 or Timestamp => 9,
        Decimal128 or Guid => 17,
        byte[] bytes => Sized(bytes.Length),
        string text => Sized(Encoding.UTF8.GetByteCount(text)),
        AmqpSymbol symbol => Sized(symbol.ToString().Length),
        _ => throw new ArgumentOutOfRangeException(nameof(model)),
    };

    private static int LeastElements(ArrayModel array)
    {
        if (array.Type is AmqpType.Null)
        {
            return 0;
        }

        // An element alone takes its constructor as well; in an array all take the widest form that one of them needs.
        int[] sizes = [.. array.Elements.Select(element => Math.Max(2, element is object?[] { Length: 0 } ? 3 : LeastSize(element)) - 1)];
        int[] contents = [.. array.Elements.Select(Content)];
        return array.Type < AmqpType.Binary
            ? sizes.Length * sizes.DefaultIfEmpty().Max()
            : sizes.Zip(contents, (size, content) => size - content).DefaultIfEmpty().Max() * sizes.Length + contents.Sum();
    }

    // What an element of a type with a size takes without its size and count.
    private static int Content(object? element) => element switch
    {
        byte[] bytes => bytes.Length,
        string text => Encoding.UTF8.GetByteCount(text),
        AmqpSymbol symbol => symbol.ToString().Length,
        object?[] list => list.Sum(LeastSize),
        KeyValuePair<object?, object?>[] map => map.Sum(entry => LeastSize(entry.Key) + LeastSize(entry.Value)),
        ArrayModel array => 1 + (array.HasDescriptor ? 1 + LeastSize(array.Descriptor) : 0) + LeastElements(array),
        _ => 0,
    };

    private static int Sized(int bytes) => (bytes <= 255 ? 2 : 5) + bytes;

    private static int Framed(int bytes, int count) => (bytes + 1 <= 255 && count <= 255 ? 3 : 9) + bytes;

    private static ArrayModel RandomArray(Random random, int count, int depth, object? descriptor, bool described)
    {
        count = Math.Min(count, AmqpArray.MaxElementsWithoutBytes);
        int kind = random.Next(Scalars.Length + 3);
        AmqpType type = kind < Scalars.Length ? Scalars[kind] : (AmqpType)(kind - Scalars.Length + (int)AmqpType.List);
        object?[] elements = [.. Enumerable.Range(0, count).Select(_ => type switch
        {
            AmqpType.List => Many(random, random.Next(4), depth + 2),
            AmqpType.Map => new[] { KeyValuePair.Create(Random(random, depth + 3), Random(random, depth + 3)) },
            AmqpType.Array => RandomArray(random, random.Next(4), depth + 2, null, false),
            _ => Scalar(random, type),
        })];
        return new ArrayModel(type, described, descriptor, elements);
    }

    private static object?[] Many(Random random, int count, int depth) =>
        [.. Enumerable.Range(0, count).Select(_ => Random(random, depth + 1))];

    private static byte[] Bytes(Random random, int length)
    {
        byte[] bytes = new byte[length];
        random.NextBytes(bytes);
        return bytes;
    }
}
