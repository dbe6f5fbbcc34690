using System.Buffers.Binary;
using Wire.Amqp.Client.Tests.Testing;
using Wire.Amqp.V091;
using Wire.Testing;
using Xunit.Abstractions;

namespace Wire.Amqp.Client.Tests.Connections;

/// <summary>
/// Both connections are cut again and again: what is confirmed has been delivered at least once, and what is not fails visibly and is
/// published again.
/// </summary>
public sealed class ConnectionFaultTests(ITestOutputHelper output)
{
    private const int Together = 64;
    private const int Publishers = 4;
    private static readonly int Messages = Sweep.IsWhole ? 200_000 : 10_000;
    private static readonly int Cuts = Sweep.IsWhole ? 50 : 10;

    private readonly int[] _delivered = new int[Messages];
    private readonly int[] _confirmed = new int[Messages];
    private readonly TaskCompletionSource _all = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _distinct;
    private int _failed;
    private int _next;

    [Theory]
    [InlineData(FrameWriting.Background)]
    [InlineData(FrameWriting.Inline)]
    public async Task Nothing_confirmed_is_lost(FrameWriting writing)
    {
        var random = new Random(Sweep.IsWhole ? 17 : 9 + (int)writing);
        await using TestChannel direct = await TestChannel.OpenAsync();
        string queue = Broker.UniqueName();
        await direct.Channel.Topology.DeclareQueueAsync(queue).InTime();
        await using TestLink publishing = await TestLink.ConnectAsync(options => options with { Writing = writing });
        await using TestLink consuming = await TestLink.ConnectAsync();
        AmqpChannel channel = await publishing.Connection.OpenChannelAsync().InTime();
        AmqpChannel receiving = await consuming.Connection.OpenChannelAsync().InTime();
        await receiving.ConsumeAsync(queue, Handle).InTime();

        for (int cut = 1; cut <= Cuts; cut++)
        {
            int until = (int)((long)Messages * cut / Cuts);
            int at = random.Next(_next, until);
            Task published = Task.WhenAll(
                Enumerable.Range(0, Publishers).Select(seed => Task.Run(() => PublishAsync(channel, queue, until, new Random(seed)))));
            while (Volatile.Read(ref _next) < at)
            {
                await Task.Yield();
            }

            await StrikeAsync(random.Next(2) == 0 ? publishing : consuming, random, published);
            await published.InTime();
            _next = until;
        }

        await _all.Task.InTime();
        Assert.All(_confirmed, times => Assert.Equal(1, times));
        Assert.All(_delivered, times => Assert.True(times > 0));
        Assert.Equal(0u, await direct.CountAsync(queue));
        await direct.Channel.Topology.DeleteQueueAsync(queue).InTime();
        output.WriteLine(
            $"{writing}: {Messages} messages confirmed and delivered, {Cuts} cuts, {_failed} published " +
            $"again, {_delivered.Sum() - Messages} delivered more than once.");
    }

    private static async Task StrikeAsync(TestLink link, Random random, Task published)
    {
        Cut how = (Cut)random.Next(2);
        int kind = random.Next(3);
        await link.LoseAsync(async () =>
        {
            if (kind == 0)
            {
                link.Proxy.CutAll(how);
                return;
            }

            // Anywhere within a frame, while there are any; otherwise there is nothing to be within.
            Task reached = (kind == 1 ? link.Proxy.ToBroker : link.Proxy.ToClient).CutAfter(random.Next(kind == 1 ? 50 : 5000), how);
            if (await Task.WhenAny(reached, published) != reached)
            {
                link.Proxy.CutAll(how);
            }
        });
    }

    private ValueTask Handle(AmqpDelivery delivery)
    {
        int number = BinaryPrimitives.ReadInt32LittleEndian(System.Buffers.BuffersExtensions.ToArray(delivery.Body.Slice(0, 4)));
        if (Interlocked.Increment(ref _delivered[number]) == 1 && Interlocked.Increment(ref _distinct) == Messages)
        {
            _all.SetResult();
        }

        return default;
    }

    private async Task PublishAsync(AmqpChannel channel, string queue, int until, Random random)
    {
        var again = new Queue<int>();
        var waiting = new List<(int Number, Task Task)>(Together);
        while (true)
        {
            while (waiting.Count < Together && (again.TryDequeue(out int number) || TryTake(until, out number)))
            {
                byte[] body = new byte[4 + random.Next(3000)];
                BinaryPrimitives.WriteInt32LittleEndian(body, number);
                waiting.Add(
                    (number, channel.PublishBytesAsync(new BasicPublish { Exchange = "", RoutingKey = queue }, default, body).AsTask()));
            }

            if (waiting.Count == 0)
            {
                return;
            }

            foreach ((int number, Task task) in waiting)
            {
                try
                {
                    await task.InTime();
                    Interlocked.Increment(ref _confirmed[number]);
                }
                catch (AmqpPublishException e) when (e.Failure == AmqpPublishFailure.Unconfirmed)
                {
                    Interlocked.Increment(ref _failed);
                    again.Enqueue(number);
                }
            }

            waiting.Clear();
        }
    }

    private bool TryTake(int until, out int number)
    {
        do
        {
            number = Volatile.Read(ref _next);
            if (number >= until)
            {
                return false;
            }
        }
        while (Interlocked.CompareExchange(ref _next, number + 1, number) != number);

        return true;
    }
}
