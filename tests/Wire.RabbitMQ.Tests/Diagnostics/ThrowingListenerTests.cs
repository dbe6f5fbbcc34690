using System.Collections.Concurrent;
using System.Diagnostics;
using System.Diagnostics.Metrics;
using Wire.RabbitMQ.Tests.Consuming;
using Wire.Testing;
using Wire.Testing.Telemetry;

namespace Wire.RabbitMQ.Tests.Diagnostics;

/// <summary>Listeners and propagators of the program that throw while messages are handled.</summary>
[Collection(TelemetryTests.Name)]
public sealed class ThrowingListenerTests
{
    private const string Wire = "Wire.RabbitMQ";

    [Theory]
    [InlineData(WireTransport.Client)]
    [InlineData(WireTransport.DirectLane)]
    public async Task A_listener_to_numbers_brings_no_message_back_and_takes_no_attempt(WireTransport transport)
    {
        var thrown = new ConcurrentQueue<string>();
        using var listener = new MeterListener
        {
            InstrumentPublished = static (instrument, listener) =>
            {
                if (instrument.Meter.Name == Wire)
                {
                    listener.EnableMeasurementEvents(instrument);
                }
            },
        };
        listener.SetMeasurementEventCallback<long>((instrument, _, _, _) =>
        {
            thrown.Enqueue(instrument.Name);
            throw new InvalidOperationException("no number today");
        });
        listener.Start();
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        var handled = new ConcurrentQueue<(int Number, int Attempt, bool Redelivered)>();
        WireConsumer consumer = bench.Consumer(options => options with { MaxConcurrency = 1 }).Handle<int>((number, context) =>
        {
            handled.Enqueue((number, context.Attempt, context.Redelivered));
            return number == 1 && context.Attempt == 1 ? throw new InvalidDataException("once") : Task.CompletedTask;
        });
        await consumer.StartAsync().InTime();
        await bench.PublishAsync(1);
        await bench.PublishAsync(2);
        await NumberListener.UntilAsync(() => handled.Any(each => each.Number == 2));
        await consumer.StopAsync().InTime();

        Assert.Equal([(1, 1, false), (1, 2, false), (2, 1, false)], handled);
        Assert.Equal(0u, (await bench.LookAsync(bench.Queue)).MessageCount);
        Assert.Contains("wire.rabbitmq.channels.opened", thrown);
        Assert.Equal(3, thrown.Count(name => !name.Contains("channels", StringComparison.Ordinal)));
    }

    [Fact]
    public async Task A_propagator_costs_a_message_time_and_not_its_place()
    {
        using var spans = new SpanListener(Wire);
        DistributedContextPropagator before = DistributedContextPropagator.Current;
        DistributedContextPropagator.Current = new ThrowingOnce();
        try
        {
            await using ConsumerBench bench = await ConsumerBench.MakeAsync(WireTransport.DirectLane);
            var handled = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
            WireConsumer consumer = bench.Consumer().Handle<int>((_, context) =>
            {
                handled.SetResult(context.Redelivered);
                return Task.CompletedTask;
            });
            await consumer.StartAsync().InTime();
            await bench.PublishAsync(1, properties => properties.Headers = new Dictionary<string, object?> { ["own"] = 7 });

            Assert.True(await handled.Task.InTime());
        }
        finally
        {
            DistributedContextPropagator.Current = before;
        }
    }

    private sealed class ThrowingOnce : DistributedContextPropagator
    {
        private int _asked;

        public override IReadOnlyCollection<string> Fields => [];

        public override void Inject(Activity? activity, object? carrier, PropagatorSetterCallback? setter)
        {
        }

        public override void ExtractTraceIdAndState(
            object? carrier, PropagatorGetterCallback? getter, out string? traceId, out string? traceState)
        {
            (traceId, traceState) = (null, null);
            if (Interlocked.Increment(ref _asked) == 1)
            {
                throw new InvalidOperationException("no context today");
            }
        }

        public override IEnumerable<KeyValuePair<string, string?>>? ExtractBaggage(object? carrier, PropagatorGetterCallback? getter) =>
            null;
    }
}
