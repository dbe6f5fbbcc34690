using System.Data.Common;
using Wire.RabbitMQ.Outbox.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Outbox.Tests.Rows;

/// <summary>The rows of an inbox: each message of a consumer once.</summary>
public abstract class InboxRowTests(string kind) : IAsyncLifetime
{
    private TestDatabase _database = null!;
    private WireInbox _inbox = null!;

    public async Task InitializeAsync()
    {
        _database = await TestDatabase.CreateAsync(kind);
        _inbox = new WireInbox(_database.Store);
    }

    public async Task DisposeAsync() => await _database.DisposeAsync();

    [Fact]
    public async Task A_message_begins_once_for_each_consumer()
    {
        Assert.True(await BeginAsync("billing", "1"));
        Assert.False(await BeginAsync("billing", "1"));
        Assert.True(await BeginAsync("billing", "2"));
        Assert.True(await BeginAsync("shipping", "1"));
    }

    [Fact]
    public async Task What_is_rolled_back_begins_again()
    {
        await using (DbConnection connection = await _database.OpenAsync())
        await using (DbTransaction transaction = await connection.BeginTransactionAsync())
        {
            Assert.True(await _inbox.TryBeginAsync(transaction, "billing", "1"));
        }

        Assert.True(await BeginAsync("billing", "1"));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_message_that_comes_twice_at_the_same_time_waits_for_the_first(bool isCommitted)
    {
        await using DbConnection connection = await _database.OpenAsync();
        await using DbTransaction transaction = await connection.BeginTransactionAsync();
        Assert.True(await _inbox.TryBeginAsync(transaction, "billing", "1"));
        Task<bool> second = Task.Run(() => BeginAsync("billing", "1"));
        await Task.WhenAny(second, Task.Delay(200));
        Assert.False(second.IsCompleted);

        await (isCommitted ? transaction.CommitAsync() : transaction.RollbackAsync());
        Assert.Equal(!isCommitted, await second.InTime());
    }

    [Fact]
    public async Task What_is_old_is_deleted_in_pieces()
    {
        foreach (string id in (string[])["1", "2", "3"])
        {
            await BeginAsync("billing", id);
        }

        await _database.ExecuteAsync("UPDATE wire_inbox SET handled_at = handled_at - 100000 WHERE message_id <> '3'");
        Assert.Equal(0, await PurgeAsync(TimeSpan.FromSeconds(200), 10));
        Assert.Equal(1, await PurgeAsync(TimeSpan.FromSeconds(50), 1));
        Assert.Equal(1, await PurgeAsync(TimeSpan.FromSeconds(50), 10));
        Assert.Equal("3", await _database.AskAsync("SELECT message_id FROM wire_inbox"));
        Assert.False(await BeginAsync("billing", "3"));
    }

    private Task<bool> BeginAsync(string consumer, string id) =>
        _database.CommitAsync(transaction => _inbox.TryBeginAsync(transaction, consumer, id));

    private Task<int> PurgeAsync(TimeSpan age, int count) =>
        _database.CommitAsync(transaction => _database.Store.Inbox.PurgeAsync(transaction, age, count, default));
}

public sealed class InboxRowTestsOnSqlite() : InboxRowTests(TestDatabase.Sqlite);

[Trait("Needs", "PostgreSQL")]
public sealed class InboxRowTestsOnPostgreSql() : InboxRowTests(TestDatabase.PostgreSql);
