using Wire.Amqp.Client.Diagnostics;
using Wire.RabbitMQ.Diagnostics;
using Wire.RabbitMQ.Streams.Diagnostics;
using Wire.RabbitMQ.Tests.Testing;

namespace Wire.Benchmarks.Messaging.RabbitMQ;

/// <summary>What spans and numbers cost a message while nobody listens to them.</summary>
internal static class TelemetryTable
{
    public static MessageTable Table { get; } = new(
        "Telemetry that nobody listens to, of a message",
        [
            new("CPU ns/message", "#,0.00", figures => figures.Nanoseconds),
            new("B/message", "#,0.0", figures => figures.Bytes),
        ],
        [
            new UnheardRow("a loop that does nothing", static count =>
            {
                long sum = 0;
                for (int i = 0; i < count; i++)
                {
                    sum += i;
                }

                return sum > 0;
            }),
            new UnheardRow("a publish", static count =>
            {
                bool isHeard = false;
                for (int i = 0; i < count; i++)
                {
                    isHeard |= SendTelemetry.TryStart(Wire.RabbitMQ.Diagnostics.Telemetry.Messages, "publish", "", "queue") is not null;
                }

                return !isHeard;
            }),
            new UnheardRow("a handler", static count =>
            {
                var connection = new FakeConnection(new FakeMessageChannel());
                for (int i = 0; i < count; i++)
                {
                    Wire.RabbitMQ.Diagnostics.Telemetry.StartProcess("queue", connection, null!).Stop();
                }

                return true;
            }),
            new UnheardRow("a message into a stream", static count =>
            {
                uint sum = 0;
                for (int i = 0; i < count; i++)
                {
                    sum |= Wire.RabbitMQ.Streams.Diagnostics.Telemetry.Source.HasListeners() ? 1 : PublishMeter.Now;
                }

                return sum == 0;
            }),
        ],
        0);
}

/// <summary>Does what telemetry does for so many messages.</summary>
/// <param name="name">What the row is called.</param>
/// <param name="run">Does it, and says whether nobody has listened.</param>
internal sealed class UnheardRow(string name, Func<int, bool> run) : MessageRow(name, 300_000_000)
{
    public override Task RunAsync() => run(Messages)
        ? Task.CompletedTask
        : throw new InvalidOperationException("Somebody listens.");
}
