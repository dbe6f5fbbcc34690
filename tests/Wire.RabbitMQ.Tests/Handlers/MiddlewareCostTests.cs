using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Handlers;

/// <summary>A publish through middleware that changes nothing costs no memory.</summary>
public sealed class MiddlewareCostTests
{
    private static readonly OrderPlaced Order = new(Guid.NewGuid(), "Ada", 1);

    [Fact]
    public async Task Two_of_them_allocate_nothing()
    {
        await using WirePublisher plain = Publisher();
        await using WirePublisher through = Publisher(new Pass(), new Pass());
        var before = new Gauge(() => HasEnded(plain.PublishAsync("", "orders", Order)));
        var after = new Gauge(() => HasEnded(through.PublishAsync("", "orders", Order)));
        await plain.PublishAsync("", "orders", Order);
        await through.PublishAsync("", "orders", Order);
        Gauge.Settle(() => before.BytesOfTenCalls == 0 && after.BytesOfTenCalls == 0, before, after);
        Assert.Equal((0, 0), (before.BytesOfTenCalls, after.BytesOfTenCalls));
    }

    private static void HasEnded(ValueTask published) => Assert.True(published.IsCompletedSuccessfully);

    private static WirePublisher Publisher(params IPublishMiddleware[] middleware) => new(
        _ => Task.FromResult<WireConnection>(new FakeConnection(new FakeMessageChannel())),
        Shop.Serializer,
        new WirePublisherOptions { Middleware = middleware },
        null);

    private sealed class Pass : IPublishMiddleware
    {
        public ValueTask PublishAsync(Publication publication, PublishHandler next, CancellationToken cancellationToken) =>
            next(publication, cancellationToken);
    }
}
