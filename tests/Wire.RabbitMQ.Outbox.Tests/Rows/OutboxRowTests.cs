using System.Data.Common;
using Wire.RabbitMQ.Outbox.Tests.Testing;

namespace Wire.RabbitMQ.Outbox.Tests.Rows;

/// <summary>The rows of an outbox: who gets which, and when.</summary>
public abstract class OutboxRowTests(string kind) : IAsyncLifetime
{
    private static readonly TimeSpan Long = TimeSpan.FromMinutes(10);

    private TestDatabase _database = null!;
    private WireOutbox _outbox = null!;

    public async Task InitializeAsync()
    {
        _database = await TestDatabase.CreateAsync(kind);
        _outbox = new WireOutbox(_database.Store, Shop.Serializer);
    }

    public async Task DisposeAsync() => await _database.DisposeAsync();

    [Fact]
    public async Task What_is_committed_is_claimed_and_what_is_rolled_back_is_not()
    {
        await using (DbConnection connection = await _database.OpenAsync())
        await using (DbTransaction transaction = await connection.BeginTransactionAsync())
        {
            await _outbox.AddAsync(transaction, "", "queue", new OrderPlaced(1, "Ada"));
            await transaction.RollbackAsync();
        }

        Assert.Equal(0, await _database.Store.CountAsync());
        await _database.CommitAsync(async transaction =>
        {
            await _outbox.AddAsync(transaction, "", "queue", new OrderPlaced(2, "Bob"), new PublishOptions { MessageId = "two" });
            await _outbox.AddAsync(transaction, "shop", "key", new OrderPlaced(3, "Eve"), new PublishOptions { OrderingKey = "Eve" });
        });

        Assert.Equal(2, await _database.Store.CountAsync());
        OutboxMessage[] claimed = await ClaimAsync("a", Long);
        Assert.Equal(["two", claimed[1].MessageId], claimed.Select(message => message.MessageId));
        Assert.Equal(["", "shop"], claimed.Select(message => message.Exchange));
        Assert.Equal(["queue", "key"], claimed.Select(message => message.RoutingKey));
        Assert.Equal([null, "Eve"], claimed.Select(message => message.OrderingKey));
        Assert.All(claimed, message =>
        {
            Assert.Equal(16, message.MessageId == "two" ? 16 : message.MessageId.Length);
            Assert.Null(message.MessageType);
            Assert.Equal("a", message.Claim);
            Assert.Equal(0, message.Attempts);
            Assert.Null(message.LastError);
            Assert.InRange(message.DueAt - message.CreatedAt, Long.TotalMilliseconds - 60_000, Long.TotalMilliseconds + 60_000);
            Assert.IsType<OrderPlaced>(Shop.Serializer.Serializer.Deserialize<ShopMessage>(message.Body));
        });
    }

    [Fact]
    public async Task A_message_of_a_type_has_its_exchange_and_the_name_of_the_type()
    {
        await _database.CommitAsync(transaction => _outbox.AddAsync(transaction, new OrderBilled(7)));

        OutboxMessage message = Assert.Single(await ClaimAsync("a", Long));
        Assert.Equal(typeof(OrderBilled).FullName, message.Exchange);
        Assert.Equal("", message.RoutingKey);
        Assert.Equal(typeof(OrderBilled), Type.GetType(message.MessageType!, throwOnError: true));
    }

    [Fact]
    public async Task A_message_has_one_claim_at_a_time_and_is_due_again_when_that_is_over()
    {
        long[] ids = await AddAsync(null, null, null);

        Assert.Equal(ids[..2], Ids(await ClaimAsync("a", TimeSpan.FromMilliseconds(1), 2)));
        await Task.Delay(20);
        Assert.Equal(ids[..1], Ids(await ClaimAsync("b", Long, 1)));
        Assert.Equal(ids[1..], Ids(await ClaimAsync("c", Long)));
        Assert.Empty(await ClaimAsync("d", Long));
    }

    [Fact]
    public async Task Of_an_ordering_key_only_the_first_are_claimed_and_others_do_not_wait_for_them()
    {
        long[] ids = await AddAsync("k", "k", null, "other", "k");

        Assert.Equal(ids[..2], Ids(await ClaimAsync("a", Long, 2)));
        Assert.Equal([ids[2], ids[3]], Ids(await ClaimAsync("b", Long)));

        await WriteAsync(async transaction =>
        {
            await _database.Store.Outbox.DeleteAsync(transaction, [ids[0]], default);
            await _database.Store.Outbox.FailAsync(transaction, "a", ids[1], "No.", Long, default);
        });
        Assert.Empty(await ClaimAsync("c", Long));

        await WriteAsync(transaction => _database.Store.Outbox.DeleteAsync(transaction, [ids[1]], default));
        Assert.Equal([ids[4]], Ids(await ClaimAsync("d", Long)));
    }

    [Fact]
    public async Task A_failure_is_noted_with_its_reason_under_the_claim_alone()
    {
        long[] ids = await AddAsync(null, null);
        await ClaimAsync("a", Long);
        await WriteAsync(async transaction =>
        {
            await _database.Store.Outbox.FailAsync(transaction, "a", ids[0], new string('x', 2000), TimeSpan.Zero, default);
            await _database.Store.Outbox.FailAsync(transaction, "other", ids[1], "No.", TimeSpan.Zero, default);
        });

        OutboxMessage message = Assert.Single(await ClaimAsync("b", Long));
        Assert.Equal(ids[0], message.Id);
        Assert.Equal(1, message.Attempts);
        Assert.Equal(new string('x', 1000), message.LastError);
    }

    [Fact]
    public async Task What_is_released_is_due_at_once_and_no_attempt()
    {
        long[] ids = await AddAsync(null, null, null);
        await ClaimAsync("a", Long);
        await WriteAsync(async transaction =>
        {
            await _database.Store.Outbox.ReleaseAsync(transaction, "a", ids[..2], default);
            await _database.Store.Outbox.ReleaseAsync(transaction, "other", ids[2..], default);
        });

        OutboxMessage[] again = await ClaimAsync("b", Long);
        Assert.Equal(ids[..2], Ids(again));
        Assert.All(again, message => Assert.Equal(0, message.Attempts));
    }

    [Fact]
    public async Task Claims_at_the_same_time_share_no_message_and_keep_the_order_of_keys()
    {
        const int count = 400;
        await AddAsync([.. Enumerable.Range(0, count).Select(i => i % 2 == 0 ? $"key{i % 5}" : null)]);

        OutboxMessage[][] claims = await Task.WhenAll(Enumerable.Range(0, 8).Select(claimer => Task.Run(async () =>
        {
            var all = new List<OutboxMessage>();
            while (await ClaimAsync($"{claimer}", Long, 10) is { Length: > 0 } some)
            {
                all.AddRange(some);
            }

            return all.ToArray();
        })));

        long[] ids = [.. claims.SelectMany(Ids)];
        Assert.Equal(ids.Length, ids.Distinct().Count());
        Assert.True(ids.Length > count / 2);

        // One claim has all that was claimed of a key, from its first one.
        Assert.All(
            claims.SelectMany((all, claimer) => all.Select(message => (message.OrderingKey, claimer)))
                .Where(each => each.OrderingKey != null)
                .Distinct().GroupBy(each => each.OrderingKey),
            key => Assert.Single(key));
    }

    [Fact]
    public async Task Tables_are_created_once_by_however_many()
    {
        await AddAsync("k");
        await Task.WhenAll(Enumerable.Range(0, 4).Select(_ => Task.Run(() => _database.Store.EnsureCreatedAsync())));
        Assert.Equal(1, await _database.Store.CountAsync());
    }

    [Fact]
    public async Task Tables_may_have_other_names()
    {
        OutboxStore store = TestDatabase.StoreOf(
            kind, _database.ConnectionString, new OutboxTables { Outbox = "My \"outbox\"", Inbox = "it's in" });
        await store.EnsureCreatedAsync();
        var outbox = new WireOutbox(store, Shop.Serializer);
        await _database.CommitAsync(transaction => outbox.AddAsync(transaction, "", "queue", new OrderPlaced(1, "Ada")));
        Assert.True(await _database.CommitAsync(transaction => new WireInbox(store).TryBeginAsync(transaction, "queue", "1")));

        Assert.Equal(1, await store.CountAsync());
        Assert.Equal(0, await _database.Store.CountAsync());
        Assert.Single(await store.InTransactionAsync(
            transaction => store.Outbox.ClaimAsync(transaction, "a", Long, 10, default), default));
    }

    [Fact]
    public async Task A_transaction_that_has_ended_is_refused()
    {
        await using DbConnection connection = await _database.OpenAsync();
        DbTransaction transaction = await connection.BeginTransactionAsync();
        await transaction.CommitAsync();

        InvalidOperationException error = await Assert.ThrowsAsync<InvalidOperationException>(
            () => _outbox.AddAsync(transaction, "", "queue", new OrderPlaced(1, "Ada")));

        // Npgsql says so itself.
        string start = kind == TestDatabase.Sqlite
            ? "The transaction has ended: it was committed or rolled back" : "Transaction is already";
        Assert.StartsWith(start, error.Message, StringComparison.Ordinal);
    }

    private static IEnumerable<long> Ids(OutboxMessage[] messages) => messages.Select(message => message.Id);

    private async Task<long[]> AddAsync(params string?[] orderingKeys)
    {
        await _database.CommitAsync(async transaction =>
        {
            foreach (string? key in orderingKeys)
            {
                await _outbox.AddAsync(
                    transaction, "", "queue", new OrderPlaced(1, "Ada"), new PublishOptions { OrderingKey = key });
            }
        });
        return [.. Enumerable.Range(1, orderingKeys.Length)];
    }

    private Task<OutboxMessage[]> ClaimAsync(string claim, TimeSpan time, int count = 100) => _database.Store.InTransactionAsync(
        transaction => _database.Store.Outbox.ClaimAsync(transaction, claim, time, count, default), default);

    private Task WriteAsync(Func<DbTransaction, Task> work) => _database.CommitAsync(work);
}

public sealed class OutboxRowTestsOnSqlite() : OutboxRowTests(TestDatabase.Sqlite);

[Trait("Needs", "PostgreSQL")]
public sealed class OutboxRowTestsOnPostgreSql() : OutboxRowTests(TestDatabase.PostgreSql);
