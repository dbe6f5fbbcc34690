using Wire.RabbitMQ.Streams.Consuming;
using Wire.RabbitMQ.Streams.Failures;
using Wire.RabbitMQ.Streams.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Streams.Tests.Consuming;

/// <summary>What consuming allocates: chunks from memory, the same way as from a socket.</summary>
public sealed class ConsumerAllocationTests
{
    private const int MessagesPerChunk = 1000;
    private const int Chunks = 3000;

    private static readonly Serializer Serializer = new();

    [Theory]
    [InlineData("batches")]
    [InlineData("messages")]
    [InlineData("objects")]
    [InlineData("accepted")]
    [InlineData("unwanted")]
    [InlineData("compressed")]
    public async Task Allocates_nothing_for_messages_and_chunks(string lane)
    {
        var handled = new Meter(MessagesPerChunk);
        var received = new Meter(1);
        byte[] number = lane == "unwanted" ? Serializer.Serialize(new Measured(42, "a text")) : Serializer.Serialize(42);
        byte[][] messages = [.. Enumerable.Repeat(number, MessagesPerChunk)];
        var writer = new ChunkWriter();
        if (lane == "compressed")
        {
            writer.AddBatch(StreamCompression.None, messages);
        }
        else
        {
            Array.ForEach(messages, message => writer.Add(message));
        }

        var feed = new RecordedFeed([writer.ToArray()], Chunks) { Receiving = () => received.Count(1) };
        var done = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using StreamConsumer consumer = await ConsumeAsync(feed, lane, count =>
        {
            if (handled.Count(count) == (long)Chunks * MessagesPerChunk)
            {
                done.SetResult();
            }
        });
        await done.Task.WaitAsync(Patience.Limit);

        // A tick of the runtime now and then is not the consumer's: half of the chunks at least came without any.
        Assert.Equal(0, handled.Median);
        Assert.Equal(0, received.Median);
    }

    private static async Task<StreamConsumer> ConsumeAsync(RecordedFeed feed, string lane, Action<int> count)
    {
        ConsumerDispatch handler = lane switch
        {
            "batches" or "compressed" => new BatchDispatch(messages => count(messages.Length)),
            "objects" => new TypedDispatch<int>((value, _) =>
            {
                count(value == 42 ? 1 : 0);
                return default;
            }),
            _ => new MessageDispatch(_ =>
            {
                count(1);
                return default;
            }),
        };
        PayloadPath<int> number = Serializer.Path((Measured measured) => measured.Number);
        var options = new StreamConsumerOptions
        {
            Offset = StreamOffset.First,
            Accepts = lane == "accepted" ? message => !message.Span.IsEmpty : null,
            Where = lane == "unwanted" ? IsWanted : null,
        };
        var errors = new ErrorStream(new StreamClient(), "memory", options);
        var consumer = new StreamConsumer(feed, new StreamClientOptions(), "memory", handler, options, errors);
        await consumer.StartAsync(CancellationToken.None);
        return consumer;

        bool IsWanted(ReadOnlySpan<byte> payload)
        {
            bool isWanted = number.TryRead(payload, out int value) && value != 42;
            count(isWanted ? 0 : 1);
            return isWanted;
        }
    }

    private sealed record Measured(int Number, string Text);

    /// <summary>What a thread allocates from one step to the next; a change of the thread begins anew.</summary>
    private sealed class Meter(int step)
    {
        private readonly List<long> _steps = new(1 << 16);
        private long _count;
        private long _allocated;
        private int _thread;

        public long Median => _steps.Order().ElementAt(_steps.Count / 2);

        public long Count(int count)
        {
            _count += count;
            if (_count % step == 0 && _steps.Count < _steps.Capacity)
            {
                long allocated = GC.GetAllocatedBytesForCurrentThread();
                if (_thread == Environment.CurrentManagedThreadId)
                {
                    _steps.Add(allocated - _allocated);
                }

                (_thread, _allocated) = (Environment.CurrentManagedThreadId, allocated);
            }

            return _count;
        }
    }
}
