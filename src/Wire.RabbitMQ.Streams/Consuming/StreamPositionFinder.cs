using Wire.RabbitMQ.Streams.Chunks;
using Wire.RabbitMQ.Streams.Links;

namespace Wire.RabbitMQ.Streams.Consuming;

/// <summary>Finds out where a consumer begins or continues, on a link that it has just got.</summary>
/// <remarks>
/// <para>
/// A stream may have been deleted and made again meanwhile. The broker does not say so, and takes an offset beyond the end of a stream for
/// its end: messages would be left out, silently. So the consumer compares the stream with a chunk that it knows, before it continues: the
/// chunk with the same first offset has the same time and epoch in the same stream. Where the stream seems to end before that chunk, it is
/// a replica that lags behind when its last chunk is not younger, and another stream otherwise.
/// </para>
/// <para>
/// To begin with what comes next, or with the last chunk, means another position each time: that position is found out once, as an offset,
/// and kept.
/// </para>
/// </remarks>
internal static class StreamPositionFinder
{
    /// <summary>Finds the end or the last chunk of a stream, where that is where it begins.</summary>
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

        // There is one: it comes as soon as most replicas have it.
        ChunkHeader last = await ChunkProbe.WaitAsync(link, stream, StreamOffset.Last, cancellationToken).ConfigureAwait(false);
        position.MoveTo(offset.Kind == StreamOffsetKind.Last ? last.FirstOffset : last.FirstOffset + last.Records);
        position.Know(last);
    }

    /// <summary>Says whether a stream is the one that has a chunk. Waits until the stream has any messages.</summary>
    public static async Task<bool> IsSameAsync(StreamLink link, string stream, ChunkHeader known, CancellationToken cancellationToken)
    {
        ChunkHeader found = await ChunkProbe.WaitAsync(link, stream, StreamOffset.Last, cancellationToken).ConfigureAwait(false);
        if (found.FirstOffset > known.FirstOffset)
        {
            found = await ChunkProbe.WaitAsync(link, stream, StreamOffset.At(known.FirstOffset), cancellationToken).ConfigureAwait(false);

            // By retention what is known may have gone. Then the consumer continues with the oldest that there is, as it would in a stream
            // that is new. But no chunk of the same stream begins within what is known, or was written under a leader before.
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
