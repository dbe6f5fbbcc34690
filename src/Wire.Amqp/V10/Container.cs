namespace Wire.Amqp.V10;

/// <summary>What lists, maps and arrays have in common: a count, and no element that takes no byte.</summary>
internal static class Container
{
    public static readonly AmqpValue EmptyList = AmqpValue.OfMemory(AmqpType.List, Constructor.List0, ReadOnlyMemory<byte>.Empty, -1);
    public static readonly AmqpValue EmptyMap = AmqpValue.OfMemory(AmqpType.Map, Constructor.Map8, new byte[] { 0 }, -1);
    public static readonly AmqpValue EmptyArray = AmqpValue.OfMemory(AmqpType.Array, Constructor.Array8, new byte[] { 0, Constructor.Null }, -1);

    /// <summary>Begins to read behind the count. What runs over the end is an error of length, as the container is all there.</summary>
    public static AmqpReader Open(scoped in AmqpValue value, out uint count)
    {
        var reader = new AmqpReader(value.Memory, value.Offset) { IsWhole = true };
        count = value.Code == Constructor.List0 ? 0
            : Constructor.SizeWidth(value.Code) == sizeof(byte) ? reader.Read<byte>() : reader.Read<uint>();
        return reader;
    }

    /// <summary>Reads the count of a list or map, whose elements take at least a byte each.</summary>
    public static int Count(in AmqpValue value)
    {
        AmqpReader reader = Open(value, out uint count);
        if (count > reader.Remaining)
        {
            Throw.Format(AmqpFormatError.Length, value.Offset, $"Expected at most {reader.Remaining} elements in so many bytes, found a count of {count}");
        }

        return (int)count;
    }

    /// <summary>Makes sure that the elements were all there is.</summary>
    public static void CheckEnd(in AmqpReader reader)
    {
        if (!reader.IsAtEnd)
        {
            Throw.Format(AmqpFormatError.Length, reader.Offset, $"Expected the end of a list, map or array after its last element, found {reader.Remaining} more bytes");
        }
    }
}
