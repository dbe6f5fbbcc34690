using Wire.RabbitMQ.Streams.Chunks;
using Wire.RabbitMQ.Streams.Links;
using Wire.RabbitMQ.Streams.Protocol;
using Wire.Transport.Pending;
using Wire.Transport.Segments;

namespace Wire.RabbitMQ.Streams.Consuming;

/// <summary>Requests the header of one chunk, by a separate subscription with credit for one.</summary>
internal sealed class ChunkProbe : ILinkSubscription
{
    private readonly TaskCompletionSource<ChunkHeader> _header = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private byte _id;

    private ChunkProbe()
    {
    }

    /// <summary>Waits for the chunk at an offset, or for the next one to be written.</summary>
    /// <exception cref="IOException">The link has ended, or the stream has gone or moved.</exception>
    /// <exception cref="StreamException">The broker refuses it.</exception>
    public static async Task<ChunkHeader> WaitAsync(
        StreamLink link, string stream, StreamOffset offset, CancellationToken cancellationToken)
    {
        ChunkProbe probe = await SubscribeAsync(link, stream, offset, cancellationToken).ConfigureAwait(false);
        try
        {
            return await probe._header.Task.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            await link.UnsubscribeAsync(probe._id, probe, CancellationToken.None).ConfigureAwait(false);
        }
    }

    /// <summary>Returns whether a stream has any messages.</summary>
    /// <inheritdoc cref="WaitAsync"/>
    public static async Task<bool> IsEmptyAsync(StreamLink link, string stream, CancellationToken cancellationToken)
    {
        ChunkProbe probe = await SubscribeAsync(link, stream, StreamOffset.First, cancellationToken).ConfigureAwait(false);
        try
        {
            // An existing chunk is sent at once, before any other answer.
            await link.AskAsync<MetadataQuery, ClusterMetadata>(new MetadataQuery { Streams = Groups.Items([stream]) }, cancellationToken)
                .ConfigureAwait(false);
            if (probe._header.Task.IsFaulted)
            {
                await probe._header.Task.ConfigureAwait(false);
            }

            return !probe._header.Task.IsCompleted;
        }
        finally
        {
            await link.UnsubscribeAsync(probe._id, probe, CancellationToken.None).ConfigureAwait(false);
        }
    }

    public void Deliver(ReadOnlyMemory<byte> chunk, long offset, ReceiveSegment segment)
    {
        try
        {
            _header.TrySetResult(ChunkHeader.Read(chunk.Span, offset));
        }
        finally
        {
            segment.Release();
        }
    }

    public void Update(uint correlation, bool isActive)
    {
    }

    public void Ended(Exception reason) => _header.TryFail(new StreamConnectionException(reason.Message, reason));

    private static async Task<ChunkProbe> SubscribeAsync(
        StreamLink link, string stream, StreamOffset offset, CancellationToken cancellationToken)
    {
        var probe = new ChunkProbe();
        await link.SubscribeAsync(
            probe,
            stream,
            offset,
            credit: 1,
            new Dictionary<string, string>(),
            id => probe._id = id,
            cancellationToken).ConfigureAwait(false);
        return probe;
    }
}
