using Wire.Amqp.Client;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Publishing;

/// <summary>A program that blocks the threads of the pool until its messages are confirmed.</summary>
[Collection(nameof(RunAlone))]
public sealed class StarvationTests
{
    private const int Callers = 64;

    // Where the end of a publish needed a thread of the pool, it came behind all the callers: each of them had a thread of its own before
    // the first went on, which takes the pool half a second each.
    [Fact]
    public async Task Callers_that_block_the_pool_go_on_before_all_of_them_have_a_thread_of_it()
    {
        ThreadPool.GetMinThreads(out int workers, out int ports);
        ThreadPool.SetMinThreads(Environment.ProcessorCount, ports);
        try
        {
            await using TestConnection connection = await TestConnection.ConnectAsync(WireTransport.DirectLane);
            string queue =
                (await connection.Connection.Topology.DeclareQueueAsync(Broker.UniqueName("starving"), AmqpQueueOptions.Temporary)).Name;
            await using WirePublisher publisher = connection.Publisher(Shop.Serializer);
            await publisher.PublishAsync("", queue, 0);

            // What other tests have left idle ends after 20 s.
            using var patience = new CancellationTokenSource(Patience.Limit);
            while (ThreadPool.ThreadCount > Callers / 4)
            {
                await Task.Delay(100, patience.Token);
            }

            int begun = 0;
            int begunAtFirstEnd = 0;
            await Task.WhenAll(Enumerable.Range(0, Callers).Select(_ => Task.Run(() =>
            {
                Interlocked.Increment(ref begun);
                publisher.PublishAsync("", queue, 1).AsTask().GetAwaiter().GetResult();
                Interlocked.CompareExchange(ref begunAtFirstEnd, Volatile.Read(ref begun), 0);
            }))).InTime();
            Assert.Equal(Callers, begun);
            Assert.InRange(begunAtFirstEnd, 1, Callers / 2);
        }
        finally
        {
            ThreadPool.SetMinThreads(workers, ports);
        }
    }
}
