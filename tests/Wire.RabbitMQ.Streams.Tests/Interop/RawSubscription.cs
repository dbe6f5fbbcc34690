using Wire.RabbitMQ.Streams.Chunks;
using Wire.RabbitMQ.Streams.Links;
using Wire.RabbitMQ.Streams.Tests.Testing;
using Wire.Testing;
using Wire.Transport.Segments;

namespace Wire.RabbitMQ.Streams.Tests.Interop;

/// <summary>A subscription on a link that keeps the chunks as they come, until they have so many messages.</summary>
internal sealed class RawSubscription(int messages) : ILinkSubscription
{
    private const ushort Credit = 1_000;

    private readonly TaskCompletionSource<IReadOnlyList<byte[]>> _all = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly List<byte[]> _chunks = [];
    private long _records;

    /// <summary>Takes the chunks of a stream from its beginning.</summary>
    public static async Task<IReadOnlyList<byte[]>> TakeAsync(string stream, int messages)
    {
        StreamLink link = await StreamLink.ConnectAsync(StreamBroker.Options, StreamBroker.Options.Endpoints[0], CancellationToken.None);
        var subscription = new RawSubscription(messages);
        await link.SubscribeAsync(
            subscription, stream, StreamOffset.First, Credit, new Dictionary<string, string>(), _ => { }, CancellationToken.None);
        IReadOnlyList<byte[]> chunks = await subscription._all.Task.WaitAsync(Patience.Limit);
        await link.CloseAsync();
        return chunks;
    }

    /// <inheritdoc/>
    public void Deliver(ReadOnlyMemory<byte> chunk, long offset, ReceiveSegment segment)
    {
        _chunks.Add(chunk.ToArray());
        segment.Release();
        _records += ChunkHeader.Read(chunk.Span, offset).Records;
        if (_records >= messages)
        {
            _all.TrySetResult([.. _chunks]);
        }
    }

    /// <inheritdoc/>
    public void Update(uint correlation, bool isActive) =>
        _all.TrySetException(new InvalidOperationException("It is no single active consumer."));

    /// <inheritdoc/>
    public void Ended(Exception reason) => _all.TrySetException(reason);
}
