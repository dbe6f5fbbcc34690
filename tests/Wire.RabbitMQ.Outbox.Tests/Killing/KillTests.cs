using Wire.RabbitMQ.Outbox.Tests.Testing;
using Wire.Testing;
using Xunit.Abstractions;

namespace Wire.RabbitMQ.Outbox.Tests.Killing;

/// <summary>Kills of the process, on each database, and of the broker as well.</summary>
public abstract class KillTests(string kind, ITestOutputHelper output)
{
    [Fact]
    public Task Each_order_is_billed_and_shipped_once_however_often_the_process_is_killed() =>
        new KillRun(kind, output).RunAsync(Broker.Node.Uri, TimeSpan.Zero, _ => Task.CompletedTask);

    [Fact]
    [Trait("Takes", "long")]
    public async Task Each_order_is_billed_and_shipped_once_however_often_the_broker_is_killed_too()
    {
        await using PrivateNode node = await PrivateNode.StartNewAsync();
        await new KillRun(kind, output).RunAsync(node.Node.Uri, TimeSpan.FromSeconds(3), async kill =>
        {
            if (kill % 10 == 5)
            {
                await node.KillAsync();
                await node.StartAsync();
            }
        });
    }
}

public sealed class KillTestsOnSqlite(ITestOutputHelper output) : KillTests(TestDatabase.Sqlite, output);

[Trait("Needs", "PostgreSQL")]
public sealed class KillTestsOnPostgreSql(ITestOutputHelper output) : KillTests(TestDatabase.PostgreSql, output);
