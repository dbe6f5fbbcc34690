using System.Buffers;
using System.IO.Pipelines;
using Wire.Format;

namespace Wire.Frames;

/// <summary>Reads frames from a pipe. A frame is consumed when it is released, and nothing of it before it is there whole.</summary>
internal static class PipeFrames
{
    public static async ValueTask<ReceivedFrame> ReadAsync(PipeReader reader, int maxBytes, CancellationToken cancellationToken)
    {
        while (true)
        {
            ReadResult result = await reader.ReadAsync(cancellationToken).ConfigureAwait(false);
            ReadOnlySequence<byte> buffer = result.Buffer;
            bool isHeld = false;
            try
            {
                if (result.IsCanceled)
                {
                    throw new OperationCanceledException("The pipe's pending read was cancelled.");
                }

                if (TryFind(buffer, maxBytes, out ReadOnlySequence<byte> payload))
                {
                    isHeld = true;
                    return new ReceivedFrame(reader, payload);
                }

                if (result.IsCompleted)
                {
                    return buffer.IsEmpty
                        ? default
                        : throw new WireFormatException(
                            WireFormatError.Frame, $"The pipe ends inside a frame, after {buffer.Length} byte(s) of it."
                                + PayloadHeader.AdviceForFrame(FirstBytes(buffer)));
                }
            }
            finally
            {
                if (!isHeld)
                {
                    reader.AdvanceTo(buffer.Start, buffer.End);
                }
            }
        }
    }

    // Of a frame that is cut short.
    private static byte[] FirstBytes(in ReadOnlySequence<byte> buffer)
    {
        const int Enough = 32;
        return buffer.Length <= FrameHeader.Size
            ? []
            : buffer.Slice(FrameHeader.Size, Math.Min(buffer.Length - FrameHeader.Size, Enough)).ToArray();
    }

    private static bool TryFind(in ReadOnlySequence<byte> buffer, int maxBytes, out ReadOnlySequence<byte> payload)
    {
        payload = default;
        if (buffer.Length < FrameHeader.Size)
        {
            return false;
        }

        Span<byte> header = stackalloc byte[FrameHeader.Size];
        buffer.Slice(0, FrameHeader.Size).CopyTo(header);
        int length = FrameHeader.Read(header, maxBytes);
        if (buffer.Length - FrameHeader.Size < length)
        {
            return false;
        }

        payload = buffer.Slice(FrameHeader.Size, length);
        return true;
    }
}
