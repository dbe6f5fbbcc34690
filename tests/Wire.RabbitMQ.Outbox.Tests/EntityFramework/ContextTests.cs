using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Storage;
using Wire.Amqp.Client;
using Wire.RabbitMQ.Outbox.EntityFrameworkCore;
using Wire.RabbitMQ.Outbox.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Outbox.Tests.EntityFramework;

/// <summary>An outbox and an inbox that are part of a context.</summary>
public abstract class ContextTests(string kind) : IAsyncLifetime
{
    private TestDatabase _database = null!;
    private WireOutbox _outbox = null!;
    private WireConnection _connection = null!;
    private WirePublisher _publisher = null!;
    private Received _received = null!;

    public async Task InitializeAsync()
    {
        _database = await TestDatabase.CreateEmptyAsync(kind);
        _outbox = new WireOutbox(_database.Store, Shop.Serializer);
        await using ShopContext context = Context();
        await context.Database.EnsureCreatedAsync();
        _connection = await WireConnection.ConnectAsync(Broker.Node.Uri.ToString()).InTime();
        _publisher = Shop.PublishOn(_connection);
        _received = await Received.FromAsync(_connection, Broker.UniqueName("context"));
    }

    public async Task DisposeAsync()
    {
        await _received.DisposeAsync();
        await _publisher.DisposeAsync();
        await _connection.DisposeAsync();
        await _database.DisposeAsync();
    }

    [Fact]
    public async Task What_SaveChanges_saves_is_sent_at_once()
    {
        await using OutboxSender sender = Start();
        await using ShopContext context = Context();
        context.Add(new Bill { Number = 1 });
        context.AddToOutbox(_outbox, "", _received.Queue, new OrderPlaced(1, "Ada"), new PublishOptions { MessageId = "one" });
        await Task.Delay(50);
        Assert.Empty(_received.Messages);
        await context.SaveChangesAsync();
        await _received.UntilAsync(1);
        context.AddToOutbox(_outbox, "", _received.Queue, new OrderPlaced(2, "Ada"));
        context.SaveChanges();
        await _received.UntilAsync(1);

        Assert.Equal([1, 2], _received.Numbers);
        Assert.Equal("one", _received.Contexts.First().MessageId);
    }

    [Fact]
    public async Task What_a_transaction_commits_is_sent_and_what_it_rolls_back_is_not()
    {
        await using OutboxSender sender = Start();
        await using (ShopContext context = Context())
        await using (IDbContextTransaction transaction = await context.Database.BeginTransactionAsync())
        {
            context.AddToOutbox(_outbox, "", _received.Queue, new OrderPlaced(1, "Ada"));
            await context.SaveChangesAsync();
            await transaction.RollbackAsync();
        }

        await using (ShopContext context = Context())
        await using (IDbContextTransaction transaction = await context.Database.BeginTransactionAsync())
        {
            context.AddToOutbox(_outbox, "", _received.Queue, new OrderPlaced(2, "Ada"));
            await context.SaveChangesAsync();

            // By statements too, in the transaction of the context.
            await _outbox.AddAsync(transaction.GetDbTransaction(), "", _received.Queue, new OrderPlaced(3, "Ada"));
            await transaction.CommitAsync();
        }

        await _received.UntilAsync(2);
        Assert.Equal([2, 3], _received.Numbers.Order());
    }

    [Fact]
    public async Task Rows_of_the_outbox_can_be_asked_for()
    {
        await using ShopContext context = Context();
        context.AddToOutbox(_outbox, new OrderBilled(1));
        await context.SaveChangesAsync();

        OutboxMessage message = Assert.Single(
            await context.Set<OutboxMessage>().AsNoTracking().Where(row => row.Attempts == 0).ToListAsync());
        Assert.Equal(typeof(OrderBilled).FullName, message.Exchange);
        Assert.Null(message.Claim);
    }

    [Fact]
    public async Task A_message_is_handled_once_with_the_changes_of_the_context()
    {
        var inbox = new WireInbox(_database.Store);
        int calls = 0;
        string queue = Broker.UniqueName("once");
        await _connection.Topology.DeclareQueueAsync(queue).InTime();
        await using OutboxSender sender = Start();
        await using (var consumer = new WireConsumer(
            _connection, Shop.Serializer, new WireConsumerOptions { Queue = queue, MaxConcurrency = 1 }))
        {
            consumer.Handle<OrderPlaced>(async (order, message) =>
            {
                await using ShopContext context = Context();
                await inbox.HandleAsync(context, message, () =>
                {
                    calls++;
                    context.Add(new Bill { Number = order.Number });
                    context.AddToOutbox(_outbox, "", _received.Queue, new OrderBilled(order.Number));
                    return calls == 1 ? throw new InvalidOperationException("Not now.") : Task.CompletedTask;
                });
            });
            await consumer.StartAsync().InTime();
            var one = new PublishOptions { MessageId = "one" };
            await _publisher.PublishAsync("", queue, new OrderPlaced(1, "Ada"), one).AsTask().InTime();
            await _publisher.PublishAsync("", queue, new OrderPlaced(1, "Ada"), one).AsTask().InTime();
            await _publisher.PublishAsync("", queue, new OrderPlaced(2, "Ada")).AsTask().InTime();
            await _received.UntilAsync(2);
        }

        await using ShopContext after = Context();
        Assert.Equal([1, 2], await after.Bills.Select(bill => bill.Number).Order().ToListAsync());
        Assert.Equal(3, calls);
        Assert.Equal([1, 2], _received.Numbers);
        Assert.Equal(2, await after.Set<InboxMessage>().CountAsync(row => row.Consumer == queue && row.HandledAt > 0));
        await _connection.Topology.DeleteQueueAsync(queue).InTime();
        await _connection.Topology.DeleteQueueAsync($"{queue}.error").InTime();
    }

    // The tables of a migration are those of the store, so that either may make them.
    [Fact]
    public async Task The_tables_have_the_columns_of_the_store()
    {
        await _database.Store.EnsureCreatedAsync();
        await using TestDatabase other = await TestDatabase.CreateAsync(kind);
        string columns = kind == TestDatabase.Sqlite
            ? "SELECT group_concat(name || ' ' || \"notnull\" || ' ' || pk) FROM (SELECT * FROM pragma_table_info('{0}') ORDER BY name)"
            : "SELECT string_agg(column_name || ' ' || data_type || ' ' || is_nullable || ' ' || is_identity, ',' ORDER BY column_name) " +
                "FROM information_schema.columns WHERE table_name = '{0}'";
        foreach (string table in (string[])["wire_outbox", "wire_inbox"])
        {
            string? expected = await other.AskAsync(string.Format(null, columns, table));
            Assert.Contains("message_id", expected, StringComparison.Ordinal);
            Assert.Equal(WithoutKey(expected!), WithoutKey((await _database.AskAsync(string.Format(null, columns, table)))!));
        }

        // Both are the key of SQLite's rows: one says that it is not null.
        static string WithoutKey(string text) => text.Replace("id 0 1", "id 1 1", StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_context_without_the_tables_is_an_error_that_says_what_to_do()
    {
        await using var context = new DbContext(_database.Use(new DbContextOptionsBuilder()).Options);
        InvalidOperationException error = Assert.Throws<InvalidOperationException>(
            () => context.AddToOutbox(_outbox, "", "queue", new OrderPlaced(1, "Ada")));
        Assert.Equal(
            "The model of DbContext has no outbox: call modelBuilder.UseWireOutbox() in its OnModelCreating, and add a migration.",
            error.Message);
    }

    private ShopContext Context() => new(_database.Use(new DbContextOptionsBuilder<ShopContext>()).UseWireOutbox(_database.Store).Options);

    // No poll comes to help.
    private OutboxSender Start()
    {
        var sender = new OutboxSender(
            _database.Store, _publisher, new OutboxSenderOptions { PollInterval = TimeSpan.FromMinutes(10) });
        sender.Start();
        return sender;
    }

    private sealed class ShopContext(DbContextOptions options) : DbContext(options)
    {
        public DbSet<Bill> Bills => Set<Bill>();

        protected override void OnModelCreating(ModelBuilder modelBuilder) => modelBuilder.UseWireOutbox();
    }

    private sealed class Bill
    {
        public int Id { get; init; }

        public int Number { get; init; }
    }
}

public sealed class ContextTestsOnSqlite() : ContextTests(TestDatabase.Sqlite);

[Trait("Needs", "PostgreSQL")]
public sealed class ContextTestsOnPostgreSql() : ContextTests(TestDatabase.PostgreSql);
