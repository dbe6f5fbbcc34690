using System.Diagnostics;
using System.Globalization;
using Wire.Amqp.Client;
using Wire.RabbitMQ.Outbox.Tests.Testing;
using Wire.Testing;
using Xunit.Abstractions;

namespace Wire.RabbitMQ.Outbox.Tests.Killing;

/// <summary>
/// A process that takes, bills and ships orders is killed again and again, at any moment: each order is billed and shipped once. A sample
/// in the usual run, and in the long one ten thousand orders and fifty kills.
/// </summary>
internal sealed class KillRun(string kind, ITestOutputHelper output)
{
    private static readonly bool IsLong = Environment.GetEnvironmentVariable("WIRE_TEST_LONG") is { Length: > 0 };
    private static readonly int Orders = IsLong ? 10_000 : 500;
    private static readonly int Kills = IsLong ? 50 : 5;

    /// <summary>Runs it.</summary>
    /// <param name="broker">The broker.</param>
    /// <param name="safe">The time for which it may forget queues that it was told of.</param>
    /// <param name="beforeKill">Called before the process is killed, with the number of the kill.</param>
    public async Task RunAsync(Uri broker, TimeSpan safe, Func<int, Task> beforeKill)
    {
        await using WireConnection connection = await WireConnection.ConnectAsync(broker.ToString()).InTime();
        await using TestDatabase database = await TestDatabase.CreateAsync(kind);
        await database.ExecuteAsync(KilledShop.Tables);
        string prefix = Broker.UniqueName("killed");
        string[] queues = [$"{prefix}.billing", $"{prefix}.shipping"];
        foreach (string queue in queues)
        {
            await connection.Topology.DeclareQueueAsync(queue, AmqpQueueOptions.Quorum).InTime();
        }

        await Task.Delay(safe);

        // After so many commits of the process, or before the first; what it does meanwhile is up to the machine.
        var random = new Random(20260807);
        var watch = Stopwatch.StartNew();
        for (int kill = 1; kill <= Kills; kill++)
        {
            using Process shop = Start(kill * Orders / Kills);
            if (random.Next(10) == 0)
            {
                await Task.Delay(random.Next(500));
            }
            else
            {
                await ReadLinesAsync(shop, random.Next(1, 3 * Orders / Kills));
            }

            await beforeKill(kill);
            shop.Kill();
            await shop.WaitForExitAsync().InTime();
        }

        output.WriteLine($"{Kills} kills took {watch.Elapsed}; orders {await Count("orders")}, billed {await Count("billed")}, " +
            $"shipped {await Count("shipped")}, in the outbox {await database.Store.CountAsync()}");
        using Process end = Start(Orders);
        Task rest = end.StandardOutput.ReadToEndAsync();
        try
        {
            while (await Count("shipped") < Orders || await database.Store.CountAsync() > 0)
            {
                Assert.False(end.HasExited);
                Assert.InRange(watch.Elapsed, TimeSpan.Zero, IsLong ? TimeSpan.FromMinutes(20) : TimeSpan.FromMinutes(3));
                await Task.Delay(100);
            }

            // What would come twice has come by now.
            await Task.Delay(500);
        }
        finally
        {
            end.Kill();
            await end.WaitForExitAsync().InTime();
            await rest.InTime();
        }

        output.WriteLine($"All took {watch.Elapsed}");
        Assert.All((string[])["orders", "billed", "shipped"], table => AssertEach(database, table));
        Assert.Equal(0, await database.Store.CountAsync());
        Assert.Equal($"{2 * Orders}", await database.AskAsync("SELECT COUNT(*) FROM wire_inbox"));
        foreach (string queue in queues)
        {
            await connection.Topology.DeleteQueueAsync(queue).InTime();
            await connection.Topology.DeleteQueueAsync($"{queue}.error").InTime();
        }

        Task<int> Count(string table) => database.NumberAsync($"SELECT COUNT(*) FROM {table}");

        Process Start(int last)
        {
            string program = Path.Combine(AppContext.BaseDirectory, "Wire.RabbitMQ.Outbox.Tests.dll");
            string[] arguments =
                [program, database.Kind, database.ConnectionString, broker.ToString(), prefix, last.ToString(CultureInfo.InvariantCulture)];
            return Process.Start(new ProcessStartInfo(Environment.ProcessPath!, arguments) { RedirectStandardOutput = true })!;
        }
    }

    // What was left from before may be less.
    private static async Task ReadLinesAsync(Process shop, int count)
    {
        for (int line = 0; line < count; line++)
        {
            Task<string?> read = shop.StandardOutput.ReadLineAsync();
            if (await Task.WhenAny(read, Task.Delay(line == 0 ? Patience.Limit : TimeSpan.FromSeconds(1))) != read)
            {
                return;
            }

            Assert.NotNull(await read);
        }
    }

    private static void AssertEach(TestDatabase database, string table) => Assert.Equal(
        $"{Orders} {Orders} 1 {Orders}",
        database.AskAsync(
            $"SELECT COUNT(*) || ' ' || COUNT(DISTINCT number) || ' ' || MIN(number) || ' ' || MAX(number) FROM {table}").Result);
}
