using System.Buffers;
using Wire.Amqp.Client.Diagnostics;
using Wire.Amqp.V091;
using Wire.RabbitMQ.Connections;
using Wire.RabbitMQ.Diagnostics;
using Wire.RabbitMQ.Publishing;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;
using Wire.Transport.Pending;

namespace Wire.RabbitMQ.Tests.Diagnostics;

/// <summary>While nobody listens, telemetry is free.</summary>
[Collection(TelemetryTests.Name)]
public sealed class TelemetryCostTests
{
    [Fact]
    public void Without_listeners_nothing_is_allocated()
    {
        var channel = new FakeMessageChannel();
        var connection = new FakeConnection(channel);
        var arrival = new Arrival();
        var publish = new Gauge(() => Assert.Null(SendTelemetry.TryStart(Telemetry.Messages, "publish", "orders", "placed")));
        var process = new Gauge(() => Telemetry.StartProcess("queue", connection, arrival).Stop());
        var describe = new Gauge(() => Assert.True(PublishProperties.Create(null, isPersistent: true, span: null).Headers.IsNull));

        Gauge.Settle(() => publish.BytesOfTenCalls == 0 && process.BytesOfTenCalls == 0 && describe.BytesOfTenCalls == 0, publish, process,
            describe);

        Assert.Equal((0, 0, 0), (publish.BytesOfTenCalls, process.BytesOfTenCalls, describe.BytesOfTenCalls));
    }

    private sealed class Arrival : IDelivery
    {
        public ulong Tag => 1;

        public bool Redelivered => false;

        public string Exchange => "orders";

        public string RoutingKey => "placed";

        public BasicProperties Properties => new() { MessageId = "id" };

        public ReadOnlySequence<byte> Body => default;

        public long BodySize => 0;

        public CancellationToken Lost => CancellationToken.None;

        public void Settle(Settlement settlement) => throw new NotSupportedException();

        public void Keep() => throw new NotSupportedException();

        public void Release() => throw new NotSupportedException();
    }
}
