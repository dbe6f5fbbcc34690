using RabbitMQ.Client;
using Wire.Amqp.Client;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Faults;

/// <summary>Requests while connections are cut: each ends, with its own reply or with a failure that says so.</summary>
public abstract class RequestFaultTests(WireTransport transport)
{
    private static readonly int Count = Sweep.IsWhole ? 1500 : 600;

    [Theory]
    [InlineData(1, true, false, false)]
    [InlineData(2, false, true, false)]
    [InlineData(3, true, true, false)]
    [InlineData(4, true, false, true)]
    [InlineData(5, false, true, true)]
    [InlineData(6, true, true, true)]
    public async Task Each_request_ends_with_its_reply_or_a_visible_failure(
        int seed, bool cutRequester, bool cutResponder, bool towardsClient)
    {
        var random = new Random(seed);
        await using FaultLink requesting = await FaultLink.ConnectAsync(transport, Broker.Node.Factory, null);
        await using FaultLink responding = await FaultLink.ConnectAsync(transport, Broker.Node.Factory, null);
        await using IConnection direct = await Broker.Node.ConnectAsync().InTime();
        await using IChannel channel = await direct.CreateChannelAsync().InTime();
        string queue = Broker.UniqueName();
        await channel.QueueDeclareAsync(queue, durable: true, exclusive: false, autoDelete: false).InTime();

        await using var requester = requesting.Connection.Requester(Shop.Serializer);
        await using var responder =
            responding.Connection.Consumer(Shop.Serializer, new WireConsumerOptions { Queue = queue, MaxConcurrency = 8 });
        responder.Reply<OrderPlaced, OrderPlaced>(
            (order, _) => Task.FromResult(order with { Customer = "reply", Total = order.Total + 1 }));
        await responder.StartAsync().InTime();

        int next = -1, replied = 0, failed = 0, cuts = 0;
        async Task AskAsync()
        {
            for (int number; (number = Interlocked.Increment(ref next)) < Count;)
            {
                if (number > 0 && number % (Count / 10) == 0)
                {
                    await CutAsync();
                }

                try
                {
                    var order = new OrderPlaced(Guid.NewGuid(), "request", number);
                    OrderPlaced reply =
                        await requester.RequestAsync<OrderPlaced, OrderPlaced>("", queue, order, TimeSpan.FromSeconds(20)).InTime();
                    Assert.Equal(order with { Customer = "reply", Total = number + 1 }, reply);
                    Interlocked.Increment(ref replied);
                }
                catch (Exception e) when (IsVisible(e))
                {
                    Interlocked.Increment(ref failed);
                }
            }
        }

        // One after the other: the limit of a cut would replace that of another.
        using var oneCut = new SemaphoreSlim(1);
        async Task CutAsync()
        {
            await oneCut.WaitAsync().InTime();
            cuts++;
            foreach (FaultLink link in (FaultLink[])
            [
                .. cutRequester ? [requesting] : Array.Empty<FaultLink>(),
                .. cutResponder ? [responding] : Array.Empty<FaultLink>(),
            ])
            {
                ProxyDirection direction = towardsClient ? link.Proxy.ToClient : link.Proxy.ToBroker;
                Task lost = link.LoseAsync(() => direction.CutAfter(random.Next(500), (Cut)random.Next(2)).InTime());
                // The others may have ended, and a connection without traffic is not cut.
                while (!lost.IsCompleted)
                {
                    await FillAsync();
                }

                await lost;
            }

            oneCut.Release();
        }

        async Task FillAsync()
        {
            try
            {
                await requester.RequestAsync<OrderPlaced, OrderPlaced>(
                    "", queue, new OrderPlaced(Guid.NewGuid(), "filling", 0), TimeSpan.FromSeconds(1)).InTime();
            }
            catch (Exception e) when (IsVisible(e))
            {
                // It was cut, as it may be.
                await Task.Delay(10);
            }
        }

        await Task.WhenAll(Enumerable.Range(0, 32).Select(_ => Task.Run(AskAsync)));

        Assert.Equal(9, cuts);
        Assert.Equal(Count, replied + failed);
        Assert.True(replied > Count / 2, $"{failed} of {Count} have failed.");
        Assert.True(failed > 0 || !cutRequester);
        await responder.StopAsync().InTime();
        await channel.QueueDeleteAsync(queue).InTime();
        await channel.QueueDeleteAsync(queue + ".error").InTime();
    }

    // A connection that takes longer to come back than a request may wait for it has not sent it, and says so.
    private static bool IsVisible(Exception e) => e is AmqpConnectionException
        || (e is TimeoutException && (e.Message.StartsWith("No reply", StringComparison.Ordinal)
            || e.Message.Contains(" was not sent within ", StringComparison.Ordinal)));
}

/// <inheritdoc/>
public sealed class RequestFaultTestsOnClient() : RequestFaultTests(WireTransport.Client);

/// <inheritdoc/>
public sealed class RequestFaultTestsOnLane() : RequestFaultTests(WireTransport.DirectLane);
