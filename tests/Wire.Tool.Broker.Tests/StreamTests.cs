using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text.Json;
using Wire.Amqp.V10;
using Wire.RabbitMQ.Streams;
using Wire.Testing;

namespace Wire.Tool.Broker.Tests;

/// <summary><c>wire stream</c> shows messages of a stream from any place.</summary>
public sealed class StreamTests
{
    private static string Uri => Testing.Broker.Node.StreamUri.OriginalString;

    [Theory]
    [InlineData(new[] { "--count", "3" }, new[] { 97, 98, 99 })]
    [InlineData(new[] { "--from", "last", "--count", "1" }, new[] { 99 })]
    [InlineData(new[] { "--from", "first", "--count", "2" }, new[] { 0, 1 })]
    [InlineData(new[] { "--from", "42", "--count", "2" }, new[] { 42, 43 })]
    [InlineData(new[] { "--from", "98" }, new[] { 98, 99 })]
    [InlineData(new[] { "--from", "2020-01-31", "--count", "1" }, new[] { 0 })]
    public async Task A_stream_is_read_from_any_place(string[] options, int[] offsets)
    {
        await using TestStream stream = await TestStream.CreateAsync();
        await stream.PublishAsync(100);
        for (int i = 0; i < 2; i++)
        {
            // Nothing remembers that it was read.
            ToolRun run = stream.Run(options);
            Assert.Equal((0, ""), (run.ExitCode, run.Errors));
            Assert.Equal(
                offsets.Select(offset => $"offset {offset}:"),
                run.Lines.Where(line => line.StartsWith("offset ", StringComparison.Ordinal))
                    .Select(line => line[..(line.IndexOf(':', StringComparison.Ordinal) + 1)]));
            Assert.Equal(
                offsets.Select(offset => $"Id: {offset} Int32"),
                run.Lines.Where(line => line.Contains(" Id: ", StringComparison.Ordinal)).Select(line => line.Trim().Split("    ")[^1]));
        }
    }

    [Fact]
    public async Task All_of_a_stream_goes_to_the_other_commands()
    {
        await using TestStream stream = await TestStream.CreateAsync();
        await stream.PublishAsync(1000, new StreamProducerOptions { SubEntries = new() { MaxMessages = 10, Codec = new GZipCodec() } });
        ToolRun run = ToolRun.Shell($"$wire stream {stream.Name} --uri {Uri} --from first --count 0 --out - | $wire stats -");
        Assert.StartsWith("1,000 payload(s)", run.Output, StringComparison.Ordinal);
        ToolRun found = stream.Run("--from", "first", "--count", "0", "--find", "Ann 77", "--limit", "2");
        Assert.StartsWith("offset 77: Customer @", found.Lines[0], StringComparison.Ordinal);
        Assert.StartsWith("offset 770: Customer @", found.Lines[1], StringComparison.Ordinal);
        Assert.Equal("... 9 more, see --limit", found.Lines[2]);
    }

    [Fact]
    public async Task Sections_and_bytes_are_shown()
    {
        await using TestStream stream = await TestStream.CreateAsync();
        await using StreamProducer producer = await stream.Client.CreateProducerAsync(stream.Name).InTime();
        await producer.SendMessageAsync(
            new Order(7, "Ann"),
            new Properties { MessageId = "m-1", Subject = "\u001b[2J", CorrelationId = 5ul },
            new ApplicationProperties { Map = AmqpValue.Map(("tries", 3), ("\u001b", "\u009b")) }).AsTask().InTime();
        await producer.SendBytesAsync("a text"u8.ToArray()).AsTask().InTime();
        await producer.SendBytesAsync(new byte[] { 0, 0x53, 0x75, 1, 2 }).AsTask().InTime();
        await producer.SendAsync(new Order(8, "Bob")).AsTask().InTime();
        ToolRun run = stream.Run();
        Assert.Equal((0, ""), (run.ExitCode, run.Errors));
        Assert.Equal(
            [
                "  message-id: \"m-1\"",
                "  correlation-id: 5",
                "  subject: \"\\u001B[2J\"",
                "  content-type: \"application/x-wire\"",
                "  application-properties",
                "    tries: 3",
                "    \\u001B: \"\\u009B\"",
            ],
            run.Lines[2..9]);
        Assert.Contains("          a text", run.Lines);
        Assert.Contains("          0053750102", run.Lines);
        JsonElement[] messages =
            [.. stream.Run("--json", "--path", "Id").Lines.Select(line => JsonDocument.Parse(line).RootElement)];
        Assert.Equal([0, 1, 2, 3], messages.Select(message => message.GetProperty("offset").GetInt32()));
        Assert.Equal(7, messages[0].GetProperty("body").GetInt32());
        Assert.Equal("a text", messages[1].GetProperty("body").GetString());
        Assert.Equal(3, messages[0].GetProperty("application-properties").GetProperty("tries").GetInt32());
    }

    [Fact]
    public async Task New_messages_are_waited_for()
    {
        await using TestStream stream = await TestStream.CreateAsync();
        await stream.PublishAsync(3);
        Task<ToolRun> run = Task.Run(() => stream.Run("--from", "next", "--count", "2"));

        // It is not seen from outside when it waits: what is published before does not count.
        while (await Task.WhenAny(run, Task.Delay(300)) != run)
        {
            await stream.PublishAsync(1);
        }

        ToolRun ended = await run.InTime();
        Assert.Equal((0, ""), (ended.ExitCode, ended.Errors));
        int[] offsets = [.. ended.Lines.Where(line => line.StartsWith("offset ", StringComparison.Ordinal))
            .Select(line => int.Parse(line[7..line.IndexOf(':', StringComparison.Ordinal)], CultureInfo.InvariantCulture))];
        Assert.Equal(2, offsets.Length);
        Assert.Equal(offsets[0] + 1, offsets[1]);
        Assert.True(offsets[0] >= 3);
    }

    [Fact]
    public async Task What_is_not_there_is_one_line()
    {
        await using TestStream stream = await TestStream.CreateAsync();
        AssertRefused(1, $"The stream {stream.Name} is empty.", stream.Run());
        await stream.PublishAsync(3);
        AssertRefused(1, $"The stream {stream.Name} ends with offset 2, ", stream.Run("--from", "3"));
        AssertRefused(1, $"The stream {stream.Name} ends with offset 2, ", stream.Run("--from", "2100-01-01T00:00:00Z"));
        AssertRefused(2, "--from takes first, last, next, an offset or a time", stream.Run("--from", "-1"));
        AssertRefused(2, "There is no stream none", ToolRun.Start("stream", "none", "--uri", Uri));
        AssertRefused(2, "No connection to", ToolRun.Start("stream", "none", "--uri", "rabbitmq-stream://guest:secret@127.0.0.1:1"));
        AssertRefused(2, "begins with rabbitmq-stream://", ToolRun.Start("stream", "none", "--uri", "amqp://guest:secret@127.0.0.1"));
        AssertRefused(2, "refuse", ToolRun.Start(
            "stream", "none", "--uri", $"rabbitmq-stream://guest:secret@127.0.0.1:{Testing.Broker.Node.StreamPort}"));
        await using TestQueue queue = await TestQueue.DeclareAsync();
        AssertRefused(2, "There is no stream", ToolRun.Start("stream", queue.Name, "--uri", Uri));

        static void AssertRefused(int exitCode, string why, ToolRun run)
        {
            Assert.Equal((exitCode, ""), (run.ExitCode, run.Output));
            Assert.Contains(why, run.Error, StringComparison.Ordinal);
            Assert.DoesNotContain("secret", run.Error, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task A_reader_that_ends_is_no_failure()
    {
        await using TestStream stream = await TestStream.CreateAsync();
        await stream.PublishAsync(3);
        ToolRun run = ToolRun.Shell($"$wire stream {stream.Name} --uri {Uri} --from first | head -n 1");
        Assert.Equal(("", 1), (run.Errors, run.Lines.Length));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Messages_that_others_have_compressed_are_reported_and_passed_over(bool isLast)
    {
        await using TestStream stream = await TestStream.CreateAsync();
        await stream.PublishAsync(2);
        await RawStream.PublishSnappyAsync(stream.Name, 5);
        if (!isLast)
        {
            await stream.PublishAsync(1);
        }

        ToolRun run = stream.Run("--from", "first");
        Assert.Equal(1, run.ExitCode);
        Assert.Contains("Snappy", run.Error, StringComparison.Ordinal);
        Assert.Equal(
            isLast ? ["offset 0", "offset 1"] : ["offset 0", "offset 1", "offset 7"],
            run.Lines.Where(line => line.StartsWith("offset ", StringComparison.Ordinal)).Select(line => line.Split(':')[0]));
    }

    private sealed class TestStream : IAsyncDisposable
    {
        private TestStream(StreamClient client, string name)
        {
            Client = client;
            Name = name;
        }

        public StreamClient Client { get; }

        public string Name { get; }

        public static async Task<TestStream> CreateAsync([CallerMemberName] string test = "")
        {
            StreamClient client = await StreamClient.ConnectAsync(StreamClientOptions.Parse(Uri)).InTime();
            string name = Testing.Broker.UniqueName(test);
            await client.CreateStreamAsync(name).InTime();
            return new TestStream(client, name);
        }

        public ToolRun Run(params string[] options) => ToolRun.Start(["stream", Name, "--uri", Uri, .. options]);

        public async Task PublishAsync(int count, StreamProducerOptions? options = null)
        {
            await using StreamProducer producer = await Client.CreateProducerAsync(Name, options).InTime();
            for (int i = 0; i < count; i++)
            {
                await producer.EnqueueAsync(new Order(i, $"Ann {i}")).AsTask().InTime();
            }

            await producer.FlushAsync().InTime();
        }

        public async ValueTask DisposeAsync()
        {
            await Client.DeleteStreamAsync(Name).InTime();
            await Client.DisposeAsync();
        }
    }
}
