using System.Buffers;
using System.Reflection;
using FsCheck;
using FsCheck.Fluent;
using Wire.Amqp.Client.Channels;
using Wire.Amqp.Client.Connections;
using Wire.Amqp.Client.Publishing;
using Wire.Amqp.Client.Tests.Testing;
using Wire.Amqp.Testing;
using Wire.Amqp.V091;
using Wire.Testing;
using Wire.Transport.Pending;

namespace Wire.Amqp.Client.Tests.Publishing;

/// <summary>Bodies that are measured and then streamed, and bodies that are sent from the caller's memory.</summary>
public sealed class LargeBodiesTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);
    private static readonly BasicPublish To = new() { Exchange = "x", RoutingKey = "q" };

    [Fact]
    public void Bodies_come_as_they_were_when_published_although_they_are_overwritten_as_soon_as_the_task_ends() => Prop.ForAll(
        Gen.Choose(0, int.MaxValue - 1).ToArbitrary(),
        seed => PublishRandomAsync(new Random(seed)).GetAwaiter().GetResult()).Check(Config.QuickThrowOnFailure.WithMaxTest(12));

    [Theory]
    [InlineData(FrameWriting.Background)]
    [InlineData(FrameWriting.Inline)]
    public async Task No_frame_comes_between_those_of_a_message_whatever_else_the_channel_is_used_for(FrameWriting writing)
    {
        // Anew each time: what goes wrong with the first message that is streamed, or with one right behind another, does so now and then.
        for (int round = 0; round < 20; round++)
        {
            await PublishBesideOthersAsync(writing);
        }
    }

    [Theory]
    [InlineData(FrameWriting.Background)]
    [InlineData(FrameWriting.Inline)]
    public async Task The_thread_that_waits_for_the_socket_ends_with_its_connection(FrameWriting writing)
    {
        await using var broker = new AmqpServer();
        AmqpConnection connection = await broker.ConnectAsync(options => options with { Writing = writing });
        AmqpChannel channel = await connection.OpenChannelAsync(new AmqpChannelOptions { Confirms = true });
        object worker = Field(Field(Field(connection.Link!, "_socket")!, "_bytes")!, "_waiter")!;
        await broker.StopReadingAsync();
        Task published = Task.Run(async () => await channel.PublishAsync("x", "q", new byte[16 << 20]));
        Thread? waiter;
        while ((waiter = (Thread?)Field(worker, "_thread")) is null)
        {
            await Task.Delay(1);
        }

        broker.GoOn();
        await published.WaitAsync(Patience);
        await connection.DisposeAsync();
        Assert.True(waiter.Join(TimeSpan.FromSeconds(10)), "The connection has ended, and its thread has not.");
    }

    [Fact]
    public async Task What_waits_for_more_to_go_with_it_is_sent_before_the_connection_is_closed()
    {
        const int Count = 100;
        await using var broker = new AmqpServer();
        AmqpConnection connection = await broker.ConnectAsync();
        AmqpChannel channel = await connection.OpenChannelAsync(new AmqpChannelOptions { Confirms = true });
        await broker.StopReadingAsync();
        Task[] published = [.. Enumerable.Range(0, Count).Select(i => channel.PublishAsync("x", "q", i).AsTask())];
        Task closed = connection.DisposeAsync().AsTask();
        broker.GoOn();
        await closed.WaitAsync(Patience);
        for (int i = 0; i < Count; i++)
        {
            Assert.Equal(i, new Serializer().Deserialize<int>((await broker.NextAsync()).Body));
        }

        await Task.WhenAll(published.Select(task => task.ContinueWith(_ => { }, TaskScheduler.Default)));
    }

    private static object? Field(object of, string name) =>
        of.GetType().GetField(name, BindingFlags.Instance | BindingFlags.NonPublic)!.GetValue(of);

    [Theory]
    [InlineData(FrameWriting.Background, true)]
    [InlineData(FrameWriting.Inline, false)]
    public async Task What_is_not_written_the_same_way_twice_ends_the_connection_and_is_never_sent_as_if_it_were_whole(
        FrameWriting writing, bool confirms)
    {
        for (int change = -1; change <= 1; change += 2)
        {
            await using var broker = new AmqpServer();
            await using AmqpConnection connection =
                await broker.ConnectAsync(options => options with { Writing = writing, StreamAbove = 4096, Body = Changing(change) });
            AmqpChannel channel = await connection.OpenChannelAsync(new AmqpChannelOptions { Confirms = confirms });
            var error = await Assert.ThrowsAsync<AmqpConnectionException>(
                () => channel.PublishAsync("x", "q", new Growing()).AsTask().WaitAsync(Patience));
            Assert.Contains("was changed in between", error.Message, StringComparison.Ordinal);
            Assert.False(channel.IsOpen);
            Assert.True(broker.IsEmpty);
        }
    }

    [Fact]
    public async Task What_waits_for_a_broker_that_does_not_read_is_bounded_and_ends_with_the_connection()
    {
        await using var broker = new AmqpServer();
        await using AmqpConnection connection = await broker.ConnectAsync(options => options with { StreamAbove = 1 << 20 });
        AmqpChannel channel = await connection.OpenChannelAsync(new AmqpChannelOptions { Confirms = false });
        await broker.StopReadingAsync();
        ChannelSession session = channel.Engine.Session!;
        var done = Task.Run(() => channel.PublishAsync("x", "q", new byte[64 << 20]).AsTask());
        Task behind = Task.Run(async () =>
        {
            while (true)
            {
                await channel.PublishAsync("x", "q", new byte[1000]);
            }
        });
        long most = 0;
        for (int i = 0; i < 200; i++)
        {
            most = Math.Max(most, session.SendQueue.Unsent);
            await Task.Delay(2);
        }

        Assert.InRange(most, 1, (1 << 20) + (4 * BodyStream.PieceSize) + (1 << 22));
        Assert.False(done.IsCompleted);
        broker.Cut();
        await Assert.ThrowsAsync<AmqpConnectionException>(() => done.WaitAsync(Patience));
        await Assert.ThrowsAnyAsync<IOException>(() => behind.WaitAsync(Patience));
        broker.GoOn();
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_cancelled_publish_does_not_end_before_its_memory_is_let_go_of(bool confirms)
    {
        await using var broker = new AmqpServer();
        await using AmqpConnection connection = await broker.ConnectAsync(options => options with { Writing = FrameWriting.Inline });
        await using AmqpChannel channel = await connection.OpenChannelAsync(new AmqpChannelOptions { Confirms = confirms });
        await broker.StopReadingAsync();
        using var cancellation = new CancellationTokenSource();
        byte[] body = RandomBytes(new Random(1), 32 << 20);
        byte[] before = [.. body];
        Task publishing = channel.PublishBytesAsync(To, default, body, cancellationToken: cancellation.Token).AsTask();
        Assert.False(publishing.IsCompleted);
        await cancellation.CancelAsync();
        Assert.False(publishing.IsCompleted);
        Task overwritten = publishing.ContinueWith(
            _ => Array.Clear(body), CancellationToken.None, TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default);
        broker.GoOn();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => publishing.WaitAsync(Patience));
        await overwritten;
        Assert.True((await broker.NextAsync()).Body.AsSpan().SequenceEqual(before));
    }

    [Fact]
    public async Task A_closed_send_queue_tells_those_who_wait_when_the_send_under_way_has_ended()
    {
        await using var broker = new AmqpServer();
        await using AmqpConnection connection = await broker.ConnectAsync();
        await using AmqpChannel channel = await connection.OpenChannelAsync();
        var sendQueue = new SendQueue(channel.Engine.Session!.SendQueue.Writer, new Lock(), channel.Engine.Session);
        var waiter = new Waiter();
        var error = new IOException("closed");
        lock (sendQueue.Gate)
        {
            sendQueue.Open().Write(new byte[10]);
            sendQueue.Commit(10);
        }

        AmqpBuffer taken = sendQueue.Dequeue(out _)!;
        lock (sendQueue.Gate)
        {
            Assert.True(sendQueue.TryWait(waiter, sendQueue.Position));
        }

        sendQueue.Close(error);
        Assert.False(waiter.IsTold);
        sendQueue.Writer.Return(taken);
        sendQueue.Dropped();
        Assert.Same(error, waiter.Error);
    }

    private static async Task PublishRandomAsync(Random random)
    {
        int frameMax = random.Next(3) switch { 0 => 4096, 1 => 20_000, _ => 131_072 };
        FrameWriting writing = random.Next(3) == 0 ? FrameWriting.Background : FrameWriting.Inline;
        await using var broker = new AmqpServer(frameMax);
        await using AmqpConnection connection =
            await broker.ConnectAsync(options => options with { Writing = writing, StreamAbove = random.Next(2) == 0 ? 4096 : 1 << 20 });
        await using AmqpChannel channel =
            await connection.OpenChannelAsync(new AmqpChannelOptions { Confirms = random.Next(2) == 0, MaxInFlight = random.Next(1, 10) });
        var expected = new List<byte[]>();
        var tasks = new List<Task>();
        for (int i = 0; i < 25; i++)
        {
            byte[][] parts = [.. Enumerable.Range(0, random.Next(1, 6)).Select(_ => RandomBytes(random, random.Next(4) switch { 0 =>
                random.Next(50), 1 => random.Next(9000), 2 => random.Next(30_000), _ => random.Next(400_000) }))];
            expected.Add(Sequences.Of(parts).ToArray());
            Task published = channel.PublishBytesAsync(To, default, Sequences.Of(parts)).AsTask();
            tasks.Add(published.ContinueWith(
                task =>
                {
                    Array.ForEach(parts, Array.Clear);
                    return task;
                },
                CancellationToken.None,
                TaskContinuationOptions.ExecuteSynchronously,
                TaskScheduler.Default).Unwrap());
        }

        foreach (byte[] body in expected)
        {
            Assert.True((await broker.NextAsync()).Body.AsSpan().SequenceEqual(body), "The body is another than was published.");
        }

        await Task.WhenAll(tasks).WaitAsync(Patience);
    }

    private static byte[] RandomBytes(Random random, int length)
    {
        byte[] bytes = new byte[length];
        random.NextBytes(bytes);
        return bytes;
    }

    // Each time it is written it is longer, or shorter, than the time before.
    private static AmqpBody Changing(int by) => new(new Serializer(new SerializerOptions
    {
        Surrogates = [Surrogate.Create<Growing, Grown>(
            growing => new Grown { Bytes = new byte[300_000 + (by * 1000 * growing.Times++)] }, _ => new Growing())],
    }));

    public sealed class Growing
    {
        internal int Times { get; set; }
    }

    public sealed class Grown
    {
        public byte[] Bytes = [];
    }

    private sealed class Waiter : Queued, ISentWaiter
    {
        public bool IsTold { get; private set; }

        public Exception? Error { get; private set; }

        public void Sent(Exception? error) => (IsTold, Error) = (true, error);
    }

    private static async Task PublishBesideOthersAsync(FrameWriting writing)
    {
        await using var broker = new AmqpServer(frameMax: 8192);
        await using AmqpConnection connection =
            await broker.ConnectAsync(options => options with { Writing = writing, StreamAbove = 1 << 16, MaxUnsentBytes = 1 << 16 });
        await using AmqpChannel channel = await connection.OpenChannelAsync(new AmqpChannelOptions { Confirms = true });
        LinkChannel session = channel.Engine.Session!.Channel;
        int methods = broker.Methods;
        const int Publishers = 6;
        const int Each = 40;
        Task[] publishing = [.. Enumerable.Range(0, Publishers).Select(publisher => Task.Run(async () =>
        {
            var random = new Random(publisher);
            for (int i = 0; i < Each; i++)
            {
                int[] message = new int[random.Next(8) == 0 ? 200_000 : random.Next(2, 3000)];
                (message[0], message[1]) = (publisher, i);
                await channel.PublishAsync("x", "q", message);
            }
        }))];
        Task calling = Task.Run(async () =>
        {
            for (int i = 0; i < 50; i++)
            {
                session.Post(new BasicAck { DeliveryTag = 1 }, writing);
                await session.CallAsync<BasicQos, BasicQosOk>(default, CancellationToken.None);
            }
        });
        int[] next = new int[Publishers];
        for (int i = 0; i < Publishers * Each; i++)
        {
            int[] message = new Serializer().Deserialize<int[]>((await broker.NextAsync()).Body)!;
            Assert.Equal(next[message[0]]++, message[1]);
        }

        await Task.WhenAll([.. publishing, calling]).WaitAsync(Patience);
        Assert.Equal(methods + 100, broker.Methods);
    }
}
