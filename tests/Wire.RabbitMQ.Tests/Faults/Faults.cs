using Wire.RabbitMQ.Tests.Testing;

namespace Wire.RabbitMQ.Tests.Faults;

/// <summary>The faults that a proxy and a broker that is not stopped can have.</summary>
internal static class Faults
{
    /// <summary>All of them, in the order of the table.</summary>
    public static IReadOnlyList<Fault> All { get; } =
    [
        new("the publisher's connection reset", (run, _) => CutAsync(run.Publishing, Cut.Reset)),
        new("the publisher's connection ended", (run, _) => CutAsync(run.Publishing, Cut.Finish)),
        new("the consumer's connection reset", (run, _) => CutAsync(run.Consuming, Cut.Reset)),
        new("the consumer's connection ended", EndConsumerAsync),
        new("cut within a message to the broker", (run, random) => CutWithinAsync(run.Publishing, random.Next(3000))),
        new("cut within an acknowledgement", (run, random) => CutWithinAsync(run.Consuming, random.Next(40))),
        new("both cut, and cut again while they come back", CutTwiceAsync),
        new("both cut at random times, and refused for a while", CutBothAsync),
        new("confirmations held back, then cut", HoldBackAsync),
        new("heartbeats to the broker held back", HoldHeartbeatsAsync) { Heartbeat = TimeSpan.FromSeconds(1), IsSlow = true },
        new("a message to an exchange that is not there", MissExchangeAsync),
        new("the queue deleted and declared again", DeleteQueueAsync),
        new("the consumer stopped and started, and cut", RestartConsumerAsync),
    ];

    /// <summary>One of them.</summary>
    public static Fault Named(string name) => All.Single(fault => fault.Name == name);

    private static Cut Any(Random random) => (Cut)random.Next(2);

    private static Task CutAsync(FaultLink link, Cut how) => link.LoseAsync(() =>
    {
        link.Proxy.CutAll(how);
        return Task.CompletedTask;
    });

    // Only what goes to the broker is cut within a frame. Version 7.1.2 of the client does not see the end of a connection that ends within a frame, nor
    // a reset of which a write has been told before: it reads in vain, with a processor of its own, until it misses heartbeats, and may end the process
    // then. What it is sent here fits a buffer of the proxy, and so ends with a frame.
    private static Task CutWithinAsync(FaultLink link, int bytes) => link.LoseAsync(() => link.Proxy.ToBroker.CutAfter(bytes, Cut.Reset).InTime());

    // Between deliveries, so as not to end within one.
    private static async Task EndConsumerAsync(FaultRun run, Random random)
    {
        await run.HoldAsync();
        await CutAsync(run.Consuming, Cut.Finish);
        run.Resume();
    }

    // The handshake of a connection alone has more bytes than these, so that they are always reached.
    private static async Task CutTwiceAsync(FaultRun run, Random random)
    {
        foreach (FaultLink link in (FaultLink[])[run.Publishing, run.Consuming])
        {
            int bytes = random.Next(300);
            await link.LoseAsync(async () =>
            {
                Task lost = link.NextLoss();
                link.Proxy.CutAll(Cut.Reset);
                await lost.InTime();
                await link.Proxy.ToBroker.CutAfter(bytes, Cut.Reset).InTime();
            });
        }
    }

    private static async Task CutBothAsync(FaultRun run, Random random)
    {
        int refused = random.Next(300);
        int between = random.Next(20);
        async Task LoseAsync(FaultLink link, int wait)
        {
            await Task.Delay(wait);
            await link.LoseAsync(async () =>
            {
                link.Proxy.Refusing = true;
                link.Proxy.CutAll(Cut.Reset);
                await Task.Delay(refused);
                link.Proxy.Refusing = false;
            });
        }

        bool first = random.Next(2) == 0;
        await Task.WhenAll(LoseAsync(run.Publishing, first ? 0 : between), LoseAsync(run.Consuming, first ? between : 0));
    }

    private static async Task HoldBackAsync(FaultRun run, Random random)
    {
        int before = run.Ledger.DeliveredUnconfirmed;
        run.Publishing.Proxy.ToClient.Pause();
        await run.UntilAsync(() => run.Ledger.DeliveredUnconfirmed > before + 5, "the delivery of messages whose confirmations are held back");
        await CutAsync(run.Publishing, Any(random), () => run.Publishing.Proxy.ToClient.Resume());
    }

    private static Task CutAsync(FaultLink link, Cut how, Action then) => link.LoseAsync(() =>
    {
        link.Proxy.CutAll(how);
        then();
        return Task.CompletedTask;
    });

    // Nothing is cut here: it is the broker that hears nothing and gives the connection up. The other way round is not done, because version 7.1.2 of
    // the client ends the process when it misses heartbeats: both its timer and its reading loop close the connection, and one finds it closed.
    private static async Task HoldHeartbeatsAsync(FaultRun run, Random random)
    {
        foreach (FaultLink link in (FaultLink[])[run.Publishing, run.Consuming])
        {
            await link.LoseAsync(async () =>
            {
                Task lost = link.NextLoss();
                link.Proxy.ToBroker.Pause();
                await lost.InTime();
                link.Proxy.ToBroker.Resume();
            });
        }
    }

    private static async Task MissExchangeAsync(FaultRun run, Random random)
    {
        try
        {
            await run.Publisher.PublishAsync($"nowhere-{random.Next()}", "key", new Plain(-1, -1, "")).AsTask().InTime();
        }
        catch (PublishException e) when (e is { Failure: PublishFailure.Unconfirmed, ReplyCode: 404 })
        {
            return;
        }
        catch (PublishException e) when (e is { Failure: PublishFailure.Unconfirmed })
        {
            throw new InvalidOperationException("A message to an exchange that is not there has failed without the reason.", e);
        }

        throw new InvalidOperationException("A message to an exchange that is not there was confirmed.");
    }

    // When all that was confirmed has been delivered: what is deleted with the queue is lost by intent.
    private static async Task DeleteQueueAsync(FaultRun run, Random random)
    {
        await run.HoldAsync();
        await run.DirectlyAsync(channel => channel.QueueDeleteAsync(run.Queue, ifUnused: false, ifEmpty: false));
        int failed = run.Ledger.Failed;
        run.Resume();
        await run.UntilAsync(() => run.Ledger.Failed > failed, "the return of a message without a queue");
        await run.DeclareAsync();
        int delivered = run.Ledger.Delivered;
        await run.UntilAsync(() => run.Ledger.Delivered > delivered, "the consumption of the queue that was declared again");
    }

    private static Task RestartConsumerAsync(FaultRun run, Random random)
    {
        bool cut = random.Next(2) == 0;
        return run.WithoutConsumerAsync(async () =>
        {
            if (cut)
            {
                await CutAsync(run.Consuming, Any(random));
            }
        });
    }
}
