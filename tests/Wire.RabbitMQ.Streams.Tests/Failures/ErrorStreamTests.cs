using System.Buffers;
using Wire.Amqp;
using Wire.Amqp.V10;
using Wire.RabbitMQ.Streams.Protocol;
using Wire.RabbitMQ.Streams.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Streams.Tests.Failures;

/// <summary>Messages that cannot be handled go to an error stream, and none is lost on the way.</summary>
public sealed class ErrorStreamTests
{
    private static readonly StreamConsumerOptions ToErrors = new()
    {
        Offset = StreamOffset.First,
        Retry = new StreamRetryPolicy { MaxAttempts = 2 },
        OnFailure = _ => StreamFailedMessage.ErrorStream,
    };

    [Fact]
    public async Task On_the_broker_a_message_arrives_with_its_own_properties_and_the_reason()
    {
        await using ProducerStream stream = await ProducerStream.CreateAsync();
        string errors = stream.Name + ".error";
        await using (StreamProducer producer = await stream.Client.CreateProducerAsync(stream.Name))
        {
            await producer.SendAsync("good");
            await producer.SendMessageAsync(
                "bad",
                new Properties { MessageId = "id", Subject = "subject" },
                new ApplicationProperties { Map = AmqpValue.Map(("own", 7), ("x-wire-error-reason", "earlier")) });
            await producer.SendAsync(new byte[] { 1, 2, 3 });
            await producer.SendAsync("last");
        }

        var handled = new List<string>();
        var done = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        try
        {
            await using StreamConsumer consumer = await stream.Client.ConsumeAsync<string>(
                stream.Name,
                (text, _) =>
                {
                    handled.Add(text);
                    if (text == "last")
                    {
                        done.SetResult();
                    }

                    return text == "bad" ? throw new InvalidDataException("not this") : default;
                },
                ToErrors with { Name = "reader" });
            await (await Task.WhenAny(done.Task, consumer.Completion)).WaitAsync(Patience.Limit);
            Assert.Equal(["good", "bad", "bad", "last"], handled);

            var found = new List<(Dictionary<string, object?> Properties, string? Id, object? Value)>();
            await using StreamConsumer reader = await stream.Client.ConsumeAsync(
                errors,
                message =>
                {
                    var properties = new Dictionary<string, object?>();
                    foreach ((AmqpValue key, AmqpValue value) in message.ReadApplicationProperties())
                    {
                        properties.Add(key.As<string>(), value.ToObject());
                    }

                    string? id = message.ReadProperties().MessageId is { IsNull: false } given ? given.As<string>() : null;
                    lock (found)
                    {
                        found.Add((properties, id, message.Read<object>()));
                    }

                    return default;
                },
                new StreamConsumerOptions { Offset = StreamOffset.First });
            await Until.HoldsAsync(
                () =>
                {
                    lock (found)
                    {
                        return found.Count == 2;
                    }
                },
                "two messages");
            Assert.Equal(("id", "bad"), (found[0].Id, found[0].Value));
            Assert.Equal(7, found[0].Properties["own"]);
            AssertReason(found[0].Properties, "handler-failed", stream.Name, 1, attempts: 2);
            Assert.Equal("System.IO.InvalidDataException", found[0].Properties["x-wire-error-exception"]);
            Assert.Equal("not this", found[0].Properties["x-wire-error-message"]);
            Assert.Contains(nameof(ErrorStreamTests), (string)found[0].Properties["x-wire-error-stack-trace"]!, StringComparison.Ordinal);
            Assert.Equal(new byte[] { 1, 2, 3 }, found[1].Value);
            AssertReason(found[1].Properties, "undecodable", stream.Name, 2, attempts: 0);
        }
        finally
        {
            await stream.Client.DeleteStreamAsync(errors);
        }

        static void AssertReason(Dictionary<string, object?> properties, string reason, string stream, long offset, int attempts)
        {
            Assert.Equal(reason, properties["x-wire-error-reason"]);
            Assert.Equal(stream, properties["x-wire-error-stream"]);
            Assert.Equal(offset, properties["x-wire-error-offset"]);
            Assert.Equal(attempts, properties["x-wire-error-attempts"]);
            long time = ((Timestamp)properties["x-wire-error-time"]!).Milliseconds;
            Assert.InRange(DateTimeOffset.UtcNow - DateTimeOffset.FromUnixTimeMilliseconds(time), TimeSpan.Zero, TimeSpan.FromMinutes(2));
        }
    }

    [Fact]
    public async Task What_is_no_message_of_sections_is_the_data_of_one_and_the_sections_of_others_stay_as_they_are()
    {
        // Raw bytes; a footer and two data sections; application properties that are damaged; a descriptor that few write.
        byte[] two = Written(output =>
        {
            MessageWriter.Write(output, new Header { Durable = true });
            MessageWriter.Write(output, new DataSection { Bytes = new ReadOnlySequence<byte>([1, 2]) });
            MessageWriter.Write(output, new DataSection { Bytes = new ReadOnlySequence<byte>([3]) });
        });
        byte[] damaged = [0, 0x53, 0x74, 0xc1, 3, 2, 0xa1, 9, 0, 0x53, 0x75, 0xa0, 1, 5];
        byte[] unusual = [0, 0x80, 0, 0, 0, 0, 0, 0, 0, 0x75, 0xa0, 1, 5];
        byte[][] messages = [[9, 9], two, damaged, unusual, []];
        await using var server = new StrictStreamServer();
        server.Create("s");
        server.Append("s", messages);
        await using var client = new StreamClient(server.Options);
        await using StreamConsumer consumer = await client.ConsumeAsync("s", _ => throw new InvalidDataException("no"), ToErrors);
        await Until.HoldsAsync(() => consumer.Offset == 4, "all messages");
        IReadOnlyList<byte[]> found = server.Messages("s.error");
        Assert.Equal(5, found.Count);
        for (int i = 0; i < found.Count; i++)
        {
            (AmqpMap properties, byte[] rest) = Split(found[i]);
            Assert.Equal((long)i, properties["x-wire-error-offset"].As<long>());
            if (i == 1)
            {
                Assert.Equal(two, rest);
                Assert.False(properties.TryGetValue("x-wire-error-body", out _));
            }
            else
            {
                Assert.Equal("message", properties["x-wire-error-body"].As<string>());
                Assert.Equal(Written(output => MessageWriter.Write(output, new DataSection { Bytes = new(messages[i]) })), rest);
            }
        }

        // The application properties, and all but them.
        static (AmqpMap Properties, byte[] Others) Split(byte[] message)
        {
            var reader = new MessageReader(message);
            AmqpMap properties = default;
            int start = -1;
            int end = message.Length;
            while (reader.TryRead(out Section section))
            {
                if (start >= 0)
                {
                    end = Math.Min(end, (int)section.Offset - 3);
                }

                if (section.Kind == SectionKind.ApplicationProperties)
                {
                    start = (int)section.Offset - 3;
                    properties = section.Read<ApplicationProperties>().Map;
                }
            }

            return (properties, [.. message[..start], .. message[end..]]);
        }
    }

    [Fact]
    public async Task All_messages_of_a_chunk_go_there_and_those_that_accepts_throws_at()
    {
        await using StrictStreamServer server = Server(6);
        await using var client = new StreamClient(server.Options);
        await using StreamConsumer consumer = await client.ConsumeBatchesAsync(
            "s",
            _ => throw new InvalidDataException("none of these"),
            ToErrors with
            {
                ErrorStream = "others",
                Accepts = message => message.Offset == 2 ? throw new FormatException("who is that") : message.Offset != 3,
            });
        await Until.HoldsAsync(() => consumer.Offset == 5, "all messages");
        Assert.Equal([0L, 1, 2, 4, 5], server.Messages("others").Select(OffsetOf));
    }

    [Fact]
    public async Task While_it_cannot_be_reached_it_is_tried_again_and_nothing_goes_on()
    {
        await using StrictStreamServer server = Server(3);
        server.Create("s.error");
        await using var client = new StreamClient(server.Options);
        var numbers = new Numbers();
        server.When(CommandKey.DeclarePublisher, Reaction.Cut, times: 2);
        server.When(CommandKey.DeclarePublisher, Reaction.Refuse(StreamResponseCode.StreamNotAvailable));
        server.When(CommandKey.Publish, Reaction.Cut);
        await using StreamConsumer consumer = await client.ConsumeAsync(
            "s", message => message.Offset == 0 ? throw new InvalidDataException("no") : numbers.Add(message), ToErrors);
        await numbers.ReachAsync(2);
        Assert.Equal([1, 2], numbers.All);
        Assert.Equal([0L], server.Messages("s.error").Select(OffsetOf));
    }

    [Fact]
    public async Task One_that_is_deleted_while_it_is_published_to_is_created_again()
    {
        await using StrictStreamServer server = Server(1);
        var time = new LookTime();
        await using var client = new StreamClient(server.Options with { Timeout = TimeSpan.FromSeconds(8), Time = time });
        await using StreamConsumer consumer = await client.ConsumeAsync("s", _ => throw new InvalidDataException("no"), ToErrors);
        await Until.HoldsAsync(() => consumer.Offset == 0, "the first message");
        server.Delete("s.error");
        server.Append("s", ProducerStream.Body(1));
        await time.PassUntilAsync(() => server.Received(CommandKey.Create) == 2, "another error stream");
        await Until.HoldsAsync(() => consumer.Offset == 1, "the second message");
        Assert.Equal([1L], server.Messages("s.error").Select(OffsetOf));
    }

    [Fact]
    public async Task What_accepts_throws_at_goes_there_in_its_place_and_once_when_its_chunk_comes_again()
    {
        await using StrictStreamServer server = Server(4);
        await using var client = new StreamClient(server.Options);
        var began = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var held = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var numbers = new Numbers();
        await using StreamConsumer consumer = await client.ConsumeAsync(
            "s",
            async message =>
            {
                began.TrySetResult();
                await held.Task;
                await numbers.Add(message);
            },
            ToErrors with { Accepts = message => message.Offset == 2 ? throw new FormatException("who is that") : true });
        await began.Task.WaitAsync(Patience.Limit);
        server.CutAll();
        await Until.HoldsAsync(() => server.Connections.Count == 0 || consumer.Interruption is not null, "the loss");
        held.SetResult();
        await Until.HoldsAsync(() => consumer.Offset == 3, "all messages");
        Assert.Equal([0, 1, 3], numbers.All);
        Assert.Equal([2L], server.Messages("s.error").Select(OffsetOf));
    }

    [Fact]
    public async Task Texts_that_are_no_unicode_or_are_cut_within_a_character_do_not_end_the_consumer()
    {
        await using StrictStreamServer server = Server(2);
        await using var client = new StreamClient(server.Options);
        await using StreamConsumer consumer = await client.ConsumeAsync(
            "s",
            message => throw new InvalidDataException(message.Offset == 0 ? "a \ud800 b" : $"{new string('x', 8191)}\ud83d\ude00 y"),
            ToErrors);
        await (await Task.WhenAny(Until.HoldsAsync(() => consumer.Offset == 1, "all messages"), consumer.Completion));
        Assert.Equal(["a \ufffd b", new string('x', 8191)], server.Messages("s.error").Select(message =>
        {
            var reader = new MessageReader(message);
            Assert.True(reader.TryRead(out Section section));
            return section.Read<ApplicationProperties>().Map["x-wire-error-message"].As<string>();
        }));
    }

    [Fact]
    public async Task Where_it_is_refused_the_consumer_ends_with_both_reasons()
    {
        await using StrictStreamServer server = Server(3);
        await using var client = new StreamClient(server.Options);
        server.Always(CommandKey.Create, Reaction.Refuse(StreamResponseCode.AccessRefused));
        foreach (bool declares in (bool[])[true, false])
        {
            await using StreamConsumer consumer = await client.ConsumeAsync(
                "s",
                message => message.Offset == 1 ? throw new InvalidDataException("not this") : default,
                ToErrors with { DeclareErrorStream = declares });
            StreamConsumerException e =
                await Assert.ThrowsAsync<StreamConsumerException>(() => consumer.Completion.WaitAsync(Patience.Limit));
            Assert.StartsWith(
                "The message with the offset 1 of 's' could not be handled: not this It could not be put into the error stream 's.error': ",
                e.Message,
                StringComparison.Ordinal);
            Assert.Contains(
                declares ? nameof(StreamResponseCode.AccessRefused) : "s.error", e.InnerException!.Message, StringComparison.Ordinal);
            Assert.Equal((1ul, 2), (e.Offset!.Value, e.Attempts));
            Assert.Equal(0ul, consumer.Offset);
        }
    }

    [Fact]
    public async Task Closing_ends_the_attempts_and_the_message_counts_as_not_handled()
    {
        await using StrictStreamServer server = Server(3);
        server.Create("s.error");
        await using var client = new StreamClient(server.Options);
        server.Always(CommandKey.DeclarePublisher, Reaction.Refuse(StreamResponseCode.StreamNotAvailable));
        StreamConsumer consumer = await client.ConsumeAsync(
            "s", message => message.Offset == 1 ? throw new InvalidDataException("no") : default, ToErrors with { Name = "name" });
        await server.ReceivedAsync(CommandKey.DeclarePublisher, 3);
        await consumer.CloseAsync().WaitAsync(Patience.Limit);
        await consumer.Completion;
        Assert.Equal(0ul, consumer.Offset);
        Assert.Equal(0ul, await client.QueryOffsetAsync("name", "s"));
    }

    [Fact]
    public async Task A_message_nearly_as_large_as_a_frame_has_shorter_texts_and_one_that_does_not_fit_ends_the_consumer()
    {
        await using var server = new StrictStreamServer { FrameMax = 1 << 16 };
        server.Create("s");
        string text = new('x', 7_000);
        foreach ((int room, bool fits) in ((int, bool)[])[(7_100, true), (100, false)])
        {
            server.Append("s", new byte[(1 << 16) - room]);
            await using var client = new StreamClient(server.Options);
            await using StreamConsumer consumer =
                await client.ConsumeAsync("s", _ => throw new InvalidDataException(text), ToErrors with { Name = "name" });
            if (fits)
            {
                await Until.HoldsAsync(() => consumer.Offset == 0, "the message");
                var reader = new MessageReader(server.Messages("s.error")[0]);
                Assert.True(reader.TryRead(out Section section));
                Assert.Equal(text[..256], section.Read<ApplicationProperties>().Map["x-wire-error-message"].As<string>());
                continue;
            }

            StreamConsumerException e =
                await Assert.ThrowsAsync<StreamConsumerException>(() => consumer.Completion.WaitAsync(Patience.Limit));
            Assert.Contains("does not fit a frame", e.Message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task Partitions_share_that_of_their_super_stream_and_a_chunk_that_cannot_be_read_ends_the_consumer()
    {
        await using StrictStreamServer server = Server(2);
        lock (server.Gate)
        {
            server.SuperStreams["super"] = [("s", "0")];
        }

        await using var client = new StreamClient(server.Options);
        await using SuperStreamConsumer consumer =
            await client.ConsumeSuperStreamAsync("super", _ => throw new InvalidDataException("no"), ToErrors);
        await Until.HoldsAsync(() => consumer.Partitions[0].Offset == 1, "all messages");
        Assert.Equal([0L, 1], server.Messages("super.error").Select(OffsetOf));

        // Its checksum is another one.
        server.With("s", stream =>
        {
            stream.Append([ServerChunk.Entry([1])]);
            stream.Chunks[^1].Bytes[^1]++;
            return 0;
        });
        server.Append("s", [2]);
        StreamConsumerException e =
            await Assert.ThrowsAsync<StreamConsumerException>(() => consumer.Completion.WaitAsync(Patience.Limit));
        Assert.EndsWith(
            "A chunk cannot be put into the error stream 'super.error': skip it, or end.", e.Message, StringComparison.Ordinal);
        Assert.IsType<AmqpFormatException>(e.InnerException);
    }

    [Fact]
    public async Task Names_that_cannot_be_are_refused()
    {
        await using StrictStreamServer server = Server(1);
        await using var client = new StreamClient(server.Options);
        ArgumentException e = await Assert.ThrowsAsync<ArgumentException>(
            () => client.ConsumeAsync("s", _ => default, ToErrors with { ErrorStream = "s" }));
        Assert.Contains("The error stream is the stream itself", e.Message, StringComparison.Ordinal);
        foreach (string name in (string[])["", new string('n', 256)])
        {
            Assert.Throws<ArgumentException>(() => (ToErrors with { ErrorStream = name }).Validate());
        }
    }

    private static long OffsetOf(byte[] message)
    {
        var reader = new MessageReader(message);
        Assert.True(reader.TryRead(out Section section));
        return section.Read<ApplicationProperties>().Map["x-wire-error-offset"].As<long>();
    }

    private static byte[] Written(Action<IBufferWriter<byte>> write)
    {
        var output = new ArrayBufferWriter<byte>();
        write(output);
        return output.WrittenSpan.ToArray();
    }

    // One chunk.
    private static StrictStreamServer Server(int messages)
    {
        var server = new StrictStreamServer();
        server.Create("s");
        server.Append("s", [.. Enumerable.Range(0, messages).Select(number => ProducerStream.Body(number))]);
        return server;
    }
}
