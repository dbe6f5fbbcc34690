using System.Diagnostics;
using RabbitMQ.Client;
using Wire.RabbitMQ.Outbox.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Outbox.Tests.Sending;

/// <summary>Messages on their way from the database to the broker.</summary>
public abstract class OutboxSenderTests(string kind) : IAsyncLifetime
{
    // No poll comes to help.
    private static readonly OutboxSenderOptions Woken = new() { PollInterval = TimeSpan.FromMinutes(10) };

    private static readonly OutboxSenderOptions Polling = new()
    {
        PollInterval = TimeSpan.FromMilliseconds(20),
        RetryPause = TimeSpan.FromMilliseconds(20),
        MaxRetryPause = TimeSpan.FromMilliseconds(50),
    };

    private readonly LineLogger _logger = new();
    private TestDatabase _database = null!;
    private WireOutbox _outbox = null!;
    private WireConnection _connection = null!;
    private WirePublisher _publisher = null!;
    private Received _received = null!;

    public async Task InitializeAsync()
    {
        _database = await TestDatabase.CreateAsync(kind);
        _outbox = new WireOutbox(_database.Store, Shop.Serializer);
        _connection = await WireConnection.ConnectAsync(Broker.Node.Uri.ToString()).InTime();
        _publisher = Shop.PublishOn(_connection);
        _received = await Received.FromAsync(_connection, Broker.UniqueName("outbox"));
    }

    public async Task DisposeAsync()
    {
        await _received.DisposeAsync();
        await _publisher.DisposeAsync();
        await _connection.DisposeAsync();
        await _database.DisposeAsync();
    }

    [Fact]
    public async Task A_commit_wakes_the_sender_which_deletes_what_the_broker_has_confirmed()
    {
        await using OutboxSender sender = Start(Woken);
        for (int number = 1; number <= 3; number++)
        {
            await AddAsync(new OrderPlaced(number, "Ada"));
            await _received.UntilAsync(1);
        }

        await sender.StopAsync().InTime();
        Assert.Equal([1, 2, 3], _received.Numbers);
        Assert.Equal(0, await _database.Store.CountAsync());
        Assert.Empty(_logger.Lines);
    }

    [Fact]
    public async Task What_another_process_has_committed_is_found_by_polling()
    {
        await using OutboxSender sender = Start(Polling);
        OutboxStore other = TestDatabase.StoreOf(kind, _database.ConnectionString);
        var outbox = new WireOutbox(other, Shop.Serializer);
        await other.InTransactionAsync(
            transaction => outbox.AddAsync(transaction, "", _received.Queue, new OrderPlaced(1, "Ada")), CancellationToken.None);
        await _received.UntilAsync(1);
    }

    [Fact]
    public async Task What_was_added_at_the_end_is_sent_before_the_sender_stops()
    {
        await using OutboxSender sender = Start(Woken);
        await AddAsync(new OrderPlaced(1, "Ada"));
        await _received.UntilAsync(1);

        // Of another process, which wakes nobody here.
        OutboxStore other = TestDatabase.StoreOf(kind, _database.ConnectionString);
        var outbox = new WireOutbox(other, Shop.Serializer);
        await other.InTransactionAsync(
            transaction => outbox.AddAsync(transaction, "", _received.Queue, new OrderPlaced(2, "Ada")), CancellationToken.None);
        await sender.StopAsync().InTime();
        Assert.Equal(0, await _database.Store.CountAsync());
        await _received.UntilAsync(1);
    }

    [Fact]
    public async Task A_message_in_another_format_is_kept_and_sent_as_that()
    {
        await using OutboxSender sender = Start(Woken);
        var outbox = new WireOutbox(_database.Store, Shop.Serializer.Writing<OrderPlaced>(Shop.Json));
        await _database.CommitAsync(
            transaction => outbox.AddAsync<ShopMessage>(transaction, "", _received.Queue, new OrderPlaced(1, "Ada")));
        await _database.CommitAsync(transaction => outbox.AddAsync<ShopMessage>(transaction, "", _received.Queue, new OrderBilled(2)));
        await _received.UntilAsync(2);
        Assert.Equal(
            [("application/json", new OrderPlaced(1, "Ada")), ("application/x-wire", (ShopMessage)new OrderBilled(2))],
            _received.Contexts.Zip(_received.Messages, (context, message) => (context.ContentType, message))
                .OrderBy(each => each.message.Number));
    }

    [Fact]
    public async Task Properties_are_those_of_when_the_message_was_added()
    {
        using var activity = new Activity("adding");
        activity.SetIdFormat(ActivityIdFormat.W3C).Start();
        string trace = activity.Id!;
        DateTimeOffset before = DateTimeOffset.FromUnixTimeSeconds(DateTimeOffset.UtcNow.ToUnixTimeSeconds());
        await AddAsync(new OrderPlaced(1, "Ada"), new PublishOptions
        {
            MessageId = "one",
            CorrelationId = "two",
            AppId = "shop",
            Type = "order",
            Priority = 3,
            Persistent = false,
            Headers = new Dictionary<string, object?> { ["number"] = 7, ["list"] = new List<object?> { "a", true } },
        });
        await AddAsync(new OrderBilled(2));
        activity.Stop();
        await using OutboxSender sender = Sender(Woken);

        Assert.Equal(2, await sender.SendAsync().InTime());
        await _received.UntilAsync(2);

        Assert.Equal([new OrderPlaced(1, "Ada"), new OrderBilled(2)], _received.Messages.OrderBy(message => message.Number));
        Received.Properties first = _received.Contexts.Single(properties => properties.MessageId == "one");
        Received.Properties second = _received.Contexts.Single(properties => properties.MessageId != "one");
        Assert.Equal(
            new Received.Properties("one", "application/x-wire", "order", "two", "shop", 3, false, first.Timestamp, first.Headers), first);
        Assert.InRange(first.Timestamp!.Value, before, DateTimeOffset.UtcNow);
        Assert.Equal(["list", "number", "traceparent"], first.Headers.Keys.Order());
        Assert.Equal(7, first.Headers["number"]);
        Assert.Equal(["a", true], (IEnumerable<object?>)first.Headers["list"]!);
        Assert.Equal(trace, first.Headers["traceparent"]);
        Assert.Equal(16, second.MessageId!.Length);
        Assert.Equal(
            new Received.Properties(
                second.MessageId, "application/x-wire", typeof(OrderBilled).FullName, null, null, null, true, second.Timestamp,
                second.Headers),
            second);
    }

    [Fact]
    public async Task What_the_broker_refuses_waits_with_its_reason_and_holds_up_nothing_else()
    {
        string missing = Broker.UniqueName();
        await AddAsync(new OrderPlaced(1, "Ada"), new PublishOptions { MessageId = "lost" }, missing);
        await AddAsync(new OrderPlaced(2, "Bob"));
        await AddAsync(new OrderPlaced(3, "Eve"), new PublishOptions { Mandatory = false }, missing);
        await using OutboxSender sender = Start(Polling);
        await _received.UntilAsync(1);
        while (await _database.NumberAsync("SELECT COALESCE(MAX(attempts), 0) FROM wire_outbox") < 3)
        {
            await Task.Delay(10);
        }

        Assert.Equal([2], _received.Numbers);
        Assert.Equal(1, await _database.Store.CountAsync());
        Assert.Contains(
            "No queue is bound for it", await _database.AskAsync("SELECT last_error FROM wire_outbox"), StringComparison.Ordinal);
        Assert.StartsWith(
            "5001 Message lost of the outbox (id 1) was not sent, attempt 1, and is tried again in 0.02 s. ",
            _logger.Lines.First(), StringComparison.Ordinal);

        await using Received late = await Received.FromAsync(_connection, missing);
        await late.UntilAsync(1);
        await UntilEmptyAsync();
        Assert.Equal([1], late.Numbers);
        Assert.Equal("lost", late.Contexts.Single().MessageId);
    }

    [Fact]
    public async Task A_message_whose_properties_are_damaged_holds_up_nothing_else()
    {
        await AddAsync(new OrderPlaced(1, "Ada"));
        await _database.ExecuteAsync(
            $"UPDATE wire_outbox SET properties = {(kind == TestDatabase.Sqlite ? "x'09'" : "'\\x09'::bytea")}");
        await AddAsync(new OrderPlaced(2, "Ada"));
        await using OutboxSender sender = Sender(Woken);

        Assert.Equal(1, await sender.SendAsync().InTime());
        Assert.Equal("1", await _database.AskAsync("SELECT attempts FROM wire_outbox"));
    }

    [Fact]
    public async Task Messages_of_an_ordering_key_stay_in_order_over_batches_senders_and_failures()
    {
        string exchange = Broker.UniqueName();
        await _connection.Topology.DeclareExchangeAsync(exchange, "direct").InTime();
        const int count = 60;
        await _database.CommitAsync(async transaction =>
        {
            for (int number = 1; number <= count; number++)
            {
                await _outbox.AddAsync(
                    transaction, exchange, "key", new OrderPlaced(number, "Ada"), new PublishOptions { OrderingKey = "Ada" });
            }
        });
        OutboxSenderOptions small = Polling with { BatchSize = 7 };
        await using OutboxSender first = Start(small);
        await using OutboxSender second = Start(small);
        await using OutboxSender third = Start(small);
        while (await _database.AskAsync("SELECT attempts FROM wire_outbox WHERE id = 1") == "0")
        {
            await Task.Delay(10);
        }

        Assert.Equal("0", await _database.AskAsync("SELECT MAX(attempts) FROM wire_outbox WHERE id > 1"));
        await _connection.Topology.BindQueueAsync(_received.Queue, exchange, "key").InTime();
        await _received.UntilAsync(count);
        Assert.Equal(Enumerable.Range(1, count), _received.Numbers);
        await _connection.Topology.DeleteExchangeAsync(exchange).InTime();
    }

    [Fact]
    public async Task Senders_beside_each_other_send_each_message_once()
    {
        const int count = 500;
        await using OutboxSender first = Start(Polling with { BatchSize = 10 });
        await using OutboxSender second = Start(Polling with { BatchSize = 10 });
        for (int number = 1; number <= count; number += 50)
        {
            await _database.CommitAsync(async transaction =>
            {
                for (int i = 0; i < 50; i++)
                {
                    await _outbox.AddAsync(transaction, "", _received.Queue, new OrderPlaced(number + i, "Ada"));
                }
            });
        }

        await _received.UntilAsync(count);
        await UntilEmptyAsync();
        Assert.Equal(Enumerable.Range(1, count), _received.Numbers.Order());
    }

    [Fact]
    public async Task The_exchange_of_a_type_is_declared_by_the_sender_and_again_when_it_was_deleted()
    {
        var conventions = new NamedConventions(Broker.UniqueName());
        var outbox = new WireOutbox(_database.Store, Shop.Serializer, conventions);
        await using var publisher = new WirePublisher(
            _connection, Shop.Serializer, new WirePublisherOptions { Conventions = conventions });
        await using var sender = new OutboxSender(_database.Store, publisher, Polling);
        string exchange = conventions.ExchangeOf(typeof(OrderPlaced));
        for (int i = 0; i < 2; i++)
        {
            await _database.CommitAsync(
                transaction => outbox.AddAsync(transaction, new OrderPlaced(i, "Ada"), new PublishOptions { Mandatory = false }));
            Assert.Equal(1, await sender.SendAsync().InTime());
            await _connection.Topology.DeleteExchangeAsync(exchange).InTime();
        }

        // One of a type that this program does not have needs its exchange to be there.
        await _database.CommitAsync(transaction => outbox.AddAsync(transaction, new OrderPlaced(3, "Ada")));
        await _database.ExecuteAsync("UPDATE wire_outbox SET message_type = 'Shop.Unknown, Shop'");
        Assert.Equal(0, await sender.SendAsync().InTime());
        Assert.Contains("404", await _database.AskAsync("SELECT last_error FROM wire_outbox"), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Over_RabbitMQ_Client_the_same_is_sent()
    {
        await AddAsync(new OrderPlaced(1, "Ada"), new PublishOptions { MessageId = "one", AppId = "shop" });
        await AddAsync(new OrderPlaced(2, "Ada"), null, Broker.UniqueName());
        await using WireConnection connection = await new ConnectionFactory { Uri = Broker.Node.Uri }.ConnectWireAsync().InTime();
        await using WirePublisher publisher = Shop.PublishOn(connection);
        await using var sender = new OutboxSender(_database.Store, publisher, Woken, _logger);

        Assert.Equal(1, await sender.SendAsync().InTime());
        await _received.UntilAsync(1);
        Received.Properties properties = _received.Contexts.Single();
        Assert.Equal(
            new Received.Properties(
                "one", "application/x-wire", typeof(OrderPlaced).FullName, null, "shop", null, true, properties.Timestamp,
                properties.Headers),
            properties);
        Assert.Equal("1", await _database.AskAsync("SELECT attempts FROM wire_outbox"));
    }

    [Fact]
    public async Task Without_a_broker_messages_wait_and_no_attempt_is_counted()
    {
        await using var proxy = new FaultProxy(Broker.Node.Uri);
        await using WireConnection connection = await WireConnection.ConnectAsync(
            new UriBuilder(Broker.Node.Uri) { Port = proxy.Port }.Uri.ToString()).InTime();
        await using var publisher = new WirePublisher(
            connection, Shop.Serializer, new WirePublisherOptions { RecoveryTimeout = TimeSpan.FromMilliseconds(100) });
        proxy.Refusing = true;
        proxy.CutAll();
        await AddAsync(new OrderPlaced(1, "Ada"));
        await using var sender = new OutboxSender(_database.Store, publisher, Polling, _logger);
        sender.Start();
        while (!_logger.Lines.Any(line => line.StartsWith("5002", StringComparison.Ordinal)))
        {
            await Task.Delay(10);
        }

        await Task.Delay(300);
        Assert.Equal("0", await _database.AskAsync("SELECT attempts FROM wire_outbox"));
        proxy.Refusing = false;
        await _received.UntilAsync(1);
        await UntilEmptyAsync();
        await sender.StopAsync().InTime();
        Assert.Equal(
            [
                "5002 No message of the outbox reaches the broker for now: they wait in the database, and are tried again.",
                "5003 Messages of the outbox reach the broker again.",
            ],
            _logger.Lines);
    }

    [Fact]
    public async Task A_database_that_fails_is_tried_again()
    {
        await _database.ExecuteAsync("ALTER TABLE wire_outbox RENAME TO elsewhere");
        await using OutboxSender sender = Start(Polling);
        while (_logger.Lines.IsEmpty)
        {
            await Task.Delay(10);
        }

        await _database.ExecuteAsync("ALTER TABLE elsewhere RENAME TO wire_outbox");
        await AddAsync(new OrderPlaced(1, "Ada"));
        await _received.UntilAsync(1);
        Assert.Equal(
            "5004 The database of the outbox has failed a sender, which tries again in 0.02 s.", _logger.Lines.Distinct().Single());
    }

    [Fact]
    public async Task The_sender_deletes_what_is_old_in_the_inbox()
    {
        var inbox = new WireInbox(_database.Store);
        Assert.True(await _database.CommitAsync(transaction => inbox.TryBeginAsync(transaction, "billing", "1")));
        await _database.ExecuteAsync("UPDATE wire_inbox SET handled_at = handled_at - 5000");
        Assert.True(await _database.CommitAsync(transaction => inbox.TryBeginAsync(transaction, "billing", "2")));
        await using OutboxSender sender = Start(Polling with { InboxRetention = TimeSpan.FromSeconds(4) });
        while (await _database.AskAsync("SELECT COUNT(*) FROM wire_inbox") == "2")
        {
            await Task.Delay(10);
        }

        Assert.Equal("2", await _database.AskAsync("SELECT message_id FROM wire_inbox"));
    }

    [Fact]
    public async Task A_sender_starts_once()
    {
        await using OutboxSender sender = Start(Woken);
        Assert.StartsWith(
            "The sender has been started before", Assert.Throws<InvalidOperationException>(sender.Start).Message, StringComparison.Ordinal);
        await using OutboxSender never = Sender(Woken);
        await never.StopAsync().InTime();
    }

    private OutboxSender Sender(OutboxSenderOptions options) => new(_database.Store, _publisher, options, _logger);

    private OutboxSender Start(OutboxSenderOptions options)
    {
        OutboxSender sender = Sender(options);
        sender.Start();
        return sender;
    }

    private Task AddAsync(ShopMessage message, PublishOptions? options = null, string? queue = null) =>
        _database.CommitAsync(transaction => _outbox.AddAsync(transaction, "", queue ?? _received.Queue, message, options));

    private async Task UntilEmptyAsync()
    {
        var watch = Stopwatch.StartNew();
        while (await _database.Store.CountAsync() > 0)
        {
            Assert.InRange(watch.Elapsed, TimeSpan.Zero, Patience.Limit);
            await Task.Delay(10);
        }
    }

    private sealed class NamedConventions(string prefix) : WireConventions
    {
        public override string ExchangeOf(Type type) => $"{prefix}.{type.Name}";
    }
}

public sealed class OutboxSenderTestsOnSqlite() : OutboxSenderTests(TestDatabase.Sqlite);

[Trait("Needs", "PostgreSQL")]
public sealed class OutboxSenderTestsOnPostgreSql() : OutboxSenderTests(TestDatabase.PostgreSql);
