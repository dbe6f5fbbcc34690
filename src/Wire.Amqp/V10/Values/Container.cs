using System.Runtime.CompilerServices;
using Wire.Amqp.Errors;
using Wire.Amqp.Primitives;

namespace Wire.Amqp.V10.Values;

/// <summary>The common ground of lists, maps and arrays: a count, and no element that takes no byte.</summary>
internal static class Container
{
    public static readonly AmqpValue EmptyList = AmqpValue.FromMemory(AmqpType.List, Constructor.List0, ReadOnlyMemory<byte>.Empty, -1);
    public static readonly AmqpValue EmptyMap = AmqpValue.FromMemory(AmqpType.Map, Constructor.Map8, new byte[] { 0 }, -1);
    public static readonly AmqpValue EmptyArray =
        AmqpValue.FromMemory(AmqpType.Array, Constructor.Array8, new byte[] { 0, Constructor.Null }, -1);

    /// <summary>Begins to read after the count. Running over the end is an error of length, because the container is complete.</summary>
    public static ArrayReader Open(scoped in AmqpValue value, out uint count)
    {
        ArrayReader reader = value.Open(value.Offset);
        count = value.Code == Constructor.List0 ? 0
            : Constructor.SizeWidth(value.Code) == sizeof(byte) ? reader.Read<byte>() : reader.Read<uint>();
        return reader;
    }

    /// <summary>Reads the count of a list or map, whose elements take at least a byte each.</summary>
    public static int Count(in AmqpValue value)
    {
        ReadOnlySpan<byte> content = value.Span;
        if (value.Code == Constructor.List0)
        {
            return 0;
        }

        int width = Constructor.SizeWidth(value.Code);
        if (content.Length < width)
        {
            ThrowHelper.Format(
                AmqpFormatError.Length, value.Offset, $"Expected a count of {width} bytes in a list or map, found {content.Length}");
        }

        uint count = width == sizeof(byte) ? content[0] : NetworkOrder.Read<uint>(content);
        CheckCount(count, content.Length - width, value.Offset);
        return (int)count;
    }

    /// <summary>Begins to read the elements of a list that comes next.</summary>
    public static ArrayReader OpenList<TReader>(ref TReader reader, out int count)
        where TReader : struct, IByteReader, allows ref struct
    {
        byte code = reader.Read<byte>();
        if (code != Constructor.List8)
        {
            return OpenOtherList(ref reader, code, out count);
        }

        int size = reader.ReadSize(code);
        long offset = reader.Offset;
        (byte[] array, int start) = reader.ReadArray(size);
        var elements = new ArrayReader(array, start, size, offset);
        count = elements.Read<byte>();
        CheckCount((uint)count, elements.Remaining, offset);
        return elements;
    }

    /// <summary>Makes sure that the elements were all there is.</summary>
    public static void CheckEnd(in ArrayReader reader)
    {
        if (!reader.IsAtEnd)
        {
            ThrowHelper.Format(
                AmqpFormatError.Length,
                reader.Offset,
                $"Expected the end of a list, map or array after its last element, found {reader.Remaining} more bytes");
        }
    }

    private static void CheckCount(uint count, long bytes, long offset)
    {
        if (count > bytes)
        {
            ThrowHelper.Format(
                AmqpFormatError.Length, offset, $"Expected at most {bytes} elements in {bytes} bytes, found a count of {count}");
        }
    }

    // Out of line: few lists of fields are larger than 255 bytes or empty.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static ArrayReader OpenOtherList<TReader>(ref TReader reader, byte code, out int count)
        where TReader : struct, IByteReader, allows ref struct
    {
        if (Constructor.TypeOf(code) != AmqpType.List)
        {
            ThrowHelper.Format(AmqpFormatError.UnexpectedType, reader.Offset - 1, $"Expected list, found {Constructor.Name(code)}");
        }

        AmqpValue list = reader.ReadData(code);
        count = Count(list);
        return Open(list, out _);
    }
}
