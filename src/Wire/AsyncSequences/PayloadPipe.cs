using System.Buffers;
using System.IO.Pipelines;
using Wire.Errors;
using Wire.Format;
using Wire.Framing;

namespace Wire.AsyncSequences;

/// <summary>Reads one payload from a pipe: what is in front of its value, or all of it.</summary>
internal static class PayloadPipe
{
    /// <summary>Reads the number of async sequences, and consumes what is in front of the value.</summary>
    /// <returns>The number; 0 for a payload without any, of which nothing has been consumed.</returns>
    public static async ValueTask<uint> ReadCountAsync(PipeReader reader, CancellationToken cancellationToken)
    {
        while (true)
        {
            ReadResult result = await reader.ReadAsync(cancellationToken).ConfigureAwait(false);
            ReadOnlySequence<byte> buffer = result.Buffer;
            (SequencePosition consumed, SequencePosition examined) = (buffer.Start, buffer.Start);
            try
            {
                PipeFrames.ThrowIfCanceled(result);
                if (TryRead(buffer, out uint count))
                {
                    consumed = examined = buffer.GetPosition(count > 0 ? SequencesHeader.Size : 0);
                    return count;
                }

                examined = buffer.End;
                if (result.IsCompleted)
                {
                    ThrowHelper.Truncated(SequencesHeader.Size - buffer.Length);
                }
            }
            finally
            {
                reader.AdvanceTo(consumed, examined);
            }
        }
    }

    /// <summary>Waits for the end of the pipe. Nothing is consumed: the caller advances the pipe behind what it has read.</summary>
    /// <exception cref="WireFormatException">There are more bytes than the limit.</exception>
    public static async ValueTask<ReadOnlySequence<byte>> ReadToEndAsync(
        PipeReader reader, long maxBytes, CancellationToken cancellationToken)
    {
        while (true)
        {
            ReadResult result = await reader.ReadAsync(cancellationToken).ConfigureAwait(false);
            bool isHeld = false;
            try
            {
                PipeFrames.ThrowIfCanceled(result);
                if (result.Buffer.Length > maxBytes)
                {
                    ThrowHelper.Limit(nameof(Limits.MaxBytes), maxBytes, "The payload");
                }

                if (isHeld = result.IsCompleted)
                {
                    return result.Buffer;
                }
            }
            finally
            {
                if (!isHeld)
                {
                    reader.AdvanceTo(result.Buffer.Start, result.Buffer.End);
                }
            }
        }
    }

    // False where more bytes are needed.
    private static bool TryRead(in ReadOnlySequence<byte> buffer, out uint count)
    {
        Span<byte> bytes = stackalloc byte[SequencesHeader.Size];
        int length = (int)Math.Min(bytes.Length, buffer.Length);
        buffer.Slice(0, length).CopyTo(bytes);
        count = 0;
        if (length > 0 && bytes[0] != PayloadHeader.AsyncSequences)
        {
            return true;
        }

        if (length < bytes.Length)
        {
            return false;
        }

        count = SequencesHeader.Read(bytes[1..]);
        return true;
    }
}
