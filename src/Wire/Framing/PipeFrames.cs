using System.Buffers;
using System.IO.Pipelines;
using Wire.Format;

namespace Wire.Framing;

/// <summary>Reads frames from a pipe. A frame is consumed when it is released, and nothing of it before it is there whole.</summary>
internal static class PipeFrames
{
    /// <summary>
    /// Reads a frame that the pipe already has whole, as most are where many are sent at a time: nothing is awaited then.
    /// </summary>
    /// <returns>False when there is none; then nothing of the pipe has been looked at.</returns>
    public static bool TryRead(PipeReader reader, int maxBytes, out ReceivedFrame frame)
    {
        frame = default;
        if (!reader.TryRead(out ReadResult result))
        {
            return false;
        }

        try
        {
            ThrowIfCanceled(result);
            if (TryFind(result.Buffer, maxBytes, out ReadOnlySequence<byte> payload))
            {
                frame = new ReceivedFrame(reader, payload);
            }
        }
        finally
        {
            if (!frame.IsFound)
            {
                reader.AdvanceTo(result.Buffer.Start);
            }
        }

        return frame.IsFound;
    }

    public static async ValueTask<ReceivedFrame> ReadAsync(PipeReader reader, int maxBytes, CancellationToken cancellationToken)
    {
        while (true)
        {
            ReadResult result = await reader.ReadAsync(cancellationToken).ConfigureAwait(false);
            ReadOnlySequence<byte> buffer = result.Buffer;
            bool isHeld = false;
            try
            {
                ThrowIfCanceled(result);
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

    /// <summary>Refuses what a read has given that was cancelled by the pipe.</summary>
    public static void ThrowIfCanceled(in ReadResult result)
    {
        if (result.IsCanceled)
        {
            throw new OperationCanceledException("The pipe's pending read was cancelled.");
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

        int length = buffer.FirstSpan is { Length: >= FrameHeader.Size } first
            ? FrameHeader.Read(first, maxBytes)
            : ReadSplitHeader(buffer, maxBytes);
        if (buffer.Length - FrameHeader.Size < length)
        {
            return false;
        }

        payload = buffer.Slice(FrameHeader.Size, length);
        return true;
    }

    private static int ReadSplitHeader(in ReadOnlySequence<byte> buffer, int maxBytes)
    {
        Span<byte> header = stackalloc byte[FrameHeader.Size];
        buffer.Slice(0, FrameHeader.Size).CopyTo(header);
        return FrameHeader.Read(header, maxBytes);
    }
}
