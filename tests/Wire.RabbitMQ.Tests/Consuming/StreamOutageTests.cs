using System.Collections.Concurrent;
using RabbitMQ.Client;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Consuming;

/// <summary>
/// A consumer of a stream goes on behind what is settled, for which the broker keeps no position: nothing is left out, and what is settled
/// does not come again.
/// </summary>
public abstract class StreamOutageTests(WireTransport transport)
{
    private static readonly Dictionary<string, object?> Stream = new() { ["x-queue-type"] = "stream" };

    [Theory]
    [InlineData(null)]
    [InlineData("next")]
    [InlineData("last")]
    [InlineData("first")]
    [InlineData("1h")]
    [InlineData(0L)]
    public async Task What_is_published_before_during_and_after_an_outage_is_handled_once_and_in_order(object? offset)
    {
        await using var outage = await Outage.BeginAsync(transport, offset);
        await outage.PublishAsync(0, 5);
        await outage.HandledAsync(5);
        outage.Cut();
        await outage.PublishAsync(5, 10);
        outage.Mend();
        await outage.PublishAsync(10, 15);
        await outage.HandledAsync(15);
        outage.Cut();
        outage.Mend();
        await outage.PublishAsync(15, 16);
        await outage.HandledAsync(16);
        Assert.Equal(Enumerable.Range(0, 16), outage.Handled);
    }

    [Theory]
    [InlineData("next")]
    [InlineData("last")]
    [InlineData("1s")]
    [InlineData("first")]
    public async Task What_is_published_during_an_outage_before_the_first_message_is_handled(object offset)
    {
        await using var outage = await Outage.BeginAsync(transport, offset);
        for (int i = 0; i < 2; i++)
        {
            outage.Cut();
            await outage.LostAsync();
            if (i == 1)
            {
                await Task.Delay(TimeSpan.FromSeconds(2));
                await outage.PublishAsync(0, 5);
            }

            outage.Mend();
            await outage.BackAsync();
        }

        await outage.PublishAsync(5, 10);
        await outage.HandledAsync(10);
        Assert.Equal(Enumerable.Range(0, 10), outage.Handled);
    }

    [Fact]
    public async Task What_is_settled_behind_a_message_that_is_not_does_not_come_again_and_that_one_does()
    {
        var go = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var outage = await Outage.BeginAsync(
            transport,
            "first",
            options => options with { MaxConcurrency = 4, PrefetchCount = 100 },
            number => number == 2 ? go.Task : null);
        await outage.PublishAsync(0, 10);
        await outage.HandledAsync(9);
        outage.Cut();
        await outage.PublishAsync(10, 15);
        outage.Mend();
        await outage.HandledAsync(14);
        await ConsumerBench.Until(() => Task.FromResult(outage.Begun.Count(number => number == 2) == 2));
        go.SetResult();
        await outage.HandledAsync(16);
        outage.Cut();
        outage.Mend();
        await outage.PublishAsync(15, 16);
        await outage.HandledAsync(17);
        Assert.Equal([.. Enumerable.Range(0, 3), .. Enumerable.Range(2, 14)], outage.Handled.Order());
    }

    [Fact]
    public async Task Stopping_with_messages_that_no_handler_has_begun_with_leaves_the_connection_open()
    {
        var go = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var outage = await Outage.BeginAsync(transport, "first", wait: number => number == 0 ? go.Task : null);
        await outage.PublishAsync(0, 10);
        await ConsumerBench.Until(() => Task.FromResult(!outage.Begun.IsEmpty));
        await Task.Delay(TimeSpan.FromMilliseconds(300));
        Task stopped = outage.StopAsync();
        await Task.Delay(TimeSpan.FromMilliseconds(300));
        go.SetResult();
        await stopped;

        // The broker would have said so by now.
        await outage.AssertOpenAsync();
        Assert.Equal([0], outage.Handled);
    }

    [Fact]
    public async Task A_handler_that_ends_while_the_connection_is_down_has_settled_its_message()
    {
        var go = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var outage = await Outage.BeginAsync(transport, "first", wait: number => number == 0 ? go.Task : null);
        await outage.PublishAsync(0, 3);
        await ConsumerBench.Until(() => Task.FromResult(!outage.Begun.IsEmpty));
        outage.Cut();
        await outage.LostAsync();
        go.SetResult();
        await outage.HandledAsync(1);
        outage.Mend();
        await outage.PublishAsync(3, 5);
        await outage.HandledAsync(5);
        Assert.Equal(Enumerable.Range(0, 5), outage.Handled);
    }

    [Fact]
    public async Task Connections_that_are_cut_again_and_again_leave_nothing_out_and_bring_only_what_was_not_settled_again()
    {
        const int Count = 200;
        const int Cuts = 4;
        const int Concurrency = 4;
        await using var outage = await Outage.BeginAsync(
            transport, "next", options => options with { MaxConcurrency = Concurrency, PrefetchCount = 50 }, _ => Task.Delay(1));
        for (int i = 0; i < Count; i += Count / Cuts)
        {
            outage.Cut();
            await outage.LostAsync();
            Task published = outage.PublishAsync(i, i + (Count / Cuts));
            outage.Mend();
            await outage.BackAsync();
            await published;
        }

        await ConsumerBench.Until(() => Task.FromResult(outage.Handled.Distinct().Count() == Count));
        await outage.StopAsync();
        Assert.Equal(Enumerable.Range(0, Count), outage.Handled.Distinct().Order());
        Assert.InRange(outage.Handled.Count, Count, Count + (Cuts * Concurrency));
    }

    [Fact]
    public async Task A_channel_that_the_broker_closes_is_replaced_by_one_behind_what_is_settled()
    {
        await using var outage = await Outage.BeginAsync(transport, "first");
        await outage.PublishAsync(0, 5);
        await outage.HandledAsync(5);
        await outage.CloseChannelAsync();
        await outage.PublishAsync(5, 10);
        await outage.HandledAsync(10);
        Assert.Equal(Enumerable.Range(0, 10), outage.Handled);
    }

    [Fact]
    public async Task A_stream_that_was_deleted_and_is_declared_again_is_handled_from_its_beginning()
    {
        await using var outage = await Outage.BeginAsync(transport, "next");
        await outage.PublishAsync(0, 5);
        await outage.HandledAsync(5);
        await outage.DeleteAsync();
        await outage.DeclareAsync();
        await outage.PublishAsync(5, 8);
        await outage.HandledAsync(8);
        Assert.Equal(Enumerable.Range(0, 8), outage.Handled);
    }

    [Fact]
    public async Task A_message_that_the_error_queue_does_not_accept_is_handled_again_until_it_does()
    {
        await using var outage = await Outage.BeginAsync(
            transport, "first", options => options with { DeclareErrorQueue = false },
            number => number == 1 ? Task.FromException(new InvalidOperationException("Not this one.")) : null);
        await outage.PublishAsync(0, 3);
        await outage.LoggedAsync("2010 ");
        await outage.DeclareErrorQueueAsync();
        await outage.AssertInErrorQueueAsync(1);
        await outage.HandledAsync(2);
        Assert.Equal([0, 2], outage.Handled);

        // It kept its place: a message that goes back to a stream would have closed the connection.
        Assert.Equal(2, outage.Begun.Last());
        Assert.Single(outage.Begun, 2);
    }

    [Fact]
    public async Task Copies_of_messages_of_streams_in_a_queue_are_handled_whatever_their_header_says()
    {
        await using var outage = await Outage.BeginAsync(transport, null, arguments: []);
        foreach (long offset in (long[])[10, 11, 12])
        {
            await outage.PublishAsync((int)offset, offset);
        }

        await outage.HandledAsync(3);
        outage.Cut();
        await outage.PublishAsync(20, 11L);
        outage.Mend();
        await outage.PublishAsync(21, 12L);
        await outage.PublishAsync(22, 99L);
        await ConsumerBench.Until(() => Task.FromResult(outage.Handled.Contains(22)));
        outage.Cut();
        outage.Mend();
        await outage.PublishAsync(23, 100L);
        await ConsumerBench.Until(() => Task.FromResult(outage.Handled.Contains(23)));

        // The last one before a cut may come again, as its acknowledgement had not been sent.
        Assert.Equal([10, 11, 12, 20, 21, 22, 23], outage.Handled.Distinct());
    }

    /// <summary>A consumer behind a proxy that takes its connection, and what it has handled.</summary>
    private sealed class Outage : IAsyncDisposable
    {
        private readonly FaultProxy _proxy;
        private readonly ConsumerBench _bench;
        private readonly WireConsumer _consumer;
        private readonly WireTransport _transport;
        private readonly Dictionary<string, object?> _arguments;
        private int _begun = 1;

        private Outage(
            WireTransport transport, FaultProxy proxy, ConsumerBench bench, Dictionary<string, object?> arguments,
            WireConsumerOptions options, Func<int, Task?>? wait)
        {
            (_transport, _proxy, _bench, _arguments) = (transport, proxy, bench, arguments);
            _consumer = bench.Consumer(_ => options).Handle<int>(async (number, _) =>
            {
                Begun.Enqueue(number);
                await (wait?.Invoke(number) ?? Task.CompletedTask);
                Handled.Enqueue(number);
            });
        }

        public ConcurrentQueue<int> Begun { get; } = new();

        public ConcurrentQueue<int> Handled { get; } = new();

        public static async Task<Outage> BeginAsync(
            WireTransport transport, object? offset, Func<WireConsumerOptions, WireConsumerOptions>? change = null,
            Func<int, Task?>? wait = null, Dictionary<string, object?>? arguments = null)
        {
            var proxy = new FaultProxy(Broker.Node.Uri);
            ConsumerBench bench = await ConsumerBench.MakeAsync(transport, proxy, arguments ??= Stream);
            var options = new WireConsumerOptions
            {
                Queue = bench.Queue,
                MaxConcurrency = 1,
                PrefetchCount = 10,
                Arguments = offset is null ? null : new Dictionary<string, object?> { ["x-stream-offset"] = offset },
            };
            var outage = new Outage(transport, proxy, bench, arguments, change?.Invoke(options) ?? options, wait);
            await outage._consumer.StartAsync().InTime();

            // It has begun, although the broker has said so a moment before.
            await outage._consumer.Subscription!.AnswerAsync().InTime();
            return outage;
        }

        public void Cut()
        {
            _proxy.Refusing = true;
            _proxy.CutAll();
        }

        public void Mend() => _proxy.Refusing = false;

        public Task LostAsync() => ConsumerBench.Until(() => Task.FromResult(!_bench.Connection.IsOpen));

        /// <summary>It consumes again: over the client it has begun anew by then, which it logs.</summary>
        public async Task BackAsync()
        {
            int begun = _transport == WireTransport.Client ? ++_begun : 1;
            await ConsumerBench.Until(() => Task.FromResult(
                _bench.Connection.IsOpen && _bench.Log.Count(line => line.StartsWith("2001 ", StringComparison.Ordinal)) >= begun));
        }

        public async Task PublishAsync(int first, int end)
        {
            for (int i = first; i < end; i++)
            {
                await _bench.PublishAsync(i);
            }
        }

        public Task PublishAsync(int number, long offset) => _bench.PublishAsync(
            number, properties => properties.Headers = new Dictionary<string, object?> { ["x-stream-offset"] = offset });

        public Task HandledAsync(int count) => ConsumerBench.Until(() => Task.FromResult(Handled.Count >= count));

        public async Task CloseChannelAsync() => await _consumer.Subscription!.CloseAsync(_bench.Queue);

        public async Task DeleteAsync() => await _bench.Channel.QueueDeleteAsync(_bench.Queue).InTime();

        public Task DeclareAsync() => _bench.DeclareAsync(_arguments).InTime();

        public Task LoggedAsync(string id) => ConsumerBench.Until(
            () => Task.FromResult(_bench.Log.Any(line => line.StartsWith(id, StringComparison.Ordinal))));

        public async Task DeclareErrorQueueAsync() => await _bench.Channel.QueueDeclareAsync(
            _bench.ErrorQueue, durable: true, exclusive: false, autoDelete: false).InTime();

        public async Task AssertInErrorQueueAsync(int number)
        {
            BasicGetResult copy = await _bench.TakeAsync(_bench.ErrorQueue);
            Assert.Equal(number, Shop.Serializer.Read<int>(copy));
        }

        public Task StopAsync() => _consumer.StopAsync().InTime();

        public async Task AssertOpenAsync()
        {
            int losses = 0;
            _bench.Connection.Lost += () => Interlocked.Increment(ref losses);
            Assert.NotNull(await _bench.Connection.Connection.Topology.FindQueueAsync(_bench.Queue).InTime());
            Assert.True(_bench.Connection.IsOpen);
            Assert.Equal(0, losses);
            Assert.Equal(1, _proxy.Accepted);
        }

        public async ValueTask DisposeAsync()
        {
            await _bench.DisposeAsync();
            await _proxy.DisposeAsync();
        }
    }
}

/// <inheritdoc/>
public sealed class StreamOutageTestsOnClient() : StreamOutageTests(WireTransport.Client);

/// <inheritdoc/>
public sealed class StreamOutageTestsOnLane() : StreamOutageTests(WireTransport.DirectLane);
