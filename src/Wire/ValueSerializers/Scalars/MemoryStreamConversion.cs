using System.Runtime.CompilerServices;
using Wire.Errors;

namespace Wire.ValueSerializers.Scalars;

/// <summary>
/// A MemoryStream: its bytes and its position; for a fixed buffer, also the whole buffer, the length in use and the permissions. It is
/// restored over a new buffer.
/// </summary>
internal static class MemoryStreamConversion
{
    public static Parts To(MemoryStream value)
    {
        if (!value.CanRead)
        {
            throw new UnsupportedTypeException(
                typeof(MemoryStream), "it is closed, so its copy could not be read. Write its ToArray() instead.");
        }

        // A stream that grows gets another buffer.
        ReadOnlyMemory<byte> content =
            Changes.Taken(value, stream => new ReadOnlyMemory<byte>(Buffer(stream), Origin(stream), (int)stream.Length));
        return IsExpandable(value)
            ? new Parts(content, value.Position, null)
            : new Parts(
                Padded(
                    content, value.Capacity), value.Position, new FixedBuffer(value.TryGetBuffer(out _), value.CanWrite, content.Length));
    }

    public static MemoryStream From(Parts written)
    {
        MemoryStream stream = written.Buffer is { } buffer ? Over(buffer, written.Content) : Growing(written.Content.Span);
        stream.Position = written.Position;
        return stream;
    }

    // The bytes after the end are invisible: they are zero once the stream has grown to them. They are written nevertheless, so that the
    // payload has as many bytes as the buffer.
    private static ReadOnlyMemory<byte> Padded(ReadOnlyMemory<byte> content, int capacity)
    {
        if (content.Length == capacity)
        {
            return content;
        }

        byte[] all = new byte[capacity];
        content.CopyTo(all);
        return all;
    }

    private static MemoryStream Growing(ReadOnlySpan<byte> content)
    {
        var stream = new MemoryStream(content.Length);
        stream.Write(content);
        return stream;
    }

    private static MemoryStream Over(FixedBuffer buffer, ReadOnlyMemory<byte> content)
    {
        if (buffer.Length < 0 || buffer.Length > content.Length || (!buffer.IsWritable && buffer.Length != content.Length))
        {
            throw new FormatException($"{buffer.Length} bytes do not fit a stream with a buffer of {content.Length}.");
        }

        var stream = new MemoryStream(content.ToArray(), 0, content.Length, buffer.IsWritable, buffer.IsVisible);
        if (buffer.IsWritable)
        {
            stream.SetLength(buffer.Length);
        }

        return stream;
    }

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_buffer")]
    private static extern ref byte[] Buffer(MemoryStream target);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_origin")]
    private static extern ref int Origin(MemoryStream target);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_expandable")]
    private static extern ref bool IsExpandable(MemoryStream target);

    internal readonly record struct FixedBuffer(bool IsVisible, bool IsWritable, int Length);

    internal readonly record struct Parts(ReadOnlyMemory<byte> Content, long Position, FixedBuffer? Buffer);
}
