using System.Buffers;
using Wire.Amqp.V091;
using Wire.Testing;

namespace Wire.Amqp.Tests.Interop;

/// <summary>What RabbitMQ.Client and RabbitMQ have said to each other is read, and written again.</summary>
public sealed class CapturedFramesTests
{
    public static TheoryData<string, bool> Directions => new()
    {
        { "everything", true },
        { "everything", false },
        { "large-body", true },
        { "large-body", false },
    };

    [Theory]
    [MemberData(nameof(Directions))]
    public void Every_frame_is_decoded_and_written_again_as_the_same_bytes(string name, bool fromClient)
    {
        byte[] bytes = CapturedFrames.Load(name, fromClient);
        int position = 0;
        foreach (Frame frame in CapturedFrames.Read(new ReadOnlySequence<byte>(bytes)))
        {
            byte[] again = CapturedFrames.WriteAgain(frame);
            Assert.Equal(position, frame.Offset);
            Assert.Equal(bytes.AsSpan(position, (int)frame.PayloadLength + 8), again.AsSpan());
            position += again.Length;
        }

        Assert.Equal(bytes.Length, position);
    }

    [Theory]
    [MemberData(nameof(Directions))]
    public void Wherever_the_input_is_split_the_frames_are_the_same(string name, bool fromClient)
    {
        byte[] bytes = CapturedFrames.Load(name, fromClient);
        List<Frame> whole = CapturedFrames.Read(new ReadOnlySequence<byte>(bytes));
        foreach (ReadOnlySequence<byte> split in Sequences.SplitEverywhere(bytes))
        {
            AssertSame(whole, CapturedFrames.Read(split));
        }

        for (int size = 1; size < 20; size++)
        {
            List<Frame> frames = CapturedFrames.Read(Sequences.Chunked(bytes, size));
            AssertSame(whole, frames);
            Assert.Equal(bytes, frames.SelectMany(CapturedFrames.WriteAgain));
        }
    }

    [Theory]
    [MemberData(nameof(Directions))]
    public void Wherever_the_input_is_cut_the_frames_before_are_there_and_what_is_missing_is_known(string name, bool fromClient)
    {
        byte[] bytes = CapturedFrames.Load(name, fromClient);
        List<Frame> whole = CapturedFrames.Read(new ReadOnlySequence<byte>(bytes));
        for (int length = 0; length < bytes.Length; length++)
        {
            var reader = new FrameReader(bytes.AsMemory(0, length), frameMax: 0);
            int count = 0;
            while (reader.TryRead(out _))
            {
                count++;
            }

            long end = whole[count].Offset + whole[count].PayloadLength + 8;
            Assert.Equal(whole[count].Offset, reader.Consumed);
            Assert.InRange(length, whole[count].Offset, end - 1);
            Assert.InRange(reader.Missing, 1, end - length);
        }
    }

    [Theory]
    [InlineData(true, 4)]
    [InlineData(false, 5)]
    public void All_properties_and_headers_are_those_that_were_published(bool fromClient, int messages)
    {
        List<Frame> frames = CapturedFrames.Read(new ReadOnlySequence<byte>(CapturedFrames.Load("everything", fromClient)));
        ContentHeader[] headers = [.. frames.Where(frame => frame.Type == FrameType.Header).Select(frame => frame.ReadContentHeader())];
        ContentHeader[] full = [.. headers.Where(header => !header.Properties.AppId.IsNull)];
        Assert.Equal(messages, full.Length);
        foreach (ContentHeader header in full)
        {
            Assert.Equal((ulong)ClientSamples.SmallBody.Length, header.BodySize);
            FieldAssert.Same(ClientSamples.AllProperties(), header.Properties);
        }
    }

    [Fact]
    public void What_a_method_says_is_what_was_asked_for()
    {
        List<Frame> client = CapturedFrames.Read(new ReadOnlySequence<byte>(CapturedFrames.Load("everything", fromClient: true)));
        List<Frame> server = CapturedFrames.Read(new ReadOnlySequence<byte>(CapturedFrames.Load("everything", fromClient: false)));

        ConnectionStart start = server[0].ReadMethod<ConnectionStart>();
        Assert.Equal((0, 9), (start.VersionMajor, start.VersionMinor));
        Assert.Equal("RabbitMQ", start.ServerProperties["product"].AsString().ToString());
        Assert.True(start.ServerProperties["capabilities"].AsTable()["basic.nack"].AsBoolean());
        Assert.Equal("\0guest\0guest", client[0].ReadMethod<ConnectionStartOk>().Response.ToString());

        QueueDeclare declare = client.First(frame => frame.MethodId == MethodId.QueueDeclare).ReadMethod<QueueDeclare>();
        Assert.Equal(
            (false, false, true, false, false), (declare.Passive, declare.Durable, declare.Exclusive, declare.AutoDelete, declare.NoWait));
        FieldAssert.Same(RecordedSessions.QueueArguments, declare.Arguments);

        BasicReturn returned = server.Single(frame => frame.MethodId == MethodId.BasicReturn).ReadMethod<BasicReturn>();
        Assert.Equal((312, "NO_ROUTE", "nowhere"), (returned.ReplyCode, returned.ReplyText.ToString(), returned.RoutingKey.ToString()));

        ChannelClose failure = server.Single(frame => frame.MethodId == MethodId.ChannelClose).ReadMethod<ChannelClose>();
        Assert.Equal((404, 50, 10), (failure.ReplyCode, failure.ClassId, failure.MethodId));

        ConnectionClose close = client[^1].ReadMethod<ConnectionClose>();
        Assert.Equal((200, "goodbye"), (close.ReplyCode, close.ReplyText.ToString()));
        Assert.Equal(MethodId.ConnectionCloseOk, server[^1].MethodId);
        Assert.Contains(client, frame => frame.Type == FrameType.Heartbeat);
        Assert.Contains(server, frame => frame.Type == FrameType.Heartbeat);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_body_of_three_frames_is_the_one_that_was_published(bool fromClient)
    {
        List<Frame> frames = CapturedFrames.Read(new ReadOnlySequence<byte>(CapturedFrames.Load("large-body", fromClient)));
        Frame[] body = [.. frames.Where(frame => frame.Type == FrameType.Body)];
        Assert.Equal([4088, 4088, 100], body.Select(frame => frame.PayloadLength));
        Assert.Equal(ClientSamples.ThreeFrameBody, body.SelectMany(frame => frame.Payload.ToArray()));
        Assert.Equal(
            (ulong)ClientSamples.ThreeFrameBody.Length,
            frames.Single(frame => frame.Type == FrameType.Header).ReadContentHeader().BodySize);

        var output = new ArrayBufferWriter<byte>();
        FrameWriter.WriteBody(output, body[0].Channel, ClientSamples.ThreeFrameBody, frameMax: 4096);
        Assert.Equal(body.SelectMany(CapturedFrames.WriteAgain), output.WrittenSpan.ToArray());
    }

    private static void AssertSame(List<Frame> expected, List<Frame> actual)
    {
        Assert.Equal(expected.Count, actual.Count);
        for (int i = 0; i < expected.Count; i++)
        {
            Assert.Equal(
                (expected[i].Type, expected[i].Channel, expected[i].Offset), (actual[i].Type, actual[i].Channel, actual[i].Offset));
            Assert.True(actual[i].Payload.ToArray().AsSpan().SequenceEqual(expected[i].Payload.FirstSpan));
        }
    }
}
