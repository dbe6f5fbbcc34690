using Wire.Amqp.Client;
using Wire.RabbitMQ.Consuming;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;

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
        new("the consumer's connection ended", (run, _) => CutAsync(run.Consuming, Cut.Finish)),
        new("cut while deliveries wait for a handler", CutWaitingAsync),
        new(
            "cut within a message to the broker",
            (run, random) => CutWithinAsync(run.Publishing, proxy => proxy.ToBroker, random.Next(3000), Any(random))),
        new(
            "cut within a confirmation",
            (run, random) => CutWithinAsync(run.Publishing, proxy => proxy.ToClient, random.Next(40), Any(random))),
        new(
            "cut within a delivery",
            (run, random) => CutWithinAsync(run.Consuming, proxy => proxy.ToClient, random.Next(3000), Any(random))),
        new(
            "cut within an acknowledgement",
            (run, random) => CutWithinAsync(run.Consuming, proxy => proxy.ToBroker, random.Next(40), Any(random))),
        new("both cut, and cut again while they come back", CutTwiceAsync),
        new("both cut at random times, and refused for a while", CutBothAsync),
        new("confirmations held back, then cut", HoldBackAsync),
        new(
            "heartbeats to the broker held back",
            (run, _) => HoldAsync(run, proxy => [proxy.ToBroker])) { Heartbeat = TimeSpan.FromSeconds(1), IsSlow = true },
        new(
            "heartbeats held back both ways",
            (run, _) => HoldAsync(run, proxy => [proxy.ToBroker, proxy.ToClient])) { Heartbeat = TimeSpan.FromSeconds(2), IsSlow = true },
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

    // So many bytes end anywhere within a frame.
    private static Task CutWithinAsync(FaultLink link, Func<FaultProxy, ProxyDirection> direction, int bytes, Cut how) =>
        link.LoseAsync(() => direction(link.Proxy).CutAfter(bytes, how).InTime());

    // What the consumer has been sent and has not started is forgotten with its channel: the broker has to deliver it again.
    private static async Task CutWaitingAsync(FaultRun run, Random random)
    {
        run.HoldHandlers();
        await run.UntilAsync(() => run.IsBusy && run.Ledger.Missing > 2 * run.Prefetch, "messages that wait for a handler");
        await CutAsync(run.Consuming, Any(random));
        int delivered = run.Ledger.Delivered;
        run.ResumeHandlers();
        await run.UntilAsync(() => run.Ledger.Delivered > delivered, "the delivery of those that waited");
    }

    // The handshake of a connection alone has more bytes than these, each way, so that they are always reached.
    private static async Task CutTwiceAsync(FaultRun run, Random random)
    {
        foreach (FaultLink link in (FaultLink[])[run.Publishing, run.Consuming])
        {
            int bytes = random.Next(300);
            ProxyDirection direction = random.Next(2) == 0 ? link.Proxy.ToBroker : link.Proxy.ToClient;
            Cut how = Any(random);
            await link.LoseAsync(async () =>
            {
                // It must not be back before it is known where it is cut next.
                Task lost = link.NextLoss();
                link.Proxy.Refusing = true;
                link.Proxy.CutAll(Cut.Reset);
                await lost.InTime();
                Task cut = direction.CutAfter(bytes, how);
                link.Proxy.Refusing = false;
                await cut.InTime();
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
        await run.UntilAsync(
            () => run.Ledger.DeliveredUnconfirmed > before + 5, "the delivery of messages whose confirmations are held back");
        await CutAsync(run.Publishing, Any(random), () => run.Publishing.Proxy.ToClient.Resume());
    }

    private static Task CutAsync(FaultLink link, Cut how, Action then) => link.LoseAsync(() =>
    {
        link.Proxy.CutAll(how);
        then();
        return Task.CompletedTask;
    });

    // Nothing is cut here: it is the broker that hears nothing and gives the connection up, or the client.
    private static Task HoldAsync(FaultRun run, Func<FaultProxy, ProxyDirection[]> directions)
    {
        Task LoseAsync(FaultLink link) => link.LoseAsync(async () =>
        {
            Task lost = link.NextLoss();
            ProxyDirection[] held = directions(link.Proxy);
            Array.ForEach(held, direction => direction.Pause());
            await lost.InTime();
            Array.ForEach(held, direction => direction.Resume());
        });

        return Task.WhenAll(LoseAsync(run.Publishing), LoseAsync(run.Consuming));
    }

    private static async Task MissExchangeAsync(FaultRun run, Random random)
    {
        try
        {
            await run.Publisher.PublishAsync($"nowhere-{random.Next()}", "key", new Plain(-1, -1, "")).AsTask().InTime();
        }
        catch (AmqpPublishException e) when (e is { Failure: AmqpPublishFailure.Refused, ReplyCode: 404 })
        {
            return;
        }
        catch (AmqpPublishException e) when (e is { Failure: AmqpPublishFailure.Unconfirmed })
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
