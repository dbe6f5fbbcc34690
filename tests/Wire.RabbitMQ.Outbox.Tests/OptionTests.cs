using Microsoft.Data.Sqlite;
using Microsoft.Extensions.DependencyInjection;

namespace Wire.RabbitMQ.Outbox.Tests;

/// <summary>What options and arguments are refused, and what they come to.</summary>
public sealed class OptionTests
{
    private static readonly OutboxStore Store = new(OutboxDatabase.Sqlite, () => new SqliteConnection("Data Source=:memory:"));

    [Fact]
    public void What_is_out_of_range_is_refused()
    {
        Assert.Throws<ArgumentOutOfRangeException>("BatchSize", () => new OutboxSenderOptions { BatchSize = 0 });
        Assert.Throws<ArgumentOutOfRangeException>("BatchSize", () => new OutboxSenderOptions { BatchSize = 10_001 });
        Assert.Throws<ArgumentOutOfRangeException>("PollInterval", () => new OutboxSenderOptions { PollInterval = TimeSpan.Zero });
        Assert.Throws<ArgumentOutOfRangeException>("ClaimTime", () => new OutboxSenderOptions { ClaimTime = TimeSpan.FromDays(25) });
        Assert.Throws<ArgumentOutOfRangeException>("RetryPause", () => new OutboxSenderOptions { RetryPause = TimeSpan.FromTicks(1) });
        Assert.Throws<ArgumentOutOfRangeException>(
            "MaxRetryPause", () => new OutboxSenderOptions { MaxRetryPause = Timeout.InfiniteTimeSpan });
        Assert.Throws<ArgumentOutOfRangeException>("InboxRetention", () => new OutboxSenderOptions { InboxRetention = TimeSpan.Zero });
        Assert.Null(new OutboxSenderOptions { InboxRetention = null }.InboxRetention);
        Assert.Throws<ArgumentException>("Outbox", () => new OutboxTables { Outbox = " " });
        Assert.Throws<ArgumentException>("Inbox", () => new OutboxTables { Inbox = "" });
        Assert.Throws<ArgumentException>("Schema", () => new OutboxTables { Schema = "" });
    }

    [Fact]
    public void Pauses_grow_up_to_the_longest()
    {
        var options = new OutboxSenderOptions();
        Assert.Equal([1, 2, 4, 256, 300, 300], ((int[])[0, 1, 2, 8, 9, 1_000_000]).Select(i => options.PauseAfter(i).TotalSeconds));
    }

    [Fact]
    public void A_table_may_have_a_schema()
    {
        string script = OutboxDatabase.PostgreSql.Create(new OutboxTables { Schema = "shop", Outbox = "out", Inbox = "in" });
        Assert.Contains("CREATE TABLE IF NOT EXISTS \"shop\".\"out\" (", script, StringComparison.Ordinal);
        Assert.Contains(
            "CREATE INDEX IF NOT EXISTS \"ix_in_handled_at\" ON \"shop\".\"in\" (handled_at);", script, StringComparison.Ordinal);
        Assert.Equal(OutboxDatabase.Sqlite.Create(OutboxTables.Default), Store.CreateScript);
    }

    [Fact]
    public void A_message_that_could_not_be_sent_is_not_made()
    {
        var outbox = new WireOutbox(Store, Shop.Serializer);
        var order = new OrderPlaced(1, "Ada");
        Assert.Throws<ArgumentException>("exchange", () => outbox.CreateMessage(new string('x', 256), "", order));
        Assert.Throws<ArgumentException>("routingKey", () => outbox.CreateMessage("", new string('x', 256), order));
        Assert.Throws<ArgumentNullException>("message", () => outbox.CreateMessage<OrderPlaced>(null!));
        var headers = new PublishOptions { Headers = new Dictionary<string, object?> { ["uri"] = new Uri("http://localhost") } };
        Assert.Throws<ArgumentException>(() => outbox.CreateMessage("", "queue", order, headers));
        Assert.StartsWith(
            "There are no conventions (WireConventions.None): add the message with an exchange.",
            Assert.Throws<InvalidOperationException>(
                () => new WireOutbox(Store, Shop.Serializer, WireConventions.None).CreateMessage(order)).Message,
            StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_function_that_gives_no_connection_is_an_error()
    {
        InvalidOperationException error = await Assert.ThrowsAsync<InvalidOperationException>(
            () => new OutboxStore(OutboxDatabase.Sqlite, () => null!).CountAsync());
        Assert.StartsWith(
            "The function that makes connections for the OutboxStore has returned null", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_program_has_one_outbox_as_a_service()
    {
        WireRabbitMQBuilder builder = new ServiceCollection().AddWireRabbitMQ(_ => { }).AddWireOutbox(Store);
        Assert.StartsWith(
            "AddWireOutbox has been called for these services already",
            Assert.Throws<InvalidOperationException>(() => builder.AddWireOutbox(Store)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Each_broker_has_an_outbox_of_its_own()
    {
        var services = new ServiceCollection();
        services.AddWireRabbitMQ(_ => { }).AddWireOutbox(Store);
        services.AddWireRabbitMQ("other", _ => { }).AddWireOutbox(Store);
        using ServiceProvider provider = services.BuildServiceProvider();
        Assert.NotSame(provider.GetRequiredService<WireOutbox>(), provider.GetRequiredKeyedService<WireOutbox>("other"));
        Assert.NotSame(provider.GetRequiredService<WireInbox>(), provider.GetRequiredKeyedService<WireInbox>("other"));
        Assert.Null(provider.GetKeyedService<WireOutbox>("third"));
    }

    // Another database is a class of a few members.
    [Fact]
    public async Task A_database_of_the_program_has_its_own_words()
    {
        string file = Path.GetTempFileName();
        var store = new OutboxStore(new Bracketed(), () => new SqliteConnection($"Data Source={file};Pooling=False"));
        await store.EnsureCreatedAsync();
        Assert.Contains("[wire_outbox]", store.CreateScript, StringComparison.Ordinal);
        Assert.Equal(0, await store.CountAsync());
        File.Delete(file);
    }

    private sealed class Bracketed : OutboxDatabase
    {
        public override string Now => Sqlite.Now;

        public override string Identity => Sqlite.Identity;

        public override string Bytes => "BLOB";

        public override string Quote(string name) => $"[{name}]";
    }
}
