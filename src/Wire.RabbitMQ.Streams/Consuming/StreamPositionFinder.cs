using Wire.RabbitMQ.Streams.Chunks;
using Wire.RabbitMQ.Streams.Links;

namespace Wire.RabbitMQ.Streams.Consuming;

/// <summary>Determines the start position of a consumer on a new link.</summary>
/// <remarks>
/// <para>
/// A stream may have been deleted and created again meanwhile. The broker does not report that, and takes an offset beyond the end of a
/// stream for its end: messages would silently be skipped. So the consumer first compares the stream with a known chunk: in the same
/// stream, the chunk with the same first offset has the same time and epoch. If the stream seems to end before that chunk, it is a replica
/// that lags behind if its last chunk is not younger, and otherwise another stream.
/// </para>
/// <para>
/// "Next" and "last chunk" mean another position each time: the position is determined once, as an offset, and kept.
/// </para>
/// </remarks>
internal static class StreamPositionFinder
{
    /// <summary>Finds the end or the last chunk of a stream, if the consumer begins there.</summary>
    public static async Task FixAsync(
        StreamLink link, string stream, StreamOffset offset, StreamPosition position, CancellationToken cancellationToken)
    {
        if (offset.Kind is not (StreamOffsetKind.Next or StreamOffsetKind.Last))
        {
            return;
        }

        if (await ChunkProbe.IsEmptyAsync(link, stream, cancellationToken).ConfigureAwait(false))
        {
            position.MoveTo(0);
            return;
        }

        // There is one: it arrives as soon as most replicas have it.
        ChunkHeader last = await ChunkProbe.WaitAsync(link, stream, StreamOffset.Last, cancellationToken).ConfigureAwait(false);
        position.MoveTo(offset.Kind == StreamOffsetKind.Last ? last.FirstOffset : last.FirstOffset + last.Records);
        position.Know(last);
    }

    /// <summary>Returns whether a stream is the one with a known chunk. Waits until the stream has messages.</summary>
    public static async Task<bool> IsSameAsync(StreamLink link, string stream, ChunkHeader known, CancellationToken cancellationToken)
    {
        ChunkHeader found = await ChunkProbe.WaitAsync(link, stream, StreamOffset.Last, cancellationToken).ConfigureAwait(false);
        if (found.FirstOffset > known.FirstOffset)
        {
            found = await ChunkProbe.WaitAsync(link, stream, StreamOffset.At(known.FirstOffset), cancellationToken).ConfigureAwait(false);

            // Retention may have removed the known chunk. Then the consumer continues with the oldest one, as in a new stream. But in the
            // same stream no chunk begins within the known one, or was written under an earlier leader.
            if (found.FirstOffset > known.FirstOffset)
            {
                return found.FirstOffset >= known.FirstOffset + known.Records && found.Epoch >= known.Epoch;
            }
        }

        return found.FirstOffset == known.FirstOffset
            ? found.Timestamp == known.Timestamp && found.Epoch == known.Epoch
            : found.FirstOffset + found.Records <= known.FirstOffset && found.Timestamp <= known.Timestamp;
    }
}
