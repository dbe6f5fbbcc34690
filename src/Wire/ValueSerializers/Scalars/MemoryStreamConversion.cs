using System.Runtime.CompilerServices;

namespace Wire;

/// <summary>
/// A MemoryStream: its bytes and its position, and of one over a buffer that cannot grow how large that is and what may be done with it.
/// It comes back over a buffer of its own.
/// </summary>
internal sealed class MemoryStreamConversion : IConversion<MemoryStream, MemoryStreamConversion.Parts>
{
    public static Parts To(MemoryStream value) => value.CanRead
        ? new Parts(
            new ReadOnlyMemory<byte>(Buffer(value), Origin(value), (int)value.Length),
            value.Position,
            IsExpandable(value) ? null : new FixedBuffer(value.Capacity, value.TryGetBuffer(out _), value.CanWrite))
        : throw new UnsupportedTypeException(
            typeof(MemoryStream), "it is closed, and so would nobody be able to read it. Write its ToArray() instead.");

    public static MemoryStream From(Parts written)
    {
        MemoryStream stream = written.Buffer is { } buffer ? Over(buffer, written.Content.Span) : Growing(written.Content.Span);
        stream.Position = written.Position;
        return stream;
    }

    public static long Overhead(Parts written) => (written.Buffer?.Capacity ?? 0) - (long)written.Content.Length;

    private static MemoryStream Growing(ReadOnlySpan<byte> content)
    {
        var stream = new MemoryStream(content.Length);
        stream.Write(content);
        return stream;
    }

    private static MemoryStream Over(FixedBuffer buffer, ReadOnlySpan<byte> content)
    {
        if (buffer.Capacity < content.Length || (!buffer.IsWritable && buffer.Capacity != content.Length))
        {
            throw new FormatException($"A buffer of {buffer.Capacity} bytes is not what {content.Length} bytes are in.");
        }

        byte[] bytes = new byte[buffer.Capacity];
        content.CopyTo(bytes);
        var stream = new MemoryStream(bytes, 0, bytes.Length, buffer.IsWritable, buffer.IsVisible);
        if (buffer.IsWritable)
        {
            stream.SetLength(content.Length);
        }

        return stream;
    }

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_buffer")]
    private static extern ref byte[] Buffer(MemoryStream target);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_origin")]
    private static extern ref int Origin(MemoryStream target);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_expandable")]
    private static extern ref bool IsExpandable(MemoryStream target);

    internal readonly record struct FixedBuffer(int Capacity, bool IsVisible, bool IsWritable);

    internal readonly record struct Parts(ReadOnlyMemory<byte> Content, long Position, FixedBuffer? Buffer);
}
