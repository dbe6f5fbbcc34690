using System.Buffers;
using FsCheck;
using FsCheck.Fluent;
using Wire.Amqp;
using Wire.Amqp.V10;
using Wire.RabbitMQ.Streams.Chunks;
using Wire.RabbitMQ.Streams.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Streams.Tests.Chunks;

/// <summary>A value that is read alone is what reading all of its section gives.</summary>
public sealed class SectionValuesTests
{
    private static readonly Serializer Serializer = new();
    private static readonly string[] Keys = ["region", "try", "", "größe", "long", "none", "twice"];

    [Fact]
    public void Each_field_and_property_is_that_of_the_whole_section_in_any_message() => Prop.ForAll(
        Gen.Choose(0, int.MaxValue).ToArbitrary(),
        seed =>
        {
            var random = new Random(seed);
            byte[] bytes = Message(random);
            bool isDamaged = random.Next(3) == 0 && bytes.Length > 0;
            if (isDamaged)
            {
                bytes[random.Next(bytes.Length)] = (byte)random.Next(256);
                bytes = bytes[..^random.Next(Math.Min(bytes.Length, 10))];
            }

            With(bytes, message =>
            {
                // Of damage behind it a view knows nothing.
                (bool isRead, Properties all) = Try(message.ReadProperties);
                (string Of, object? Expected, Func<object?> View)[] fields =
                [
                    ("message id", all.MessageId, () => message.Properties.MessageId),
                    ("user id", Text(all.UserId), () => Text(message.Properties.UserId)),
                    ("to", all.To, () => message.Properties.To),
                    ("subject", all.Subject, () => message.Properties.Subject),
                    ("reply to", all.ReplyTo, () => message.Properties.ReplyTo),
                    ("correlation id", all.CorrelationId, () => message.Properties.CorrelationId),
                    ("content type", all.ContentType, () => message.Properties.ContentType),
                    ("content encoding", all.ContentEncoding, () => message.Properties.ContentEncoding),
                    ("expiry", all.AbsoluteExpiryTime, () => message.Properties.AbsoluteExpiryTime),
                    ("creation", all.CreationTime, () => message.Properties.CreationTime),
                    ("group", all.GroupId, () => message.Properties.GroupId),
                    ("sequence", all.GroupSequence, () => message.Properties.GroupSequence),
                    ("reply to group", all.ReplyToGroupId, () => message.Properties.ReplyToGroupId),
                ];
                foreach ((string of, object? expected, Func<object?> view) in fields)
                {
                    (bool isFound, object? found) = Try(view);
                    Assert.True(isFound || !isRead, $"{of} cannot be read, and all can.");
                    if (isRead)
                    {
                        Assert.Equal(expected, found);
                    }
                }

                (isRead, AmqpMap map) = Try(message.ReadApplicationProperties);
                foreach (string key in Keys)
                {
                    (bool isWhole, (bool Has, AmqpValue Value) whole) =
                        isRead ? Try(() => (map.TryGetValue(key, out AmqpValue value), value)) : default;
                    (bool isFound, (bool Has, AmqpValue Value) found) =
                        Try(() => (message.TryGetApplicationProperty(key, out AmqpValue value), value));
                    Assert.True(isFound || !isWhole, $"{key} cannot be read, and is in the map.");
                    if (isWhole)
                    {
                        AssertSame(whole, found);
                    }
                }

                Assert.True(isDamaged || isRead);
            });
        }).Check(Config.QuickThrowOnFailure.WithMaxTest(3_000));

    [Fact]
    public void Nothing_is_allocated()
    {
        byte[] bytes = Message(new Random(7), all: true);
        With(bytes, message =>
        {
            long sum = 0;
            var gauge = new Gauge(() =>
            {
                StreamProperties properties = message.Properties;
                sum += (properties.Subject.Equals("subject") ? 1 : 0)
                    + (properties.GroupSequence ?? 0) + (properties.CreationTime?.Milliseconds ?? 0);
                sum += message.TryGetApplicationProperty("try", out AmqpValue value) ? value.As<int>() : 0;
                sum += message.TryGetApplicationProperty("none", out _) ? 1 : 0;
            });
            Gauge.Settle(() => gauge.BytesOfTenCalls == 0, gauge);
            Assert.Equal(0, gauge.BytesOfTenCalls);
            Assert.NotEqual(0, sum);
        });
    }

    [Fact]
    public void What_is_no_message_or_has_another_type_is_refused_and_what_is_absent_is_null()
    {
        With([1, 2, 3], message =>
        {
            Assert.Contains(
                "is not an AMQP 1.0 message",
                Assert.Throws<AmqpFormatException>(() => message.Properties.Subject).Message,
                StringComparison.Ordinal);
            Assert.Throws<AmqpFormatException>(() => message.TryGetApplicationProperty("a", out _));
            Assert.Throws<ArgumentNullException>(() => message.TryGetApplicationProperty(null!, out _));
        });
        With(Written(output => MessageWriter.Write(output, new DataSection { Bytes = new([1]) })), message =>
        {
            Assert.True(message.Properties.Subject.IsNull);
            Assert.Null(message.Properties.UserId);
            Assert.False(message.TryGetApplicationProperty("a", out AmqpValue value));
            Assert.True(value.IsNull);
        });

        // A subject that is a number.
        With([0, 0x53, 0x73, 0xc0, 6, 4, 0x40, 0x40, 0x40, 0x54, 1], message =>
        {
            Assert.True(message.Properties.To.IsNull);
            Assert.Throws<AmqpFormatException>(() => message.Properties.Subject);
            Assert.Null(message.Properties.GroupSequence);
        });
    }

    // Containers whose contents are damaged cannot be compared.
    private static void AssertSame((bool Has, AmqpValue Value) expected, (bool Has, AmqpValue Value) found)
    {
        Assert.Equal((expected.Has, expected.Value.Type), (found.Has, found.Value.Type));
        (bool isCompared, bool isSame) = Try(() => expected.Value.Equals(found.Value));
        Assert.True(isSame || !isCompared, $"Expected {expected.Value}, found {found.Value}.");
    }

    private static byte[] Message(Random random, bool all = false) => Written(output =>
    {
        if (Has())
        {
            MessageWriter.Write(output, new Header { Durable = true });
        }

        if (Has())
        {
            MessageWriter.Write(output, new MessageAnnotations { Map = AmqpValue.Map((new AmqpSymbol("x-exchange"), "there")) });
        }

        if (Has())
        {
            Properties properties = default;
            properties.MessageId = Has() ? 17ul : Has() ? "id" : default(AmqpValue);
            properties.UserId = Has() ? new byte[] { 1, 2 } : null;
            properties.To = Has() ? (AmqpString)new string('t', random.Next(300)) : default;
            properties.Subject = Has() ? "subject" : default(AmqpString);
            properties.CorrelationId = Has() ? Guid.NewGuid() : default(AmqpValue);
            properties.ContentType = Has() ? new AmqpSymbol("application/x-wire") : default;
            properties.CreationTime = Has() ? DateTimeOffset.UtcNow : null;
            properties.GroupId = Has() ? "größe" : default(AmqpString);
            properties.GroupSequence = Has() ? (uint)random.Next(1, 1_000) : null;
            MessageWriter.Write(output, properties);
        }

        if (Has())
        {
            var entries = new List<(AmqpValue, AmqpValue)>();
            Add("region", "north");
            Add(new AmqpSymbol("try"), "a symbol is another key");
            Add("twice", 1);
            Add("größe", 1.5);
            Add("long", new string('l', 400));
            Add("try", 3);
            Add("", Guid.NewGuid());
            Add("twice", 2);
            MessageWriter.Write(output, new ApplicationProperties { Map = AmqpValue.Map([.. entries]) });

            void Add(AmqpValue key, AmqpValue value)
            {
                if (Has())
                {
                    entries.Add((key, value));
                }
            }
        }

        MessageWriter.Write(output, new DataSection { Bytes = new ReadOnlySequence<byte>([1, 2, 3]) });
        if (random.Next(4) == 0)
        {
            MessageWriter.Write(output, new DataSection { Bytes = new ReadOnlySequence<byte>([4]) });
        }

        bool Has() => all || random.Next(2) == 0;
    });

    private static (bool IsRead, T Value) Try<T>(Func<T> read)
    {
        try
        {
            return (true, read());
        }
        catch (AmqpFormatException)
        {
            return (false, default!);
        }
    }

    private static string? Text(ReadOnlyMemory<byte>? bytes) => bytes is { } value ? Convert.ToHexString(value.Span) : null;

    private static byte[] Written(Action<IBufferWriter<byte>> write)
    {
        var output = new ArrayBufferWriter<byte>();
        write(output);
        return output.WrittenSpan.ToArray();
    }

    private static void With(byte[] bytes, Action<StreamMessage> look)
    {
        using var chunk = new ChunkMessages("values", Serializer, new ChunkReading());
        look(chunk.Read(new ChunkWriter().Add(bytes).ToArray(), 0, 0).Span[0]);
    }
}
