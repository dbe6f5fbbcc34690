using System.Buffers;
using Wire.Amqp;
using Wire.RabbitMQ.Streams.Protocol;

namespace Wire.RabbitMQ.Streams.Tests.Protocol;

/// <summary>Frames byte by byte, as the protocol's reference says they are.</summary>
public sealed class StreamFramesTests
{
    [Fact]
    public void DeclarePublisher() => Assert.Equal(
        "00000015" + "0001" + "0001" + "00000007" + "05" + "0003" + "617070" + "0005" + "7175657565",
        Request(7, new DeclarePublisher { PublisherId = 5, Reference = "app", Stream = "queue" }));

    [Fact]
    public void Subscribe_from_an_offset() => Assert.Equal(
        "00000026" +
            "0007" +
            "0001" +
            "00000001" +
            "02" +
            "0001" +
            "73" +
            "0004" +
            "0000000000000011" +
            "000a" +
            "00000001" +
            "0001" +
            "6b" +
            "0005" +
            "76616c7565",
        Request(1, new Subscribe
        {
            SubscriptionId = 2,
            Stream = "s",
            Offset = StreamOffset.At(17).Fields,
            Credit = 10,
            Properties = [new Pair { Key = "k", Value = "value" }],
        }));

    [Fact]
    public void Subscribe_from_what_comes_next() => Assert.Equal(
        "00000014" + "0007" + "0001" + "00000001" + "02" + "0001" + "73" + "0003" + "0001" + "00000000",
        Request(1, new Subscribe { SubscriptionId = 2, Stream = "s", Offset = StreamOffset.Next.Fields, Credit = 1 }));

    [Fact]
    public void SaslAuthenticate() => Assert.Equal(
        "00000014" + "0013" + "0001" + "00000003" + "0005" + "504c41494e" + "00000001" + "00",
        Request(3, new SaslAuthenticate { Mechanism = "PLAIN", Data = [0] }));

    [Fact]
    public void Null_is_a_length_of_minus_one() => Assert.Equal(
        "0000000e" + "0013" + "0001" + "00000003" + "ffff" + "ffffffff",
        Request(3, default(SaslAuthenticate)));

    [Fact]
    public void Tune_and_Heartbeat_are_not_answered()
    {
        Assert.Equal("0000000c" + "0014" + "0001" + "00100000" + "0000003c", Command(new Tune { FrameMax = 1 << 20, Heartbeat = 60 }));
        Assert.Equal("00000004" + "0017" + "0001", Command(default(Heartbeat)));
    }

    [Fact]
    public void A_response_has_the_highest_bit_and_a_code() => Assert.Equal(
        "00000014" + "801a" + "0001" + "00000009" + "0001" + "0004" + "0000000000000064",
        Written(output =>
            StreamFrames.WriteResponse(output, CommandKey.ConsumerUpdate, 9, StreamResponseCode.Ok, StreamOffset.At(100).Fields)));

    [Fact]
    public void The_response_about_metadata_has_no_code() => Assert.Equal(
        "00000010" + "800f" + "0001" + "00000009" + "00000000" + "00000000",
        Written(output => StreamFrames.WriteResponse(output, CommandKey.Metadata, 9, StreamResponseCode.Ok, default(ClusterMetadata))));

    [Fact]
    public void A_text_that_does_not_fit_leaves_nothing_behind()
    {
        using var output = new AmqpBuffer();
        StreamFrames.Write(output, default(Heartbeat));
        ArgumentException error = Assert.Throws<ArgumentException>(
            () => StreamFrames.WriteRequest(output, 1, new DeleteStream { Stream = new string('x', 32_768) }));
        Assert.Contains("32768", error.Message, StringComparison.Ordinal);
        Assert.Throws<System.Text.EncoderFallbackException>(
            () => StreamFrames.WriteRequest(output, 1, new DeleteStream { Stream = "\ud800" }));
        Assert.Equal(8, output.Length);
    }

    [Fact]
    public void A_count_makes_no_room_for_more_than_came()
    {
        AmqpFormatException error =
            Assert.Throws<AmqpFormatException>(() => StreamFrames.Read<ListOf<Pair>>([0x7f, 0xff, 0xff, 0xff, 0, 0]));
        Assert.Equal(AmqpFormatError.Length, error.Error);
        Assert.Throws<AmqpFormatException>(() => StreamFrames.Read<ListOf<Pair>>([0xff, 0xff, 0xff, 0xff]));
    }

    [Fact]
    public void A_text_that_is_not_UTF8_is_refused() =>
        Assert.Equal(AmqpFormatError.Value, Assert.Throws<AmqpFormatException>(() => StreamFrames.Read<Item>([0, 1, 0xff])).Error);

    private static string Request<TCommand>(uint correlation, TCommand command)
        where TCommand : struct, ICommand<TCommand> => Written(output => StreamFrames.WriteRequest(output, correlation, command));

    private static string Command<TCommand>(TCommand command)
        where TCommand : struct, ICommand<TCommand> => Written(output => StreamFrames.Write(output, command));

    private static string Written(Action<AmqpBuffer> write)
    {
        using var output = new AmqpBuffer();
        write(output);
        return Convert.ToHexStringLower(output.Written.ToArray());
    }
}
