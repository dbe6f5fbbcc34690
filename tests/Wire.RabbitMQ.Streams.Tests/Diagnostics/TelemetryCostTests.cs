using Wire.RabbitMQ.Streams.Diagnostics;
using Wire.RabbitMQ.Streams.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Streams.Tests.Diagnostics;

/// <summary>While nobody listens, telemetry is free.</summary>
[Collection(nameof(RunAlone))]
public sealed class TelemetryCostTests
{
    [Fact]
    public void Without_listeners_nothing_is_allocated()
    {
        var meter = new PublishMeter("stream");
        var spans = new ProcessSpans("stream", "group");
        var reason = new TimeoutException();
        var publish = new Gauge(() =>
        {
            Assert.False(PublishMeter.IsOn);
            Assert.True(PublishMeter.Now == 0);
            meter.Failed(1, null, reason, wasSent: true, written: 0);
            meter.Tell();
        });
        var process = new Gauge(() =>
        {
            Assert.False(ProcessSpans.IsOn);
            spans.Count(7);
            spans.Time(ProcessSpans.Now, 7);
            spans.Count(1, reason);
        });

        Gauge.Settle(() => publish.BytesOfTenCalls == 0 && process.BytesOfTenCalls == 0, publish, process);

        Assert.Equal((0, 0), (publish.BytesOfTenCalls, process.BytesOfTenCalls));
    }
}
