using System.Text.Json;
using Wire.Amqp;
using Wire.Amqp.Client;
using Wire.Amqp.V091;
using Wire.Testing;
using Wire.Tool.Queues;

namespace Wire.Tool.Broker.Tests;

/// <summary><c>wire queue</c> shows messages, and the queue stays as it was.</summary>
public sealed class QueueTests
{
    private static string[] Numbers(int count) => [.. Enumerable.Range(0, count).Select(i => $"message {i}")];

    [Fact]
    public async Task After_a_look_the_queue_has_the_same_messages_in_the_same_order()
    {
        await using TestQueue queue = await TestQueue.DeclareAsync();
        foreach (string body in Numbers(200))
        {
            await queue.PublishAsync(body);
        }

        ToolRun run = queue.Run("queue", "--count", "100");
        Assert.Equal((0, ""), (run.ExitCode, run.Errors));
        Assert.Contains("message 100: 10 bytes", run.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("message 101:", run.Output, StringComparison.Ordinal);
        Assert.EndsWith($"{queue.Name}: 100 of 200 message(s)\n", run.Output, StringComparison.Ordinal);
        Assert.Equal(200u, (await queue.Channel.Topology.FindQueueAsync(queue.Name).InTime())!.MessageCount);
        List<Taken> taken = await queue.TakeAllAsync();
        Assert.Equal(Numbers(200), taken.Select(message => message.Text));
        Assert.Equal(Enumerable.Range(0, 200).Select(i => i < 100), taken.Select(message => message.Redelivered));
    }

    [Fact]
    public async Task Messages_are_shown_with_what_they_say_of_themselves()
    {
        await using TestQueue queue = await TestQueue.DeclareAsync();
        await queue.Channel.PublishAsync("", queue.Name, new Order(7, "Ann"), new BasicProperties
        {
            MessageId = "m-1",
            CorrelationId = "c-1",
            Headers = FieldTable.Create(new Dictionary<string, object?>
            {
                ["tries"] = 3,
                ["route"] = new List<object?> { "a", null, new Dictionary<string, object?> { ["x"] = true } },
                ["key"] = new byte[] { 1, 255 },
            }),
        }).AsTask().InTime();
        ToolRun run = queue.Run("queue");
        Assert.Equal((0, ""), (run.ExitCode, run.Errors));
        string type = typeof(Order).FullName!;
        Assert.Equal(
            [
                "  exchange: \"\"",
                $"  routing-key: \"{queue.Name}\"",
                "  redelivered: false",
                "  message-id: \"m-1\"",
                "  correlation-id: \"c-1\"",
                $"  type: \"{type}\"",
                "  content-type: \"application/x-wire\"",
                "  headers",
            ],
            run.Lines[1..9]);

        // RabbitMQ 4 sorts them.
        Assert.Equal(
            ["    key: 01FF", "    route: [\"a\", null, {x: true}]", "    tries: 3"], run.Lines[9..12].Order(StringComparer.Ordinal));
        Assert.Contains($" {type}, Wire.Tool.Broker.Tests 2 members", run.Lines[12], StringComparison.Ordinal);
        Assert.Contains(run.Lines, line => line.EndsWith("Customer: \"Ann\" String", StringComparison.Ordinal));
        Assert.Equal($"{queue.Name}: 1 of 1 message(s)", run.Lines[^1]);
    }

    [Theory]
    [InlineData(Compression.None)]
    [InlineData(Compression.GZip)]
    [InlineData(Compression.Brotli)]
    [InlineData(Compression.Deflate)]
    public async Task Compressed_bodies_are_shown(Compression compression)
    {
        await using TestQueue queue = await TestQueue.DeclareAsync();
        var body = new AmqpBody(new Serializer(), new() { Compression = compression, CompressAbove = 0 });
        await using AmqpConnection connection =
            await AmqpConnection.ConnectAsync(AmqpConnectionOptions.Parse(TestQueue.Uri) with { Body = body }).InTime();
        await using AmqpChannel channel = await connection.OpenChannelAsync().InTime();
        await channel.PublishAsync("", queue.Name, new Order(7, new string('x', 1000))).AsTask().InTime();
        ToolRun run = queue.Run("queue", "--path", "Id");
        Assert.Equal((0, ""), (run.ExitCode, run.Errors));
        Assert.Contains(run.Lines, line => line.EndsWith(" 7 Int32", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Each_message_is_a_line_of_json()
    {
        await using TestQueue queue = await TestQueue.DeclareAsync();
        await queue.PublishAsync(new Order(7, "Ann"));
        await queue.PublishAsync("{\"a\":1}", new BasicProperties { ContentType = "application/json; charset=utf-8" });
        await queue.PublishAsync("\u0001\u0002", new BasicProperties { ContentType = "application/octet-stream", Priority = 3 });
        ToolRun run = queue.Run("queue", "--json");
        Assert.Equal((0, ""), (run.ExitCode, run.Errors));
        JsonElement[] messages = [.. run.Lines.Select(line => JsonDocument.Parse(line).RootElement)];
        Assert.Equal(["Ann", null, null], messages.Select(message =>
            message.TryGetProperty("body", out JsonElement body) && body.ValueKind == JsonValueKind.Object
                ? body.GetProperty("Customer").GetString() : null));
        Assert.Equal("{\"a\":1}", messages[1].GetProperty("body").GetString());
        Assert.Equal([1, 2], messages[2].GetProperty("base64").GetBytesFromBase64());
        Assert.Equal(3, messages[2].GetProperty("priority").GetInt32());
        Assert.All(messages, message => Assert.Equal(queue.Name, message.GetProperty("routing-key").GetString()));
    }

    [Fact]
    public async Task Values_are_found_in_all_messages()
    {
        await using TestQueue queue = await TestQueue.DeclareAsync();
        await queue.PublishAsync(new Order(1, "Ann"), new Order(2, "Bob"), new Order(3, "Annabel"));
        ToolRun run = queue.Run("queue", "--find", "ann");
        Assert.Equal(["message 1: Customer", "message 3: Customer"], run.Lines.Select(line => line.Split(" @")[0]));
        ToolRun none = queue.Run("queue", "--find", "nobody");
        Assert.Equal((1, "wire: Nothing has the text \"nobody\"."), (none.ExitCode, none.Error));
    }

    [Fact]
    public async Task Hostile_texts_are_escaped()
    {
        const string Bad = "\u001b[2J\u009b1m\r\nwire: all is well\u202e\u2066";
        await using TestQueue queue = await TestQueue.DeclareAsync();
        var headers = new Dictionary<string, object?>
        {
            [Bad] = Bad,
            ["table"] = new Dictionary<string, object?> { [Bad] = Bad },
            ["list"] = Enumerable.Repeat<object?>(Bad, 1000).ToList(),
            ["bytes"] = new byte[10_000],
        };
        for (int i = 0; i < 100; i++)
        {
            headers.Add($"header {i}", i);
        }

        await queue.PublishAsync(Bad, new BasicProperties
        {
            MessageId = Bad,
            Type = Bad,
            ContentType = "text/" + Bad,
            Headers = FieldTable.Create(headers),
        });
        await queue.PublishAsync(Bad, new BasicProperties { ContentEncoding = Bad, ContentType = "application/x-wire" });
        ToolRun run = queue.Run("queue");
        Assert.Equal(1, run.ExitCode);
        Assert.Contains("The content encoding \"\\u001B[2J", run.Error, StringComparison.Ordinal);
        AssertPlain(run.Output + run.Errors);
        AssertPlain(queue.Run("queue", "--json").Output);
        Assert.Contains("    ... 54 more, see --json", run.Lines);
        Assert.All(run.Lines, line => Assert.InRange(line.Length, 0, 3000));

        static void AssertPlain(string text) => Assert.DoesNotContain(
            text, character => character != '\n' && (char.IsControl(character) || character is '\u202e' or '\u2066'));
    }

    [Fact]
    public async Task Objects_that_are_gathered_in_one_message_are_shown_and_written_one_by_one()
    {
        await using TestQueue queue = await TestQueue.DeclareAsync();
        using var writer = new GatheredBodyWriter();
        foreach (Order order in (Order[])[new(1, "Ann"), new(2, "Ben")])
        {
            writer.Add(
                new BasicProperties { ContentType = AmqpBody.ContentType, MessageId = $"m-{order.Id}" }, new Serializer().Serialize(order));
        }

        await queue.PublishAsync("before");
        await queue.Channel.PublishBytesAsync(
            new BasicPublish { RoutingKey = queue.Name },
            new BasicProperties { ContentType = GatheredBody.ContentType, MessageId = "whole" },
            writer.Written).AsTask().InTime();
        ToolRun run = queue.Run("queue");
        Assert.Equal((0, ""), (run.ExitCode, run.Errors));
        Assert.Equal(
            ["  gathered: \"1 of 2\"", "  message-id: \"m-1\"", "  gathered: \"2 of 2\"", "  message-id: \"m-2\""],
            run.Lines.Where(line => line.Contains("gathered:", StringComparison.Ordinal)
                || line.Contains("message-id:", StringComparison.Ordinal)));
        Assert.Contains(run.Lines, line => line.EndsWith("Customer: \"Ann\" String", StringComparison.Ordinal));
        Assert.Contains(run.Lines, line => line.EndsWith("Customer: \"Ben\" String", StringComparison.Ordinal));
        string path = Path.GetTempFileName();
        try
        {
            Assert.Equal(0, queue.Run("queue", "--out", path).ExitCode);
            Assert.Contains("Ben", ToolRun.Start(["show", path]).Output, StringComparison.Ordinal);

            // The second of three is the first of those in one message.
            Assert.Contains(": 1 frame(s), ", queue.Run("queue", "--count", "2", "--out", path).Output, StringComparison.Ordinal);
            Assert.DoesNotContain("Ben", ToolRun.Start(["show", path]).Output, StringComparison.Ordinal);
        }
        finally
        {
            File.Delete(path);
        }
    }

    [Fact]
    public async Task Damaged_gathered_messages_are_shown_as_the_bytes_that_they_are()
    {
        await using TestQueue queue = await TestQueue.DeclareAsync();
        await queue.PublishAsync("\u0001\u0002", new BasicProperties { ContentType = GatheredBody.ContentType });
        ToolRun run = queue.Run("queue");
        Assert.Contains("0102", run.Output, StringComparison.Ordinal);
        Assert.Contains("message 1: The input ends inside the beginning of gathered messages", run.Errors, StringComparison.Ordinal);
        Assert.DoesNotContain("gathered:", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Damaged_payloads_are_reported_and_others_shown()
    {
        await using TestQueue queue = await TestQueue.DeclareAsync();
        await queue.PublishAsync("no payload", new BasicProperties { ContentType = "application/x-wire" });
        await queue.PublishAsync("no gzip", new BasicProperties { ContentType = "application/x-wire", ContentEncoding = "gzip" });
        await queue.PublishAsync(new Order(3, "Ann"));
        ToolRun run = queue.Run("queue");
        Assert.Equal(1, run.ExitCode);
        string[] errors = run.Errors.Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.StartsWith("wire: message 1: 0x6E is not the header of a payload", errors[0], StringComparison.Ordinal);
        Assert.StartsWith("wire: message 2: The body is not what its content encoding gzip says:", errors[1], StringComparison.Ordinal);
        Assert.Equal(2, errors.Length);
        Assert.Contains("Customer: \"Ann\" String", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_other_commands_work_on_a_queue()
    {
        await using TestQueue queue = await TestQueue.DeclareAsync();
        await queue.PublishAsync("a text");
        await queue.PublishAsync([.. Enumerable.Range(0, 150).Select(i => new Order(i, "Ann"))]);
        string file = Path.GetTempFileName();
        try
        {
            ToolRun run = queue.Run("queue", "--count", "0", "--out", file);
            Assert.Equal(0, run.ExitCode);
            Assert.Equal("wire: 1 message(s) are no payloads of Wire, and were left out.", run.Error);
            Assert.Matches("^.*: 150 frame\\(s\\), [0-9,]+ bytes of payloads\n$", run.Output);
            Assert.StartsWith("150 payload(s)", ToolRun.Start("stats", file).Output, StringComparison.Ordinal);
            ToolRun piped = ToolRun.Shell($"$wire queue {queue.Name} --uri {TestQueue.Uri} --count 0 --out - | $wire show - --frame 150");
            Assert.Contains("Id: 149 Int32", piped.Output, StringComparison.Ordinal);
        }
        finally
        {
            File.Delete(file);
        }

        Assert.Equal(151, (await queue.TakeAllAsync()).Count);
        ToolRun unwritable = queue.Run("queue", "--out", "/no/such/folder/file");
        Assert.Equal(2, unwritable.ExitCode);
        Assert.Contains("The file cannot be written", unwritable.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Bodies_that_do_not_fit_the_memory_are_not_shown()
    {
        await using TestQueue queue = await TestQueue.DeclareAsync();
        await queue.PublishAsync(new string('a', 2 << 20));
        await queue.PublishAsync(new string('b', 700_000));
        await queue.PublishAsync(new string('c', 700_000));
        await queue.PublishAsync("the last");
        ToolRun run = queue.Run("queue", "--memory", "1");
        Assert.Equal(1, run.ExitCode);
        Assert.Equal(
            [
                "wire: message 1: The body has more bytes than --memory allows.",
                "wire: The first 3 messages fill the memory that they may take: see --memory.",
            ],
            run.Errors.Split('\n', StringSplitOptions.RemoveEmptyEntries));
        Assert.Contains("message 3: 700,000 bytes", run.Lines);
        Assert.DoesNotContain("message 4:", run.Output, StringComparison.Ordinal);
        Assert.Equal(4, (await queue.TakeAllAsync()).Count);
    }

    [Fact]
    public async Task A_tool_that_is_killed_leaves_all_messages()
    {
        await using TestQueue queue = await TestQueue.DeclareAsync();
        Order[] orders = [.. Enumerable.Range(0, 100).Select(i => new Order(i, new string('x', 10_000)))];
        await queue.PublishAsync(orders);

        // The pipe is full after six of them, and nobody reads it.
        ToolRun run = ToolRun.Shell(
            $"mkfifo /tmp/{queue.Name}; sleep 60 < /tmp/{queue.Name} & reader=$!; "
            + $"$wire queue {queue.Name} --uri {TestQueue.Uri} --count 0 --out - > /tmp/{queue.Name} & tool=$!; "
            + $"sleep 5; kill -0 $tool && kill -9 $tool && echo killed; kill $reader; rm /tmp/{queue.Name}");
        Assert.Equal("killed", run.Lines[0]);
        for (int i = 0; i < 100 && (await queue.Channel.Topology.FindQueueAsync(queue.Name).InTime())!.MessageCount < 100; i++)
        {
            await Task.Delay(100);
        }

        var serializer = new Serializer(new SerializerOptions { TypeFilter = WireTypeFilter.Default.Allow<Order>() });
        List<Taken> taken = await queue.TakeAllAsync();
        Assert.Equal(orders, taken.Select(message => serializer.Deserialize<Order>(message.Body)));
        Assert.True(taken[0].Redelivered);
    }

    [Fact]
    public async Task A_reader_that_ends_leaves_all_messages()
    {
        await using TestQueue queue = await TestQueue.DeclareAsync();
        await queue.PublishAsync([.. Enumerable.Range(0, 100).Select(i => new Order(i, new string('x', 10_000)))]);
        ToolRun run = ToolRun.Shell(
            $"set -o pipefail; $wire queue {queue.Name} --uri {TestQueue.Uri} --count 0 --out - | head -c 10 > /dev/null");
        Assert.Equal((141, ""), (run.ExitCode, run.Errors));
        Assert.Equal(100, (await queue.TakeAllAsync()).Count);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_quorum_queue_is_looked_at_when_the_user_accepts_a_delivery(bool hasArguments)
    {
        await using TestQueue queue = await TestQueue.DeclareAsync(hasArguments
            ? TestQueue.With(("x-queue-type", "quorum"), ("x-delivery-limit", 3), ("x-max-length", 1000L), ("x-overflow", "reject-publish"))
            : TestQueue.With(("x-queue-type", "quorum")));
        foreach (string body in Numbers(20))
        {
            await queue.PublishAsync(body);
        }

        ToolRun refused = queue.Run("queue");
        Assert.Equal((2, ""), (refused.ExitCode, refused.Output));
        Assert.Contains(" is a quorum queue, ", refused.Error, StringComparison.Ordinal);
        Assert.Contains("--count-delivery", refused.Error, StringComparison.Ordinal);
        for (int i = 0; i < 3; i++)
        {
            ToolRun run = queue.Run("queue", "--count", "5", "--count-delivery");
            Assert.Equal((0, ""), (run.ExitCode, run.Errors));

            // RabbitMQ 4 leaves the header out as long as the count is 0.
            bool isCounted = i > 0 || Wire.Testing.Broker.Node.Version.Major < 4;
            Assert.Equal(isCounted ? 5 : 0, run.Lines.Count(line => line == $"    x-delivery-count: {i}"));
        }

        List<Taken> taken = await queue.TakeAllAsync();
        Assert.Equal(Numbers(20), taken.Select(message => message.Text));
        Assert.Equal(5, taken.Count(message => message.Headers.GetValueOrDefault("x-delivery-count") is 3L));
    }

    [Fact]
    public async Task Classic_queues_are_known_whatever_their_arguments()
    {
        AmqpQueueOptions[] kinds =
        [
            new(),
            new() { Durable = false },
            new() { AutoDelete = true },
            TestQueue.With(("x-queue-type", "classic")),
            TestQueue.With(("x-max-length", 10L), ("x-dead-letter-exchange", ""), ("x-message-ttl", 600_000), ("x-queue-mode", "lazy")),
            TestQueue.With(("x-max-priority", 5), ("x-single-active-consumer", true)),
        ];
        foreach (AmqpQueueOptions options in kinds)
        {
            await using TestQueue queue = await TestQueue.DeclareAsync(options);
            await queue.PublishAsync("a text");
            ToolRun run = queue.Run("queue");
            Assert.Equal((0, ""), (run.ExitCode, run.Errors));
            Assert.Single(await queue.TakeAllAsync());
        }
    }

    [Fact]
    public async Task What_cannot_be_looked_at_is_one_line()
    {
        await using TestQueue exclusive = await TestQueue.DeclareAsync(AmqpQueueOptions.Temporary);
        AssertRefused("is exclusive", exclusive.Run("queue"));
        await using TestQueue stream = await TestQueue.DeclareAsync(TestQueue.With(("x-queue-type", "stream")));
        AssertRefused("is a stream: wire stream shows", stream.Run("queue"));
        string missing = Testing.Broker.UniqueName();
        AssertRefused($"There is no queue {missing} in the virtual host /", ToolRun.Start("queue", missing, "--uri", TestQueue.Uri));
        Assert.Null(await exclusive.Channel.Topology.FindQueueAsync(missing).InTime());
        AssertRefused("No connection to", ToolRun.Start("queue", "q", "--uri", "amqp://guest:secret@127.0.0.1:1/"));
        AssertRefused("begins with amqp://", ToolRun.Start("queue", "q", "--uri", "http://guest:secret@127.0.0.1/"));
        AssertRefused("ACCESS_REFUSED", ToolRun.Start(
            "queue", "q", "--uri", $"amqp://guest:secret@127.0.0.1:{Testing.Broker.Node.Uri.Port}/"));
        AssertRefused("no/vhost", ToolRun.Start("queue", "q", "--uri", $"{TestQueue.Uri.TrimEnd('/')}/no%2fvhost"));
        AssertRefused("is empty", ToolRun.Start("queue", "", "--uri", TestQueue.Uri));

        static void AssertRefused(string why, ToolRun run)
        {
            Assert.Equal((2, ""), (run.ExitCode, run.Output));
            Assert.Contains(why, run.Error, StringComparison.Ordinal);
            Assert.DoesNotContain("secret", run.Error, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task The_question_for_the_kind_of_a_queue_makes_none()
    {
        await using TestQueue queue = await TestQueue.DeclareAsync();
        await using AmqpConnection connection = await AmqpConnection.ConnectAsync(TestQueue.Uri).InTime();
        string missing = Testing.Broker.UniqueName();
        Assert.Equal(QueueKind.Unknown, await QueueKinds.FindAsync(connection, missing).InTime());
        Assert.Null(await queue.Channel.Topology.FindQueueAsync(missing).InTime());
        Assert.Equal(QueueKind.Classic, await QueueKinds.FindAsync(connection, queue.Name).InTime());
    }

    [Fact]
    public async Task A_file_is_kept_where_there_is_nothing_to_write_into_it()
    {
        await using TestQueue queue = await TestQueue.DeclareAsync();
        string file = Path.GetTempFileName();
        try
        {
            await File.WriteAllTextAsync(file, "kept");
            Assert.Equal(2, ToolRun.Start("queue", "no such queue", "--uri", TestQueue.Uri, "--out", file).ExitCode);
            Assert.Equal("kept", await File.ReadAllTextAsync(file));
            Assert.Equal(2, queue.Run("queue", "--out", file, "--json").ExitCode);
            Assert.Equal("kept", await File.ReadAllTextAsync(file));
            Assert.Equal(0, queue.Run("queue", "--out", file).ExitCode);
            Assert.Equal("", await File.ReadAllTextAsync(file));
        }
        finally
        {
            File.Delete(file);
        }
    }

    [Fact]
    public async Task An_empty_queue_is_no_failure()
    {
        await using TestQueue queue = await TestQueue.DeclareAsync();
        ToolRun run = queue.Run("queue");
        Assert.Equal((0, $"{queue.Name}: 0 of 0 message(s)\n", ""), (run.ExitCode, run.Output, run.Errors));
    }

    [Fact]
    public async Task A_broker_with_tls_and_one_of_the_environment_are_found()
    {
        await using TestQueue queue = await TestQueue.DeclareAsync();
        string tls = $"{Testing.Broker.Node.TlsUri}?cacertfile={Environment.GetEnvironmentVariable("WIRE_RABBITMQ_CA")}";
        ToolRun run = ToolRun.Start("queue", queue.Name, "--uri", tls);
        Assert.Equal((0, ""), (run.ExitCode, run.Errors));
        ToolRun environment = ToolRun.Shell($"WIRE_AMQP_URI={TestQueue.Uri} $wire queue {queue.Name}");
        Assert.Equal((0, ""), (environment.ExitCode, environment.Errors));
    }
}
