using System.Collections.Concurrent;
using System.Data.Common;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Wire.Amqp.Client;
using Wire.RabbitMQ.Outbox.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Outbox.Tests.Sending;

/// <summary>Handlers in a transaction of their own, and a host that has all of it.</summary>
public abstract class InboxHandlerTests(string kind) : IAsyncLifetime
{
    private readonly string _queue = Broker.UniqueName("inbox");
    private readonly ConcurrentQueue<string> _handled = [];
    private TestDatabase _database = null!;
    private WireConnection _connection = null!;
    private WirePublisher _publisher = null!;

    public async Task InitializeAsync()
    {
        _database = await TestDatabase.CreateAsync(kind);
        await _database.ExecuteAsync("CREATE TABLE bills (number INTEGER)");
        _connection = await WireConnection.ConnectAsync(Broker.Node.Uri.ToString()).InTime();
        _publisher = Shop.PublishOn(_connection);
        await _connection.Topology.DeclareQueueAsync(_queue).InTime();
    }

    public async Task DisposeAsync()
    {
        await _connection.Topology.DeleteQueueAsync(_queue).InTime();
        await _connection.Topology.DeleteQueueAsync($"{_queue}.error").InTime();
        await _publisher.DisposeAsync();
        await _connection.DisposeAsync();
        await _database.DisposeAsync();
    }

    [Fact]
    public async Task A_message_that_comes_twice_is_handled_once()
    {
        await using WireConsumer consumer = await ConsumeAsync((order, context, transaction) => BillAsync(order, transaction));
        var one = new PublishOptions { MessageId = "one" };
        await _publisher.PublishAsync("", _queue, new OrderPlaced(1, "Ada"), one).AsTask().InTime();
        await _publisher.PublishAsync("", _queue, new OrderPlaced(1, "Ada"), one).AsTask().InTime();
        await _publisher.PublishAsync("", _queue, new OrderPlaced(2, "Ada")).AsTask().InTime();
        await UntilBilledAsync(2);
        await consumer.StopAsync().InTime();

        Assert.Equal(["1", "2"], _handled);
        Assert.Equal("3", await _database.AskAsync("SELECT SUM(number) FROM bills"));
    }

    [Fact]
    public async Task A_handler_that_fails_leaves_nothing_and_is_called_again()
    {
        int calls = 0;
        await using WireConsumer consumer = await ConsumeAsync(async (order, context, transaction) =>
        {
            await BillAsync(order, transaction);
            if (++calls == 1)
            {
                throw new InvalidOperationException("Not now.");
            }
        });
        await _publisher.PublishAsync("", _queue, new OrderPlaced(1, "Ada")).AsTask().InTime();
        await UntilBilledAsync(1);
        await consumer.StopAsync().InTime();

        Assert.Equal(2, calls);
        Assert.Equal("1", await _database.AskAsync("SELECT COUNT(*) FROM bills"));
    }

    [Fact]
    public async Task A_message_that_is_put_aside_leaves_nothing_and_is_handled_when_it_comes_again()
    {
        int calls = 0;
        await using WireConsumer consumer = await ConsumeAsync(async (order, context, transaction) =>
        {
            await BillAsync(order, transaction);
            context.Outcome = ++calls == 1 ? MessageOutcome.Requeue : MessageOutcome.Ack;
        });
        await _publisher.PublishAsync("", _queue, new OrderPlaced(1, "Ada")).AsTask().InTime();
        await UntilBilledAsync(1);
        await consumer.StopAsync().InTime();

        Assert.Equal(2, calls);
        Assert.Equal("1", await _database.AskAsync("SELECT COUNT(*) FROM bills"));
    }

    [Fact]
    public async Task A_message_without_an_id_is_an_error_that_says_what_to_do()
    {
        var failed = new TaskCompletionSource<Exception>();
        await using var consumer = new WireConsumer(_connection, Shop.Serializer, new WireConsumerOptions
        {
            Queue = _queue,
            OnException = (error, context) =>
            {
                failed.TrySetResult(error);
                return MessageOutcome.Ack;
            },
        });
        consumer.HandleOnce<OrderPlaced>(
            new WireInbox(_database.Store), (order, context, transaction) => BillAsync(order, transaction));
        await consumer.StartAsync().InTime();
        await _publisher.PublishAsync("", _queue, new OrderPlaced(1, "Ada"), new PublishOptions { MessageId = "" }).AsTask().InTime();

        ArgumentException error = Assert.IsType<ArgumentException>(await failed.Task.InTime());
        Assert.StartsWith(
            $"The message from '{_queue}' has no id, by which it could be known when it comes again: have its publisher set one",
            error.Message, StringComparison.Ordinal);
        Assert.Empty(_handled);
    }

    [Fact]
    public async Task A_host_sends_and_handles_and_messages_of_handlers_go_with_their_rows()
    {
        var inbox = new WireInbox(_database.Store);
        WireOutbox outbox = null!;
        var services = new ServiceCollection();
        services.AddWireRabbitMQ(options =>
        {
            options.ConnectionFactory.Uri = Broker.Node.Uri;
            options.Serializer = Shop.Serializer.Serializer.Options;
        })
        .AddWireOutbox(_ => _database.Store, new OutboxSenderOptions { PollInterval = TimeSpan.FromMinutes(10) })
        .UseConventions(new NamedConventions(_queue))
        .AddConsumer(Options(_queue), consumer => consumer.HandleOnce<OrderPlaced>(inbox, async (order, context, transaction) =>
        {
            await BillAsync(order, transaction);
            await outbox.AddAsync(transaction, new OrderBilled(order.Number));
        }))
        .AddConsumer(Options($"{_queue}.billed"), consumer => consumer.HandleOnce<OrderBilled>(inbox, (billed, context, transaction) =>
        {
            _handled.Enqueue("billed");
            return Task.CompletedTask;
        }));
        await using ServiceProvider provider = services.BuildServiceProvider();
        outbox = provider.GetRequiredService<WireOutbox>();
        IHostedService[] hosted = [.. provider.GetServices<IHostedService>()];
        foreach (IHostedService service in hosted)
        {
            await service.StartAsync(CancellationToken.None).InTime();
        }

        await _database.CommitAsync(transaction => outbox.AddAsync(transaction, new OrderPlaced(1, "Ada")));
        while (!_handled.Contains("billed"))
        {
            await Task.Delay(10);
        }

        foreach (IHostedLifecycleService service in hosted.Reverse().Cast<IHostedLifecycleService>())
        {
            await service.StopAsync(CancellationToken.None).InTime();
        }

        // The sender still sends what handlers have added at last.
        await using Received late = await Received.FromAsync(_connection, Broker.UniqueName("late"));
        await _database.CommitAsync(transaction => outbox.AddAsync(transaction, "", late.Queue, new OrderBilled(2)));
        await late.UntilAsync(1);
        foreach (IHostedLifecycleService service in hosted.Reverse().Cast<IHostedLifecycleService>())
        {
            await service.StoppedAsync(CancellationToken.None).InTime();
        }

        Assert.Equal("1", await _database.AskAsync("SELECT COUNT(*) FROM bills"));
        Assert.Equal(0, await _database.Store.CountAsync());
        await _connection.Topology.DeleteQueueAsync($"{_queue}.billed").InTime();
        await _connection.Topology.DeleteQueueAsync($"{_queue}.billed.error").InTime();
        await _connection.Topology.DeleteExchangeAsync($"{_queue}.OrderPlaced").InTime();
        await _connection.Topology.DeleteExchangeAsync($"{_queue}.OrderBilled").InTime();
    }

    // Queues are there already, or are made with these options.
    private static WireConsumerOptions Options(string queue) => new() { Queue = queue, MaxConcurrency = 1 };

    private async Task<WireConsumer> ConsumeAsync(Func<OrderPlaced, MessageContext, DbTransaction, Task> handler)
    {
        var consumer = new WireConsumer(_connection, Shop.Serializer, Options(_queue));
        consumer.HandleOnce(new WireInbox(_database.Store), handler);
        await consumer.StartAsync().InTime();
        return consumer;
    }

    private async Task BillAsync(OrderPlaced order, DbTransaction transaction)
    {
        _handled.Enqueue($"{order.Number}");
        await using DbCommand command = transaction.Connection!.CreateCommand();
        command.Transaction = transaction;
        command.CommandText = $"INSERT INTO bills (number) VALUES ({order.Number})";
        await command.ExecuteNonQueryAsync();
    }

    private async Task UntilBilledAsync(int count)
    {
        while (await _database.NumberAsync("SELECT COUNT(*) FROM bills") < count)
        {
            await Task.Delay(10);
        }
    }

    private sealed class NamedConventions(string prefix) : WireConventions
    {
        public override string ExchangeOf(Type type) => $"{prefix}.{type.Name}";
    }
}

public sealed class InboxHandlerTestsOnSqlite() : InboxHandlerTests(TestDatabase.Sqlite);

[Trait("Needs", "PostgreSQL")]
public sealed class InboxHandlerTestsOnPostgreSql() : InboxHandlerTests(TestDatabase.PostgreSql);
