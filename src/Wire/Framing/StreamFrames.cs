using System.Buffers;
using Wire.Format;

namespace Wire.Framing;

/// <summary>Reads frames from a stream, and never a byte more than the frame.</summary>
internal static class StreamFrames
{
    private const int FirstPart = 1 << 16;

    public static async ValueTask<ReceivedFrame> ReadAsync(Stream stream, int maxBytes, CancellationToken cancellationToken)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(FrameHeader.Size);
        try
        {
            int read = await stream.ReadAtLeastAsync(
                buffer.AsMemory(0, FrameHeader.Size), FrameHeader.Size, throwOnEndOfStream: false, cancellationToken).ConfigureAwait(false);
            if (read is > 0 and < FrameHeader.Size)
            {
                throw new WireFormatException(
                    WireFormatError.Frame, $"The stream ends inside the length of a frame, after {read} of {FrameHeader.Size} bytes.");
            }

            if (read > 0)
            {
                int length = FrameHeader.Read(buffer, maxBytes);
                for (int done = 0; done < length;)
                {
                    // Grows as bytes arrive: a length alone allocates nothing.
                    int part = Math.Min(length, Math.Max(FirstPart, done * 2)) - done;
                    if (buffer.Length < done + part)
                    {
                        byte[] larger = ArrayPool<byte>.Shared.Rent(done + part);
                        buffer.AsSpan(0, done).CopyTo(larger);
                        ArrayPool<byte>.Shared.Return(buffer);
                        buffer = larger;
                    }

                    read = await stream.ReadAtLeastAsync(buffer.AsMemory(done, part), part, throwOnEndOfStream: false, cancellationToken)
                        .ConfigureAwait(false);
                    done += read;
                    if (read < part)
                    {
                        throw new WireFormatException(
                            WireFormatError.Frame, $"The stream ends inside a frame, after {done} of {length} bytes: the frames "
                                + "before it are whole, and this one has to be sent again."
                                + PayloadHeader.AdviceForFrame(buffer.AsSpan(0, done)));
                    }
                }

                return new ReceivedFrame(buffer, length);
            }
        }
        catch
        {
            ArrayPool<byte>.Shared.Return(buffer);
            throw;
        }

        ArrayPool<byte>.Shared.Return(buffer);
        return default;
    }
}
