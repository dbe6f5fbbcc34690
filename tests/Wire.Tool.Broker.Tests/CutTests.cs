using System.Globalization;
using Wire.Amqp.V091;
using Wire.Testing;

namespace Wire.Tool.Broker.Tests;

/// <summary>The connection ends after any number of bytes: nothing is lost.</summary>
public sealed class CutTests
{
    private const int Messages = 5;
    private const int Cuts = 20;

    // The class and the method of basic.ack.
    private static readonly byte[] Confirm = [0, 60, 0, 80];

    [Fact]
    public async Task No_message_is_lost_however_a_look_ends()
    {
        await using TestQueue queue = await TestQueue.DeclareAsync();
        await PublishAsync(queue, default);
        await ForEachCutAsync(["queue", queue.Name], async () =>
        {
            await WaitAsync(() => CountAsync(queue), Messages);
            Assert.Equal(Numbers(), await TakeAsync(queue));
            await PublishAsync(queue, default);
        });
    }

    [Fact]
    public async Task A_message_that_is_sent_back_is_never_lost_and_at_most_one_is_in_both_queues()
    {
        await using TestQueue errors = await TestQueue.DeclareAsync();
        await using TestQueue orders = await TestQueue.DeclareAsync();
        FieldTable headers = FieldTable.Create(new Dictionary<string, object?>
        {
            ["x-wire-error-reason"] = "handler-failed",
            ["x-wire-error-queue"] = orders.Name,
        });
        await PublishAsync(errors, headers);
        int both = 0;
        await ForEachCutAsync(["errors", errors.Name, "--retry", "--yes"], async () =>
        {
            await WaitAsync(async () => await CountAsync(errors) + await CountAsync(orders), Messages);
            string[] staying = await TakeAsync(errors);
            string[] sent = await TakeAsync(orders);
            Assert.Equal(Numbers(), staying.Union(sent).Order(StringComparer.Ordinal));
            Assert.InRange(staying.Length + sent.Length, Messages, Messages + 1);
            both += staying.Length + sent.Length - Messages;
            await PublishAsync(errors, headers);
        });
        Assert.True(both > 0, "No cut has come between a message and its confirm.");
    }

    private static async Task ForEachCutAsync(string[] command, Func<Task> check)
    {
        byte[] whole;
        await using (var proxy = new FaultProxy(Testing.Broker.Node.Uri))
        {
            proxy.ToClient.Record();
            Assert.Equal(0, RunThrough(proxy, command).ExitCode);
            whole = proxy.ToClient.Recorded;
        }

        await check();
        int ended = 0;
        int[] cuts = [.. Enumerable.Range(0, Cuts).Select(i => whole.Length * i / Cuts), .. FindConfirms(whole)];
        foreach (int cut in cuts)
        {
            await using var proxy = new FaultProxy(Testing.Broker.Node.Uri);
            _ = proxy.ToClient.CutAfter(cut, Cut.Reset);
            ToolRun run = RunThrough(proxy, command);
            if (run.ExitCode != 0)
            {
                ended++;
                Assert.Equal(2, run.ExitCode);
                Assert.StartsWith("wire: ", run.Error, StringComparison.Ordinal);
            }

            await check();
        }

        Assert.InRange(ended, cuts.Length / 2, cuts.Length);
    }

    private static IEnumerable<int> FindConfirms(byte[] bytes)
    {
        for (int at = 0; bytes.AsSpan(at).IndexOf(Confirm) is >= 0 and int next; at += next + 1)
        {
            yield return at + next;
        }
    }

    private static ToolRun RunThrough(FaultProxy proxy, string[] command) => ToolRun.Start(
        [.. command, "--uri", $"amqp://guest:guest@127.0.0.1:{proxy.Port.ToString(CultureInfo.InvariantCulture)}/"]);

    private static string[] Numbers() => [.. Enumerable.Range(0, Messages).Select(i => $"message {i}")];

    private static async Task PublishAsync(TestQueue queue, FieldTable headers)
    {
        foreach (string body in Numbers())
        {
            await queue.PublishAsync(body, new BasicProperties { Headers = headers });
        }
    }

    private static async Task<string[]> TakeAsync(TestQueue queue) => [.. (await queue.TakeAllAsync()).Select(message => message.Text)];

    private static async Task<long> CountAsync(TestQueue queue) =>
        (await queue.Channel.Topology.FindQueueAsync(queue.Name).InTime())!.MessageCount;

    // The broker has them back when it has noticed the end.
    private static async Task WaitAsync(Func<Task<long>> count, long least)
    {
        for (int i = 0; i < 200 && await count() < least; i++)
        {
            await Task.Delay(25);
        }

        // One that is in both queues comes back after the sum is right.
        await Task.Delay(100);
    }
}
