using System.Collections.Concurrent;
using Microsoft.Extensions.DependencyInjection;
using RabbitMQ.Client;
using Wire.Amqp.Client;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Hosting;

/// <summary>Consumers that a host starts and stops, with handlers that are services.</summary>
public abstract class HostedConsumerTests(WireTransport transport)
{
    [Fact]
    public async Task A_handler_is_a_service_made_for_each_message_in_a_scope_of_its_own()
    {
        string queue = Broker.UniqueName();
        var book = new OrderBook();
        await using Program program = await Program.StartAsync(transport, builder =>
        {
            builder.Services.AddSingleton(book).AddScoped<UnitOfWork>();
            builder.Declare(Queue(queue)).AddConsumer(Options(queue), consumer => consumer.Handle<OrderPlaced, OrderHandler>());
        });

        OrderPlaced[] orders = [.. Enumerable.Range(0, 20).Select(i => new OrderPlaced(Guid.NewGuid(), "Ada", i))];
        await Task.WhenAll(orders.Select(order => program.Publisher.PublishAsync("", queue, order).AsTask())).InTime();
        await book.UntilAsync(20);
        await program.StopAsync();

        Assert.Equal(orders.OrderBy(order => order.Total), book.Handled.Select(each => each.Order).OrderBy(order => order.Total));
        Assert.Equal(20, book.Handled.Select(each => each.Work).Distinct().Count());
        Assert.All(book.Handled, each => Assert.True(each.Work.Disposed));
    }

    [Fact]
    public async Task By_conventions_a_message_is_published_to_its_type_and_the_topology_can_be_printed()
    {
        string queue = Broker.UniqueName();
        var conventions = new NamedConventions(queue + ".");
        var book = new OrderBook();
        WireTopology? described = null;
        await using Program program = await Program.StartAsync(transport, builder =>
        {
            builder.Services.AddSingleton(book).AddScoped<UnitOfWork>();
            builder.UseConventions(conventions).AddConsumer(
                new WireConsumerOptions
                {
                    Queue = queue,
                    QueueOptions = new AmqpQueueOptions { Expires = TimeSpan.FromMinutes(10) },
                    ErrorQueue = "errors",
                    Retry = new RetryPolicy { Delayed = new DelayedRetryPolicy { MaxRetries = 1, Delay = TimeSpan.FromMinutes(1) } },
                    DeclareErrorQueue = false,
                },
                consumer => consumer.Handle<OrderPlaced, OrderHandler>());
            described = builder.DescribeTopology();
        });
        await program.Publisher.PublishAsync(new OrderPlaced(Guid.NewGuid(), "Ada", 7)).AsTask().InTime();
        await book.UntilAsync(1);
        Assert.Equal(7, book.Handled.Single().Order.Total);
        string arguments = $"x-dead-letter-exchange=, x-dead-letter-routing-key={queue}, x-dead-letter-strategy=at-least-once, " +
            "x-message-ttl=60000, x-overflow=reject-publish, x-queue-type=quorum";
        Assert.Equal(
            $"""
            exchange {queue}.OrderPlaced, fanout, durable, auto-delete
            queue {queue}, durable, x-expires=600000
            queue {queue}.delay.60s, durable, {arguments}
            binding of queue {queue} to exchange {queue}.OrderPlaced
            """,
            described!.ToString());
        await using IConnection connection = await Broker.Node.ConnectAsync().InTime();
        await using IChannel channel = await connection.CreateChannelAsync().InTime();
        await program.StopAsync();
        await channel.QueueDeleteAsync($"{queue}.delay.60s").InTime();
        await channel.QueueDeleteAsync(queue).InTime();
    }

    [Fact]
    public async Task Stopping_waits_for_messages_that_wait_and_no_longer_than_the_host_does()
    {
        await using var proxy = new FaultProxy(Broker.Node.Uri);
        await using var program = new Program(
            transport, proxy.Route(Broker.Node.Factory()), configure: options => options.Publisher = new() { Mandatory = false });
        await program.StartAsync();
        await program.Publisher.PublishAsync("", "nowhere", 1).AsTask().InTime();
        proxy.ToClient.Pause();
        Task waiting = program.Publisher.PublishAsync("", "nowhere", 2).AsTask();
        using var shutdown = new CancellationTokenSource(TimeSpan.FromSeconds(1));
        var stopping = System.Diagnostics.Stopwatch.StartNew();
        await program.StopAsync(shutdown.Token);
        await program.DisposeAsync().AsTask().InTime();

        // Alone it would wait for the confirm for 30 s.
        Assert.InRange(stopping.Elapsed, TimeSpan.FromSeconds(0.9), TimeSpan.FromSeconds(20));
        Assert.Equal(AmqpPublishFailure.Unconfirmed, (await Assert.ThrowsAsync<AmqpPublishException>(() => waiting.InTime())).Failure);
        proxy.ToClient.Resume();
    }

    [Fact]
    public async Task Functions_and_services_reply()
    {
        string queue = Broker.UniqueName();
        await using Program program =
            await Program.StartAsync(transport, builder => builder.Declare(Queue(queue)).AddConsumer(Options(queue), consumer => consumer
            .Reply<OrderPlaced, Parcels, ParcelService>()
            .Reply<int, int>((number, _) => Task.FromResult(number + 1))));
        var order = new OrderPlaced(Guid.NewGuid(), "Ada", 1);

        Assert.Equal(order.Id, (await program.Requester.RequestAsync<OrderPlaced, Parcels>("", queue, order).InTime()).Id);
        Assert.Equal(42, await program.Requester.RequestAsync<int, int>("", queue, 41).InTime());
    }

    [Fact]
    public async Task Stopping_waits_for_the_handlers_that_run_and_leaves_the_rest_in_the_queue()
    {
        string queue = Broker.UniqueName();
        var started = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var release = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var handled = new ConcurrentQueue<int>();
        await using IConnection connection = await Broker.Node.ConnectAsync().InTime();
        await using IChannel channel = await connection.CreateChannelAsync().InTime();
        await channel.QueueDeclareAsync(queue, durable: true, exclusive: false, autoDelete: false).InTime();
        try
        {
            await using Program program = await Program.StartAsync(transport, builder =>
                builder.AddConsumer(Options(queue) with { MaxConcurrency = 1 }, consumer => consumer.Handle<int>(async (number, _) =>
            {
                started.TrySetResult();
                await release.Task;
                handled.Enqueue(number);
            })));
            for (int i = 0; i < 100; i++)
            {
                await program.Publisher.PublishAsync("", queue, i).AsTask().InTime();
            }

            await started.Task.InTime();

            Task stopping = program.StopAsync();
            Assert.False(stopping.IsCompleted);
            release.SetResult();
            await stopping;

            // How many had been started is the consumer's affair: what it has handled is acknowledged, and nothing else.
            var rest = new List<int>();
            while (await channel.BasicGetAsync(queue, autoAck: true).InTime() is { } message)
            {
                rest.Add(Shop.Serializer.Read<int>(message));
            }

            Assert.Equal(0, handled.First());
            Assert.NotEmpty(rest);
            Assert.Equal(Enumerable.Range(0, 100), handled.Concat(rest));
        }
        finally
        {
            await channel.QueueDeleteAsync(queue);
        }
    }

    [Fact]
    public async Task When_one_consumer_cannot_start_the_error_names_it_and_those_before_are_stopped()
    {
        string queue = Broker.UniqueName();
        string missing = Broker.UniqueName();
        await using IConnection connection = await Broker.Node.ConnectAsync().InTime();
        await using IChannel channel = await connection.CreateChannelAsync().InTime();
        await channel.QueueDeclareAsync(queue, durable: true, exclusive: false, autoDelete: false).InTime();
        try
        {
            await using var program = new Program(transport, Broker.Node.Factory(), builder => builder
                .AddConsumer(Options(queue), consumer => consumer.Handle<int>((_, _) => Task.CompletedTask))
                .AddConsumer(Options(missing), consumer => consumer.Handle<int>((_, _) => Task.CompletedTask)));

            var error = await Assert.ThrowsAsync<InvalidOperationException>(program.StartAsync);

            Assert.Contains(missing, error.Message, StringComparison.Ordinal);
            Assert.Contains("404", error.Message, StringComparison.Ordinal);
            Assert.Equal(0u, await channel.ConsumerCountAsync(queue).InTime());
        }
        finally
        {
            await channel.QueueDeleteAsync(queue);
        }
    }

    [Fact]
    public async Task What_a_handler_needs_and_nobody_registered_is_found_at_the_start()
    {
        await using var program = new Program(
            transport,
            Broker.Node.Factory(),
            builder => builder.AddConsumer("orders", consumer => consumer.Handle<OrderPlaced, OrderHandler>()));

        var error = await Assert.ThrowsAsync<InvalidOperationException>(program.StartAsync);

        Assert.Contains(nameof(OrderHandler), error.Message, StringComparison.Ordinal);
        Assert.Contains("orders", error.Message, StringComparison.Ordinal);
        Assert.Contains(nameof(OrderBook), error.Message, StringComparison.Ordinal);
    }

    private static WireConsumerOptions Options(string queue) => new() { Queue = queue, OnFailure = FailureAction.DeadLetter };

    private static Func<IAmqpTopology, CancellationToken, Task> Queue(string queue) => (topology, token) =>
        topology.DeclareQueueAsync(queue, new AmqpQueueOptions { Durable = false, AutoDelete = true }, token);

    private sealed class OrderBook
    {
        public ConcurrentQueue<(OrderPlaced Order, UnitOfWork Work)> Handled { get; } = new();

        public async Task UntilAsync(int count)
        {
            using var patience = new CancellationTokenSource(TimeSpan.FromSeconds(60));
            while (Handled.Count < count)
            {
                await Task.Delay(10, patience.Token);
            }
        }
    }

    private sealed class UnitOfWork : IDisposable
    {
        public bool Disposed { get; private set; }

        public void Dispose() => Disposed = true;
    }

    private sealed class OrderHandler(OrderBook book, UnitOfWork work) : IMessageHandler<OrderPlaced>
    {
        public Task HandleAsync(OrderPlaced message, MessageContext context)
        {
            book.Handled.Enqueue((message, work));
            return Task.CompletedTask;
        }
    }

    private sealed class ParcelService : IRequestHandler<OrderPlaced, Parcels>
    {
        public Task<Parcels> HandleAsync(OrderPlaced request, MessageContext context) => Task.FromResult(new Parcels(request.Id, [1]));
    }

    private sealed class NamedConventions : WireConventions
    {
        private readonly string _prefix;

        public NamedConventions(string prefix)
        {
            _prefix = prefix;
            Exchanges = new AmqpExchangeOptions { AutoDelete = true };
        }

        public override string ExchangeOf(Type type) => _prefix + type.Name;
    }
}

/// <inheritdoc/>
public sealed class HostedConsumerTestsOnClient() : HostedConsumerTests(WireTransport.Client);

/// <inheritdoc/>
public sealed class HostedConsumerTestsOnLane() : HostedConsumerTests(WireTransport.DirectLane);
