using System.Buffers;
using System.Buffers.Binary;
using Microsoft.AspNetCore.SignalR.Protocol;
using Wire.AspNetCore.Tests.Testing;
using Wire.Comparing;
using Wire.Testing;

namespace Wire.AspNetCore.Tests.SignalR;

/// <summary>The frames of the hub protocol, without a connection.</summary>
public sealed class ProtocolTests
{
    private static readonly WireHubProtocol Protocol = new(Shop.Serializer);

    private static readonly Binder TwoArguments = new(typeof(ShopEvent), typeof(object));

    private static readonly Dictionary<string, string> Headers = new() { ["trace"] = "00-1", ["empty"] = "" };

    public static TheoryData<string> Kinds => [.. Samples().Keys];

    private static Dictionary<string, HubMessage> Samples() => new()
    {
        ["invocation"] = new InvocationMessage("7", "Place", [Shop.Gift, Shop.NewBasket()]) { Headers = Headers },
        ["invocation without an answer"] = new InvocationMessage("Place", [Shop.Order, 42]),
        ["invocation with streams"] = new InvocationMessage("7", "Place", [null, null], ["1", "2"]),
        ["stream invocation"] = new StreamInvocationMessage("8", "Watch", [Shop.Order, "ü€😀"], ["3"]) { Headers = Headers },
        ["stream item"] = new StreamItemMessage("8", Shop.Gift) { Headers = Headers },
        ["stream item null"] = new StreamItemMessage("8", null),
        ["completion with error"] = new CompletionMessage("8", "It failed.", null, hasResult: false) { Headers = Headers },
        ["completion with empty error"] = new CompletionMessage("8", "", null, hasResult: false),
        ["completion with result"] = new CompletionMessage("8", null, Shop.Gift, hasResult: true) { Headers = Headers },
        ["completion with null"] = new CompletionMessage("8", null, null, hasResult: true),
        ["completion"] = CompletionMessage.Empty("8"),
        ["cancel"] = new CancelInvocationMessage("8") { Headers = Headers },
        ["ping"] = PingMessage.Instance,
        ["close"] = CloseMessage.Empty,
        ["close with error"] = new CloseMessage("Go away.", allowReconnect: true),
        ["ack"] = new AckMessage(long.MaxValue),
        ["sequence"] = new SequenceMessage(1L << 40),
    };

    [Fact]
    public void Each_kind_of_message_of_SignalR_has_a_sample()
    {
        Type[] kinds = [.. typeof(HubMessage).Assembly.GetExportedTypes().Where(
            type => type.IsSubclassOf(typeof(HubMessage))
                && !type.IsAbstract
                && !type.Name.Contains("BindingFailure", StringComparison.Ordinal)
                && type != typeof(HandshakeRequestMessage) && type != typeof(HandshakeResponseMessage))];

        Assert.Equal(9, kinds.Length);
        Assert.Equal(
            kinds.OrderBy(kind => kind.Name),
            Samples().Values.Select(sample => sample.GetType()).Distinct().OrderBy(kind => kind.Name));
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void A_message_comes_back_and_takes_its_frame_alone(string kind)
    {
        HubMessage message = Samples()[kind];
        byte[] frame = Write(message);
        Assert.Equal(frame, Protocol.GetMessageBytes(message).ToArray());

        var input = new ReadOnlySequence<byte>([.. frame, 99]);
        Assert.True(Protocol.TryParseMessage(ref input, TwoArguments, out HubMessage? read));

        Assert.Equal([99], input.ToArray());
        AssertSame(message, read);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void A_frame_that_is_not_there_to_its_end_waits(string kind)
    {
        byte[] frame = Write(Samples()[kind]);
        for (int length = 0; length < frame.Length; length++)
        {
            var input = new ReadOnlySequence<byte>(frame, 0, length);
            Assert.False(Protocol.TryParseMessage(ref input, TwoArguments, out HubMessage? none));
            Assert.Null(none);
            Assert.Equal(length, input.Length);
        }
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void A_frame_may_come_in_pieces_of_any_size(string kind)
    {
        HubMessage message = Samples()[kind];
        byte[] frame = Write(message);
        foreach (ReadOnlySequence<byte> pieces in Sequences.SplitEverywhere(frame).Append(Sequences.Chunked(frame, 1)))
        {
            ReadOnlySequence<byte> input = pieces;
            Assert.True(Protocol.TryParseMessage(ref input, TwoArguments, out HubMessage? read));
            Assert.True(input.IsEmpty);
            AssertSame(message, read);
        }
    }

    // Whatever a frame says: a message, a failure of its binding, or the end of the connection with one kind of exception.
    [Theory]
    [MemberData(nameof(Kinds))]
    public void A_frame_with_a_changed_byte_is_a_message_or_one_clear_error(string kind)
    {
        byte[] frame = Write(Samples()[kind]);
        for (int at = 0; at < frame.Length; at++)
        {
            foreach (byte change in new byte[] { 0x01, 0x80, 0xFF })
            {
                byte[] changed = [.. frame];
                changed[at] ^= change;
                var input = new ReadOnlySequence<byte>(changed);
                try
                {
                    if (!Protocol.TryParseMessage(ref input, TwoArguments, out _))
                    {
                        Assert.True(at <= sizeof(int), $"byte {at} of {frame.Length}"); // a length or a kind
                    }
                }
                catch (InvalidDataException exception)
                {
                    Assert.NotEmpty(exception.Message);
                }
            }
        }
    }

    [Fact]
    public void A_refused_argument_fails_the_call_and_leaves_the_next_message()
    {
        byte[] frames = [.. Write(new InvocationMessage("1", "Place", [Shop.Intruder, 1])), .. Write(PingMessage.Instance)];
        var input = new ReadOnlySequence<byte>(frames);

        Assert.True(Protocol.TryParseMessage(ref input, TwoArguments, out HubMessage? first));
        Assert.True(Protocol.TryParseMessage(ref input, TwoArguments, out HubMessage? second));

        var failure = Assert.IsType<InvocationBindingFailureMessage>(first);
        Assert.Equal("1", failure.InvocationId);
        Assert.Equal("Place", failure.Target);
        var outer = Assert.IsType<InvalidDataException>(failure.BindingFailure.SourceException);
        Assert.StartsWith(
            "Argument 1 of 2, a Wire.AspNetCore.Tests.Testing.ShopEvent, cannot be read: ",
            outer.Message,
            StringComparison.Ordinal);
        Assert.Contains("Intruder", Assert.IsType<TypeRefusedException>(outer.InnerException).TypeName, StringComparison.Ordinal);
        Assert.IsType<PingMessage>(second);
    }

    [Theory]
    [InlineData("Unknown", 2)]
    [InlineData("Place", 1)]
    [InlineData("Place", 3)]
    public void A_call_that_no_method_fits_fails_alone(string target, int arguments)
    {
        var input = new ReadOnlySequence<byte>(Write(new InvocationMessage("1", target, new object[arguments])));

        Assert.True(Protocol.TryParseMessage(ref input, TwoArguments, out HubMessage? message));

        Assert.Equal(target, Assert.IsType<InvocationBindingFailureMessage>(message).Target);
        Assert.True(input.IsEmpty);
    }

    [Fact]
    public void A_refused_item_fails_its_stream()
    {
        var input = new ReadOnlySequence<byte>(Write(new StreamItemMessage("5", Shop.Intruder)));

        Assert.True(Protocol.TryParseMessage(ref input, TwoArguments, out HubMessage? message));

        var failure = Assert.IsType<StreamBindingFailureMessage>(message);
        Assert.Equal("5", failure.Id);
        Assert.IsType<TypeRefusedException>(failure.BindingFailure.SourceException);
    }

    [Fact]
    public void A_refused_item_ends_the_stream_of_a_client_with_an_error()
    {
        var protocol = new WireHubProtocol(Shop.Serializer) { IsClient = true };

        var completion = Assert.IsType<CompletionMessage>(Parse(protocol, Write(new StreamItemMessage("5", Shop.Intruder))));

        Assert.Equal("5", completion.InvocationId);
        Assert.Contains("Intruder", completion.Error, StringComparison.Ordinal);
        Assert.False(new WireHubProtocol(Shop.Serializer).IsClient);
    }

    // The text of a server's goes on to other clients.
    [Fact]
    public void A_refused_result_is_the_error_of_the_call()
    {
        byte[] frame = Write(new CompletionMessage("5", null, Shop.Intruder, hasResult: true));

        var atServer = Assert.IsType<CompletionMessage>(Parse(Protocol, frame));
        var atClient = Assert.IsType<CompletionMessage>(Parse(NewClient(1000), frame));

        Assert.False(atServer.HasResult);
        Assert.Equal("The result of the client cannot be read: TypeRefused.", atServer.Error);
        Assert.False(atClient.HasResult);
        Assert.StartsWith(
            "The result, a Wire.AspNetCore.Tests.Testing.ShopEvent, cannot be read: ", atClient.Error, StringComparison.Ordinal);
        Assert.Contains("Intruder", atClient.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void A_result_that_nobody_waits_for_is_not_read()
    {
        var input = new ReadOnlySequence<byte>(Write(new CompletionMessage("5", null, Shop.Intruder, hasResult: true)));

        Assert.True(Protocol.TryParseMessage(ref input, new Binder { ResultType = null }, out HubMessage? message));

        var completion = Assert.IsType<CompletionMessage>(message);
        Assert.Null(completion.Error);
        Assert.Null(completion.Result);
    }

    // A server that keeps a hub together with others passes answers of clients on without reading them.
    [Fact]
    public void A_raw_result_is_passed_on_as_it_is()
    {
        byte[] frame = Write(new CompletionMessage("5", null, Shop.Intruder, hasResult: true));
        var input = new ReadOnlySequence<byte>(frame);

        Assert.True(Protocol.TryParseMessage(ref input, new Binder { ResultType = typeof(RawResult) }, out HubMessage? raw));

        Assert.Equal(frame, Write(raw));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(-1)]
    [InlineData(int.MaxValue)]
    [InlineData(int.MinValue)]
    [InlineData(1000 - 3)]
    public void A_length_that_no_frame_has_is_refused_before_anything_follows(int length)
    {
        var protocol = new WireHubProtocol(new Serializer(Shop.Options with { Limits = new() { MaxFrameBytes = 1000 } }));
        byte[] begin = new byte[4];
        BinaryPrimitives.WriteInt32LittleEndian(begin, length);
        var input = new ReadOnlySequence<byte>(begin);

        string message = Assert.Throws<InvalidDataException>(() => protocol.TryParseMessage(ref input, TwoArguments, out _)).Message;

        Assert.StartsWith(
            $"A frame of {(uint)length} bytes is announced, and one may have from 1 to 996: ", message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_frame_at_the_limit_is_written_and_read_and_one_beyond_is_neither()
    {
        var message = new InvocationMessage("1", "Place", [null, new string('x', 500)]);
        byte[] text = Write(message);
        WireHubProtocol least = NewClient(text.Length);
        WireHubProtocol less = NewClient(text.Length - 1);
        var output = new ArrayBufferWriter<byte>();
        var input = new ReadOnlySequence<byte>(text);

        least.WriteMessage(message, output);
        Assert.Equal(text, output.WrittenSpan.ToArray());
        Assert.True(least.TryParseMessage(ref input, TwoArguments, out _));

        output.Clear();
        Assert.Contains(
            "MaxFrameBytes",
            Assert.Throws<ArgumentException>(() => less.WriteMessage(message, output)).Message,
            StringComparison.Ordinal);
        Assert.Equal(0, output.WrittenCount);
        Assert.Throws<InvalidDataException>(() => Parse(less, text));
    }

    [Theory]
    [InlineData("0201000000")] // an item without what follows its headers
    [InlineData("0180808080")] // a count without an end
    [InlineData("01FFFFFFFF7F")] // a count of 35 bits
    [InlineData("0180808080807F")] // a count of seven bytes
    [InlineData("01020261036262026103636300")] // a header twice
    [InlineData("01010200")] // a header without a value
    [InlineData("01000000")] // no target
    [InlineData("010002FF0261")] // an identifier that is no UTF-8
    [InlineData("01000002FF00")] // a target that is no UTF-8
    [InlineData("05000061")] // no identifier
    [InlineData("0300023104")] // an answer of no kind
    [InlineData("070002")] // reconnecting: neither yes nor no
    [InlineData("0800000000000000")] // a number cut short
    [InlineData("06AA")] // more than a ping
    [InlineData("01000006506C61636502010000001200000000FF")] // an argument longer than the frame, behind one that is not
    [InlineData("01000006506C61636502FFFFFF7F00")] // a first argument longer than the frame
    [InlineData("01000006506C616365FFFFFFFF0700")] // many arguments
    [InlineData("01000006506C61636502010000000101000000FF00AA")] // more than a call, behind arguments that cannot be read
    [InlineData("01000008556E6B6E6F776E01FFFFFF7F00")] // the same for a method that is not there
    [InlineData("02000231FFFFFF7F00")] // a value longer than the frame
    [InlineData("02000231FFFFFFFF00")] // a value of a negative length
    public void A_frame_whose_fields_do_not_fit_is_invalid_data(string hex)
    {
        byte[] content = Convert.FromHexString(hex);
        byte[] frame = [(byte)content.Length, 0, 0, 0, .. content];

        Assert.NotEmpty(Assert.Throws<InvalidDataException>(() => Parse(Protocol, frame)).Message);
    }

    [Fact]
    public void A_kind_of_a_later_version_is_passed_over()
    {
        var input = new ReadOnlySequence<byte>([2, 0, 0, 0, 77, 1, .. Write(PingMessage.Instance)]);

        Assert.True(Protocol.TryParseMessage(ref input, TwoArguments, out HubMessage? message));

        Assert.IsType<PingMessage>(message);
        Assert.True(input.IsEmpty);
    }

    // What is described in docs/aspnetcore.md, for other languages and later versions.
    [Theory]
    [InlineData("ping", "0100000006")]
    [InlineData("close with error", "0B000000" + "07" + "09476F20617761792E" + "01")]
    [InlineData("ack", "09000000" + "08" + "FFFFFFFFFFFFFF7F")]
    [InlineData("completion", "05000000" + "03" + "00" + "0238" + "02")]
    [InlineData("stream item null", "0A000000" + "02" + "00" + "0238" + "02000000" + "1200")]
    public void Frames_are_these_bytes(string kind, string hex) => Assert.Equal(hex, Convert.ToHexString(Write(Samples()[kind])));

    [Fact]
    public void What_a_client_cannot_write_leaves_the_output_alone()
    {
        WireHubProtocol client = NewClient(Limits.Default.MaxFrameBytes);
        var output = new ArrayBufferWriter<byte>();

        Assert.Throws<UnsupportedTypeException>(
            () => client.WriteMessage(new InvocationMessage("Place", [new int[10_000], Shop.Unwritable]), output));
        Assert.Throws<UnsupportedTypeException>(
            () => client.WriteMessage(new StreamInvocationMessage("1", "Place", [Shop.Unwritable]), output));
        Assert.Throws<UnsupportedTypeException>(() => client.GetMessageBytes(new StreamItemMessage("1", Shop.Unwritable)));
        Assert.Throws<ArgumentException>(
            () => Protocol.WriteMessage(new StreamBindingFailureMessage("1", null!), output));

        Assert.Equal(0, output.WrittenCount);
        client.WriteMessage(PingMessage.Instance, output);
        Assert.Equal(5, output.WrittenCount);
    }

    // SignalR closes the connections for which its server cannot write a message.
    [Fact]
    public void Instead_of_what_cannot_be_written_there_is_an_error_for_the_receiver()
    {
        AssertError("The result cannot be written.", Write(CompletionMessage.WithResult("5", Shop.Unwritable)));
        AssertError("An item of the stream cannot be written.", Write(new StreamItemMessage("5", Shop.Unwritable)));
        AssertError("The call has failed, and its error cannot be written.", Write(CompletionMessage.WithError("5", "\uD800")));
        AssertError(
            "The result cannot be written.",
            NewClient(Limits.Default.MaxFrameBytes).GetMessageBytes(CompletionMessage.WithResult("5", Shop.Unwritable)).ToArray());

        byte[] call = Write(new InvocationMessage("5", "Place", [Shop.Gift, Shop.Unwritable]));
        Assert.Equal("1400000001000235" + "06506C616365" + "02" + "0000000000000000" + "00", Convert.ToHexString(call));
        var failure = Assert.IsType<InvocationBindingFailureMessage>(Parse(NewClient(1000), call));
        Assert.Equal("5", failure.InvocationId);
        Assert.Equal(
            "Argument 1 of 2, a Wire.AspNetCore.Tests.Testing.ShopEvent, could not be written by the sender.",
            failure.BindingFailure.SourceException.Message);

        static void AssertError(string error, byte[] frame)
        {
            var completion = Assert.IsType<CompletionMessage>(Parse(Protocol, frame));
            Assert.Equal("5", completion.InvocationId);
            Assert.Equal(error, completion.Error);
        }
    }

    [Fact]
    public void Writing_allocates_nothing()
    {
        var message = new InvocationMessage("7", "Place", [Shop.Gift, Shop.Order]);
        var output = new ArrayBufferWriter<byte>(4096);

        Allocations.AssertNone(() =>
        {
            output.ResetWrittenCount();
            Protocol.WriteMessage(message, output);
        });
    }

    [Fact]
    public void The_protocol_is_binary_and_of_two_versions()
    {
        Assert.Equal("wire", Protocol.Name);
        Assert.Equal(Microsoft.AspNetCore.Connections.TransferFormat.Binary, Protocol.TransferFormat);
        Assert.Equal([1, 2], Enumerable.Range(0, 4).Where(Protocol.IsVersionSupported));
        Assert.Equal(2, Protocol.Version);
    }

    private static WireHubProtocol NewClient(int maxFrameBytes) =>
        new(new Serializer(Shop.Options with { Limits = new() { MaxFrameBytes = maxFrameBytes } })) { IsClient = true };

    private static byte[] Write(HubMessage message)
    {
        var output = new ArrayBufferWriter<byte>();
        Protocol.WriteMessage(message, output);
        return output.WrittenSpan.ToArray();
    }

    private static HubMessage? Parse(WireHubProtocol protocol, byte[] frame)
    {
        var input = new ReadOnlySequence<byte>(frame);
        protocol.TryParseMessage(ref input, TwoArguments, out HubMessage? message);
        return message;
    }

    private static void AssertSame(HubMessage expected, HubMessage? actual)
    {
        Assert.NotNull(actual);
        Assert.Equal(expected.GetType(), actual.GetType());
        GraphAssert.Same(Fields(expected), Fields(actual));
    }

    // All that a message has, in order; no headers and none at all are the same.
    private static object?[] Fields(HubMessage message) =>
    [
        message is HubInvocationMessage { Headers: { Count: > 0 } headers }
            ? headers.OrderBy(header => header.Key).Select(header => $"{header}").ToArray()
            : null,
        .. message switch
        {
            HubMethodInvocationMessage call =>
                [call.InvocationId, call.Target, call.Arguments, call.StreamIds is { Length: > 0 } ids ? ids : null],
            StreamItemMessage item => [item.InvocationId, item.Item],
            CompletionMessage completion => [completion.InvocationId, completion.Error, completion.HasResult, completion.Result],
            CancelInvocationMessage cancel => [cancel.InvocationId],
            CloseMessage close => [close.Error, close.AllowReconnect],
            AckMessage ack => [ack.SequenceId],
            SequenceMessage sequence => new object?[] { sequence.SequenceId },
            _ => [],
        },
    ];
}
