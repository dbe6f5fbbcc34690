using System.Diagnostics;
using Wire.Amqp.Client;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;
using Xunit.Abstractions;

namespace Wire.RabbitMQ.Tests.Faults;

/// <summary>
/// Processes that consume gathered objects are killed at any moment, and the broker too: each object that was confirmed is handled. A
/// sample in the usual run, and in the long one a million objects.
/// </summary>
[Collection(nameof(PrivateNode))]
public sealed class KilledConsumerTests(PrivateNode node, ITestOutputHelper output) : IAsyncLifetime
{
    // Under way at a time: many messages' worth.
    private const int Window = 10_000;

    private static readonly int Objects = Sweep.IsWhole ? 1_000_000 : 20_000;
    private static readonly int Kills = Sweep.IsWhole ? 20 : 3;

    // Queues that were declared in the last two seconds may not be on the broker's disk.
    private static readonly TimeSpan Safe = TimeSpan.FromSeconds(2.5);

    private readonly List<KilledConsumer> _consumers = [];
    private readonly string _folder = Directory.CreateTempSubdirectory("wire-killed-").FullName;

    public async Task DisposeAsync()
    {
        foreach (KilledConsumer consumer in _consumers)
        {
            await consumer.KillAsync();
            consumer.Dispose();
        }

        Directory.Delete(_folder, recursive: true);
    }

    public Task InitializeAsync() => Task.CompletedTask;

    [Fact]
    public async Task Nothing_gathered_is_lost_when_processes_that_consume_it_and_the_broker_are_killed()
    {
        await using WireConnection connection = await WireConnection.ConnectAsync(node.Node.Uri.ToString()).InTime();
        string queue = Broker.UniqueName("killed");
        await connection.Topology.DeclareQueueAsync(queue, new AmqpQueueOptions()).InTime();
        await Task.Delay(Safe);
        var watch = Stopwatch.StartNew();
        Task<int> published = PublishAsync(connection, queue);
        var random = new Random(20261130);
        for (int kill = 1; kill <= Kills; kill++)
        {
            KilledConsumer consumer = Start(queue);
            int least = random.Next(1, Objects / Kills);

            // What is left may be less.
            for (var time = Stopwatch.StartNew(); consumer.Count < least && time.Elapsed < TimeSpan.FromSeconds(10);)
            {
                Assert.False(consumer.HasEnded);
                await Task.Delay(10);
            }

            if (kill % 3 == 0)
            {
                await node.KillAsync();
                await consumer.KillAsync();
                await node.StartAsync();
            }
            else
            {
                await consumer.KillAsync();
            }
        }

        int again = await published.WaitAsync(TimeSpan.FromMinutes(10));
        KilledConsumer last = Start(queue);
        HashSet<int> handled = [.. _consumers.SelectMany(each => each.Numbers())];
        while (handled.Count < Objects)
        {
            Assert.False(last.HasEnded);
            Assert.InRange(watch.Elapsed, TimeSpan.Zero, TimeSpan.FromMinutes(10));
            await Task.Delay(100);
            handled.UnionWith(last.Numbers());
        }

        await last.KillAsync();
        int all = _consumers.Sum(each => each.Numbers().Count());
        output.WriteLine($"{Objects:N0} objects, {Kills} processes and {Kills / 3} times the broker killed, {watch.Elapsed}: handled " +
            $"{all:N0} times, published again {again:N0}");
        Assert.Equal(Enumerable.Range(0, Objects), handled.Order());

        // Some were under way when a process was killed, and gathered ones share a message.
        Assert.True(all > Objects, "Nothing was under way when a process was killed.");
        await connection.Topology.DeleteQueueAsync(queue).InTime();
    }

    // Until each is confirmed; returns how many were published more than once.
    private static async Task<int> PublishAsync(WireConnection connection, string queue)
    {
        var options = new WirePublisherOptions().Gathering<Plain>();
        await using var publisher = new WirePublisher(connection, KilledConsumer.Serializer, options);
        int again = 0;
        for (int begun = 0; begun < Objects; begun += Window)
        {
            await Task.WhenAll(Enumerable.Range(begun, Math.Min(Window, Objects - begun)).Select(PublishOneAsync));
        }

        return again;

        async Task PublishOneAsync(int number)
        {
            while (true)
            {
                try
                {
                    await publisher.PublishAsync("", queue, new Plain(number, 0, "killed"));
                    return;
                }
                catch (Exception e) when (e is AmqpConnectionException or AmqpPublishException)
                {
                    Interlocked.Increment(ref again);
                    await Task.Delay(10);
                }
            }
        }
    }

    private KilledConsumer Start(string queue)
    {
        var consumer = KilledConsumer.Start(node.Node.Uri, queue, Path.Combine(_folder, $"{_consumers.Count}"));
        _consumers.Add(consumer);
        return consumer;
    }
}
