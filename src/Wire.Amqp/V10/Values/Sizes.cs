namespace Wire.Amqp.V10.Values;

/// <summary>How many bytes a value takes in its most compact encoding, the constructor included.</summary>
internal static class Sizes
{
    public const int Descriptor = 3;

    public static int Measure(in AmqpValue value) => value.Type switch
    {
        AmqpType.Null or AmqpType.Boolean => 1,
        AmqpType.UByte or AmqpType.Byte => 2,
        AmqpType.UShort or AmqpType.Short => 3,
        AmqpType.UInt => OfUInt((uint)value.Bits),
        AmqpType.ULong => OfULong(value.Bits),
        AmqpType.Int => OfSigned((long)value.Bits, sizeof(int)),
        AmqpType.Long => OfSigned((long)value.Bits, sizeof(long)),
        AmqpType.Float or AmqpType.Decimal32 or AmqpType.Char => 5,
        AmqpType.Double or AmqpType.Decimal64 or AmqpType.Timestamp => 9,
        AmqpType.Decimal128 or AmqpType.Uuid => 17,
        AmqpType.Binary => OfSized(value.Span.Length),
        AmqpType.String or AmqpType.Symbol => OfText(value.Text),
        AmqpType.Described => OfDescribed(value),
        _ => OfContainer(value),
    };

    public static int OfUInt(uint value) => value == 0 ? 1 : value <= byte.MaxValue ? 2 : 5;

    public static int OfULong(ulong value) => value == 0 ? 1 : value <= byte.MaxValue ? 2 : 9;

    /// <summary>Binary, string or symbol of so many bytes.</summary>
    public static int OfSized(int bytes) => checked((bytes <= byte.MaxValue ? 2 : 5) + bytes);

    public static int OfText(AmqpString text) => OfSized(text.ByteCount);

    private static int OfSigned(long value, int width) => value == (sbyte)value ? 2 : 1 + width;

    private static int OfContainer(in AmqpValue value) =>
        value.Code == Constructor.List0 ? 1 : checked(1 + Constructor.SizeWidth(value.Code) + value.Span.Length);

    private static int OfDescribed(in AmqpValue value)
    {
        value.GetParts(out ReadOnlySpan<byte> constructor, out ReadOnlySpan<byte> data);
        return checked(constructor.Length + data.Length);
    }
}
