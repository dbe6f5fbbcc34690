namespace Wire.Amqp.V10.Values;

/// <summary>The number of bytes that a value takes in its most compact encoding, the constructor included.</summary>
internal static class Sizes
{
    public const int Descriptor = 3;

    public static int Measure(in AmqpValue value) => value.Type switch
    {
        AmqpType.Null or AmqpType.Boolean => 1,
        AmqpType.UByte or AmqpType.Byte => 2,
        AmqpType.UShort or AmqpType.Short => 3,
        AmqpType.UInt => MeasureUInt((uint)value.Bits),
        AmqpType.ULong => MeasureULong(value.Bits),
        AmqpType.Int => MeasureSigned((long)value.Bits, sizeof(int)),
        AmqpType.Long => MeasureSigned((long)value.Bits, sizeof(long)),
        AmqpType.Float or AmqpType.Decimal32 or AmqpType.Char => 5,
        AmqpType.Double or AmqpType.Decimal64 or AmqpType.Timestamp => 9,
        AmqpType.Decimal128 or AmqpType.Uuid => 17,
        AmqpType.Binary => MeasureSized(value.Span.Length),
        AmqpType.String or AmqpType.Symbol => MeasureText(value.Text),
        AmqpType.Described => MeasureDescribed(value),
        _ => MeasureContainer(value),
    };

    public static int MeasureUInt(uint value) => value == 0 ? 1 : value <= byte.MaxValue ? 2 : 5;

    public static int MeasureULong(ulong value) => value == 0 ? 1 : value <= byte.MaxValue ? 2 : 9;

    /// <summary>Binary, string or symbol of a number of bytes.</summary>
    public static int MeasureSized(int bytes) => checked((bytes <= byte.MaxValue ? 2 : 5) + bytes);

    public static int MeasureText(AmqpString text) => MeasureSized(text.ByteCount);

    private static int MeasureSigned(long value, int width) => value == (sbyte)value ? 2 : 1 + width;

    private static int MeasureContainer(in AmqpValue value) =>
        value.Code == Constructor.List0 ? 1 : checked(1 + Constructor.SizeWidth(value.Code) + value.Span.Length);

    private static int MeasureDescribed(in AmqpValue value)
    {
        value.GetParts(out ReadOnlySpan<byte> constructor, out ReadOnlySpan<byte> data);
        return checked(constructor.Length + data.Length);
    }
}
