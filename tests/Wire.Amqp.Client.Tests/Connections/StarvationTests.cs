using Wire.Amqp.Client.Tests.Testing;
using Wire.Testing;

namespace Wire.Amqp.Client.Tests.Connections;

/// <summary>A program that lets no thread of the pool go: its connections stay alive.</summary>
[Collection(nameof(RunAlone))]
public sealed class StarvationTests
{
    private static readonly TimeSpan Heartbeat = TimeSpan.FromSeconds(1);

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Heartbeats_need_no_thread_of_the_pool(bool tls)
    {
        AmqpConnectionOptions options = (tls ? TlsOptions() : TestChannel.Options) with { RequestedHeartbeat = Heartbeat };
        await using AmqpConnection connection = await AmqpConnection.ConnectAsync(options).InTime();
        AmqpChannel channel = await connection.OpenChannelAsync().InTime();
        string queue = (await channel.Topology.DeclareQueueAsync().InTime()).Name;
        object link = connection.Link!;
        ThreadPool.GetMaxThreads(out int workers, out int ports);

        // Not disposed of: some of those that wait for it may begin only after the test.
        var go = new ManualResetEventSlim();
        try
        {
            // No more threads than are blocked below.
            int most = Math.Max(ThreadPool.ThreadCount, Environment.ProcessorCount);
            Assert.True(ThreadPool.SetMaxThreads(most, ports));
            for (int i = 0; i < 4 * most; i++)
            {
                ThreadPool.UnsafeQueueUserWorkItem(static go => go.Wait(), go, preferLocal: false);
            }

            // Six intervals: the broker gives up a connection that is silent for three, and this side one of two.
            var waited = new TaskCompletionSource();
            var waiting = new Thread(() =>
            {
                Thread.Sleep(6 * Heartbeat);
                go.Set();
                waited.SetResult();
            });
            waiting.Start();
            waiting.Join();
            await waited.Task;
        }
        finally
        {
            go.Set();
            ThreadPool.SetMaxThreads(workers, ports);
        }

        Assert.Same(link, connection.Link);
        await channel.PublishAsync("", queue, 1).AsTask().InTime();
        Assert.True(connection.IsOpen);
    }

    private static AmqpConnectionOptions TlsOptions() => AmqpConnectionOptions.Parse(Broker.Node.TlsUri.ToString()) with
    {
        VirtualHost = "/",
        Tls = new() { CertificateChainPolicy = Broker.Node.Trust() },
    };
}
