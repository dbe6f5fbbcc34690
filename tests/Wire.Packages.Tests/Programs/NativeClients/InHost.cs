using System.Collections.Concurrent;
using System.Diagnostics;
using System.Diagnostics.Metrics;
using Depot;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Wire.Amqp.Client;
using Wire.RabbitMQ;

// Wire.RabbitMQ in a host.
internal static class InHost
{
    private static readonly string[] Expected =
    [
        "span Producer", "span Consumer", "messaging.client.sent.messages", "messaging.client.consumed.messages",
        "messaging.process.duration", "wire.rabbitmq.process.retries", "wire.rabbitmq.process.error_queued",
        "wire.rabbitmq.process.in_flight",
    ];

    public static async Task RunAsync(Exchanges exchanges, string uri, WireTransport transport)
    {
        string queue = $"depot-{Guid.NewGuid():N}";
        string Name(string exchange) => $"{exchange}, over {transport}";
        var seen = new ConcurrentDictionary<string, bool>();
        using ActivityListener spans = Listen(seen);
        using MeterListener meters = Measure(seen);
        using var log = new LogLines();
        using IHost host = Build(uri, transport, queue, log);
        await host.StartAsync();
        WirePublisher publisher = host.Services.GetRequiredService<WirePublisher>();
        WireRequester requester = host.Services.GetRequiredService<WireRequester>();

        await exchanges.TryAsync(Name("a handler that is a service"), async () =>
        {
            var options = new PublishOptions { Headers = new Dictionary<string, object?> { ["by"] = "Bob" } };
            await publisher.PublishAsync("", queue, new Crate(1, "Ada", 3), options);
            (Crate crate, string by) = await host.Services.GetRequiredService<Arrivals>().Crates.Reader.ReadAsync();
            Exchanges.SameShipment(new Crate(1, "Ada", 3), crate);
            Exchanges.Same("Bob", by);
        });
        await exchanges.TryAsync(Name("a request and its reply"), async () => Exchanges.Same(
            new Price(1.5m, new Weight(200), Stage.Arrived),
            await requester.RequestAsync<Quote, Price>("", queue, new Quote(1, Size.Large))));
        await exchanges.TryAsync(Name("a request that fails"), async () =>
        {
            RequestFailedException failure = await Exchanges.ThrowsAsync<RequestFailedException>(
                () => requester.RequestAsync<Quote, Price>("", queue, new Quote(-1, Size.Small)));
            Exchanges.Same(typeof(ArgumentException).FullName, failure.RemoteType);
            Exchanges.Same("no number -1", failure.RemoteMessage);
        });
        await exchanges.TryAsync(Name("an error queue after three attempts"), async () =>
        {
            await publisher.PublishAsync("", queue, new Letter(2, "Bob", "hello"));
            (IShipment message, Dictionary<string, object?> headers) = await NextAsync(host.Services, $"{queue}.error");
            Exchanges.SameShipment(new Letter(2, "Bob", "hello"), message);
            Exchanges.Same<object?>("attempt 3", headers["x-wire-error-message"]);
            Exchanges.Same<object?>(typeof(InvalidOperationException).FullName, headers["x-wire-error-exception"]);
        });
        await exchanges.TryAsync(Name("a dead letter"), async () =>
        {
            await publisher.PublishAsync("", $"{queue}.strict", new Ping(3, Stage.Sent));
            Exchanges.SameShipment(new Ping(3, Stage.Sent), (await NextAsync(host.Services, $"{queue}.dead")).Message);
        });
        await exchanges.TryAsync(Name("spans, metrics and the log"), () =>
        {
            meters.RecordObservableInstruments();
            Exchanges.Same("", string.Join(", ", Expected.Where(name => !seen.ContainsKey(name))));
            Exchanges.Same(true, log.Lines.Any(line => line.Contains($"'{queue}.error'", StringComparison.Ordinal)));
            return Task.CompletedTask;
        });
        WireConnection connection = await host.Services.GetRequiredService<WireConnections>().GetConsumingAsync();
        await exchanges.TryAsync(Name("a host that stops"), async () =>
        {
            foreach (string each in (string[])[queue, $"{queue}.error", $"{queue}.strict", $"{queue}.dead"])
            {
                await connection.Topology.DeleteQueueAsync(each);
            }

            await host.StopAsync();
        });
    }

    private static IHost Build(string uri, WireTransport transport, string queue, LogLines log)
    {
        HostApplicationBuilder builder = Host.CreateApplicationBuilder();
        builder.Logging.ClearProviders().AddProvider(log);
        builder.Services.AddSingleton<Arrivals>();
        builder.Services.AddScoped<Delivered>();
        builder.Services
            .AddWireRabbitMQ(options =>
            {
                options.Transport = transport;
                options.ConnectionFactory.Uri = new Uri(uri);
                options.Serializer = DepotSerializer.Options;
            })
            .Declare(async (topology, token) =>
            {
                await topology.DeclareQueueAsync(queue, cancellationToken: token);
                await topology.DeclareQueueAsync($"{queue}.dead", cancellationToken: token);
                var dead = new Dictionary<string, object?>
                {
                    ["x-dead-letter-exchange"] = "",
                    ["x-dead-letter-routing-key"] = $"{queue}.dead",
                };
                await topology.DeclareQueueAsync($"{queue}.strict", new AmqpQueueOptions { Arguments = dead }, token);
            })
            .AddConsumer(queue, consumer => consumer
                .Handle<Crate, CrateHandler>()
                .Handle<Letter>((letter, context) => throw new InvalidOperationException($"attempt {context.Attempt}"))
                .Reply<Quote, Price, Pricing>())
            .AddConsumer(
                new WireConsumerOptions { Queue = $"{queue}.strict", OnFailure = FailureAction.DeadLetter, Retry = RetryPolicy.None },
                consumer => consumer.Handle<IShipment>((shipment, _) => throw new InvalidOperationException(shipment.Describe())));
        return builder.Build();
    }

    private static async Task<(IShipment Message, Dictionary<string, object?> Headers)> NextAsync(IServiceProvider services, string queue)
    {
        var next = new TaskCompletionSource<(IShipment, Dictionary<string, object?>)>();
        await using var consumer = new WireConsumer(
            await services.GetRequiredService<WireConnections>().GetConsumingAsync(),
            services.GetRequiredService<WireBodySerializer>(),
            new WireConsumerOptions { Queue = queue, OnFailure = FailureAction.DeadLetter });
        consumer.Handle<IShipment>((message, context) =>
        {
            next.TrySetResult((message, new Dictionary<string, object?>(context.Headers)));
            return Task.CompletedTask;
        });
        await consumer.StartAsync();
        return await next.Task;
    }

    private static ActivityListener Listen(ConcurrentDictionary<string, bool> seen)
    {
        var listener = new ActivityListener
        {
            ShouldListenTo = source => source.Name == "Wire.RabbitMQ",
            Sample = (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllDataAndRecorded,
            ActivityStopped = span => seen.TryAdd($"span {span.Kind}", true),
        };
        ActivitySource.AddActivityListener(listener);
        return listener;
    }

    private static MeterListener Measure(ConcurrentDictionary<string, bool> seen)
    {
        var listener = new MeterListener
        {
            InstrumentPublished = (instrument, listener) =>
            {
                if (instrument.Meter.Name == "Wire.RabbitMQ")
                {
                    listener.EnableMeasurementEvents(instrument);
                }
            },
        };
        listener.SetMeasurementEventCallback<long>((instrument, _, _, _) => seen.TryAdd(instrument.Name, true));
        listener.SetMeasurementEventCallback<double>((instrument, _, _, _) => seen.TryAdd(instrument.Name, true));
        listener.Start();
        return listener;
    }
}
