using Wire.RabbitMQ;
using Wire.RabbitMQ.Tests.Testing;

namespace Wire.Benchmarks.Messaging.RabbitMQ;

/// <summary>What a publish takes before its channel, with and without middleware: over a channel that does nothing.</summary>
internal static class MiddlewareTable
{
    private static readonly IReadOnlyList<Column> Columns =
    [
        new("CPU ns/message", "#,0.0", figures => figures.Nanoseconds),
        new("x", "0.00", figures => figures.Nanoseconds, IsRatio: true),
        new("B/message", "#,0.0", figures => figures.Bytes),
    ];

    public static MessageTable Table { get; } = new(
        "Publishing to a channel that does nothing",
        Columns,
        [new ThroughMiddleware(0), new ThroughMiddleware(1), new ThroughMiddleware(2)],
        0);
}

/// <summary>Publishes through so many middlewares that change nothing.</summary>
internal sealed class ThroughMiddleware(int middlewares)
    : MessageRow(middlewares == 0 ? "WirePublisher" : $"through {middlewares} middleware{(middlewares == 1 ? "" : "s")}", 5_000_000)
{
    private readonly WirePublisher _publisher = new(
        _ => Task.FromResult<WireConnection>(new FakeConnection(new FakeMessageChannel())),
        BrokerBench.Serializer,
        new WirePublisherOptions { Middleware = [.. Enumerable.Repeat(new Pass(), middlewares)] },
        null);

    private readonly Parcel _message = Parcel.Create(BrokerBench.Payload);

    // The first one opens the channel.
    public override async Task OpenAsync() => await _publisher.PublishAsync("", "parcels", _message);

    public override async Task RunAsync()
    {
        for (int i = 0; i < Messages; i++)
        {
            await _publisher.PublishAsync("", "parcels", _message);
        }
    }

    public override ValueTask CloseAsync() => _publisher.DisposeAsync();

    private sealed class Pass : IPublishMiddleware
    {
        public ValueTask PublishAsync(Publication publication, PublishHandler next, CancellationToken cancellationToken) =>
            next(publication, cancellationToken);
    }
}
