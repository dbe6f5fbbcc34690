using System.Buffers.Binary;
using Bench;
using Wire.RabbitMQ.Streams;
using Wire.RabbitMQ.Streams.Consuming;

namespace Wire.Benchmarks.Messaging.Streams;

/// <summary>A handler that counts the messages which are what they should be, and the lane that it goes by.</summary>
internal sealed class StreamHandling
{
    private long _until = long.MaxValue;
    private TaskCompletionSource _reached = new();

    private StreamHandling(Func<StreamHandling, ConsumerLane> lane) => Lane = lane(this);

    /// <summary>The lane.</summary>
    public ConsumerLane Lane { get; }

    /// <summary>How many messages were right.</summary>
    public long Count { get; private set; }

    /// <summary>Numbers, all messages of a chunk at once.</summary>
    public static StreamHandling NumbersTogether() => new(self => new BatchLane(messages =>
    {
        int count = 0;
        foreach (ref readonly StreamMessage message in messages)
        {
            count += IsNumber(message) ? 1 : 0;
        }

        self.Add(count);
    }));

    /// <summary>Numbers, one message after the other.</summary>
    public static StreamHandling Numbers() => Each(message => IsNumber(message));

    /// <summary>Objects.</summary>
    public static StreamHandling Objects() => new(self => new TypedLane<Poco>((poco, _) =>
    {
        self.Add(poco.IntProp == StreamLoad.Poco.IntProp ? 1 : 0);
        return ValueTask.CompletedTask;
    }));

    /// <summary>The data of AMQP 1.0 messages.</summary>
    public static StreamHandling Data() => Each(IsData);

    /// <summary>Data, properties and one application property of AMQP 1.0 messages.</summary>
    public static StreamHandling Sections() => Each(message =>
        IsData(message) && message.ReadProperties().MessageId.As<ulong>() == StreamLoad.MessageId && message.ReadApplicationProperties()["priority"].As<int>() == StreamLoad.Priority);

    /// <summary>Ends when so many more messages have come.</summary>
    public Task MoreAsync(long messages)
    {
        _reached = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        _until = Count + messages;
        return _reached.Task;
    }

    private static StreamHandling Each(Func<StreamMessage, bool> isRight) => new(self => new MessageLane(message =>
    {
        self.Add(isRight(message) ? 1 : 0);
        return ValueTask.CompletedTask;
    }));

    private static bool IsNumber(in StreamMessage message) => BinaryPrimitives.ReadInt64BigEndian(message.Span) == StreamLoad.Number;

    private static bool IsData(StreamMessage message) => message.ReadData().Length == StreamLoad.DataBytes;

    // Handlers of one consumer come one after the other.
    private void Add(int count)
    {
        Count += count;
        if (Count >= _until)
        {
            _until = long.MaxValue;
            _reached.TrySetResult();
        }
    }
}
