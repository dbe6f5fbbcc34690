using System.Buffers;
using Wire.Amqp;
using Wire.Amqp.V10;
using Wire.RabbitMQ.Streams.Consuming;
using Wire.RabbitMQ.Streams.Failures;
using Wire.RabbitMQ.Streams.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Streams.Tests.Consuming;

/// <summary>A condition about payloads that are not read.</summary>
public sealed class WhereTests
{
    private static readonly Serializer Serializer = new();

    private static readonly PayloadPath<int> Number = Serializer.Path((Order order) => order.Number);

    [Fact]
    public async Task Objects_are_asked_about_wherever_they_are_and_what_is_none_is_handled()
    {
        var writer = new ChunkWriter();
        for (int i = 0; i < 40; i++)
        {
            var order = new Order(i, new string('x', 2000));
            writer.Add((i % 4) switch
            {
                0 => Serializer.Serialize(order),
                1 => InSection(Serializer.Serialize(order)),
                2 => InSections(order, AmqpBodyOptions.Default),
                _ => InSections(order, new AmqpBodyOptions { Compression = Amqp.Compression.GZip }),
            });
        }

        writer.Add("neither"u8);
        writer.Add(Serializer.Serialize("an object without a number"));
        Assert.Equal(
            [.. Enumerable.Range(30, 10).Select(i => (ulong)i), 40],
            await HandledAsync(writer, 42, payload => Number.TryRead(payload, out int number) && number >= 30));
    }

    [Fact]
    public async Task What_it_throws_at_is_a_failure()
    {
        ChunkWriter writer = new ChunkWriter().AddAll(Enumerable.Range(0, 9).Select(i => Serializer.Serialize(new Order(i, "x"))));
        StreamConsumerException? failure = null;
        Assert.Equal(
            [0, 1, 2, 4, 6, 8],
            await HandledAsync(
                writer,
                9,
                payload => Number.Read(payload) switch
                {
                    3 => throw new FormatException("three"),
                    var number => number is not (5 or 7),
                },
                e =>
                {
                    failure = e;
                    return StreamFailedMessage.Skip;
                }));
        Assert.Equal("three", Assert.IsType<FormatException>(failure?.InnerException).Message);
    }

    private static async Task<List<ulong>> HandledAsync(
        ChunkWriter writer,
        ulong count,
        PayloadCondition condition,
        Func<StreamConsumerException, StreamFailedMessage>? onFailure = null)
    {
        var handled = new List<ulong>();
        var options = new StreamConsumerOptions { Offset = StreamOffset.First, Where = condition, OnFailure = onFailure };
        var dispatch = new MessageDispatch(message =>
        {
            handled.Add(message.Offset);
            return default;
        });
        var errors = new ErrorStream(new StreamClient(), "memory", options);
        await using var consumer = new StreamConsumer(
            new RecordedFeed([writer.ToArray()], 1), new StreamClientOptions(), "memory", dispatch, options, errors);
        await consumer.StartAsync(CancellationToken.None);
        await Until.HoldsAsync(() => consumer.Offset == count - 1, $"{count} messages are behind it");
        return handled;
    }

    private static byte[] InSection(byte[] payload)
    {
        var buffer = new AmqpBuffer();
        MessageWriter.Write(buffer, new DataSection { Bytes = new(payload) });
        return buffer.Written.ToArray();
    }

    private static byte[] InSections(Order order, AmqpBodyOptions options)
    {
        var buffer = new AmqpBuffer();
        new AmqpBody(Serializer, options).Write(buffer, default(Properties), default, order);
        return buffer.Written.ToArray();
    }

    private sealed record Order(int Number, string Text);
}
