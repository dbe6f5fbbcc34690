using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using System.Text;
using System.Text.Json;
using Wire.Amqp.Client;
using Wire.Amqp.V091;
using Wire.RabbitMQ;
using Wire.Testing;

namespace Wire.Tool.Broker.Tests;

/// <summary>A message that no filter of these tests allows.</summary>
public sealed record Stranger(string Name);

/// <summary><c>wire errors</c> over error queues that a real consumer has filled.</summary>
public sealed class ErrorTests
{
    private static readonly WireBodySerializer Serializer =
        new(new SerializerOptions { TypeFilter = WireTypeFilter.Default.Allow<Order>() });

    [Fact]
    public async Task Failures_are_grouped_and_stay()
    {
        await using var shop = await Shop.OpenAsync();
        await shop.FillAsync();
        List<string> before = await shop.ErrorIdsAsync();
        ToolRun run = shop.Errors.Run("errors");
        Assert.Equal((0, ""), (run.ExitCode, run.Errors));
        string[] heads = [.. run.Lines.Where(line => line.StartsWith("group ", StringComparison.Ordinal))];
        Assert.Equal(
            [
                $"5 message(s), handler-failed in {shop.Orders.Name}",
                $"2 message(s), undecodable in {shop.Orders.Name}",
                $"1 message(s), type-refused in {shop.Orders.Name}",
            ],
            heads.Select(head => head[16..]).OrderDescending(StringComparer.Ordinal));
        Assert.Contains(run.Lines, line => line.StartsWith(
            "  System.InvalidOperationException: There is no shelf for order ", StringComparison.Ordinal));
        Assert.Contains(run.Lines, line => line.Contains(typeof(Stranger).FullName!, StringComparison.Ordinal));
        Assert.Contains(run.Lines, line => line.StartsWith("  example: message ", StringComparison.Ordinal)
            && line.Contains($", attempts 1, type \"{typeof(Order).FullName}\", id \"order-", StringComparison.Ordinal));
        Assert.Equal($"{shop.Errors.Name}: 8 message(s) in 3 group(s)", run.Lines[^1]);
        Assert.Equal(before, await shop.ErrorIdsAsync());

        JsonElement[] groups =
            [.. shop.Errors.Run("errors", "--json").Lines.Select(line => JsonDocument.Parse(line).RootElement)];
        Assert.Equal(heads.Select(head => head[6..14]), groups.Select(group => group.GetProperty("group").GetString()));
        Assert.Equal([5, 2, 1], groups.Select(group => group.GetProperty("messages").GetInt32()));
        Assert.All(groups, group => Assert.EndsWith("Z", group.GetProperty("first").GetString(), StringComparison.Ordinal));
    }

    [Fact]
    public async Task Messages_of_a_group_are_shown()
    {
        await using var shop = await Shop.OpenAsync();
        await shop.FillAsync();
        ToolRun run = shop.Errors.Run("errors", "--show", "--group", "handler-failed", "--count", "2");
        Assert.Equal((0, ""), (run.ExitCode, run.Errors));
        Assert.Equal(2, run.Lines.Count(line => line.StartsWith("message ", StringComparison.Ordinal)));
        Assert.Equal(2, run.Lines.Count(line => line == "    x-wire-error-reason: \"handler-failed\""));
        Assert.Contains("Customer: \"Ann\" String", run.Output, StringComparison.Ordinal);
        ToolRun found = shop.Errors.Run("errors", "--find", "Bob");
        Assert.Contains("Customer @", Assert.Single(found.Lines), StringComparison.Ordinal);
        ToolRun none = shop.Errors.Run("errors", "--show", "--group", "00000000");
        Assert.Equal((1, $"wire: {shop.Errors.Name} has no message of the group 00000000."), (none.ExitCode, none.Error));
    }

    [Fact]
    public async Task A_retry_is_a_plan_until_the_user_says_yes()
    {
        await using var shop = await Shop.OpenAsync();
        await shop.FillAsync();
        List<string> before = await shop.ErrorIdsAsync();
        ToolRun plan = shop.Errors.Run("errors", "--retry");
        Assert.Equal((0, ""), (plan.ExitCode, plan.Errors));
        Assert.Equal(
            [
                $"8 message(s) would be sent back to the queue {shop.Orders.Name}",
                "Nothing was changed: give --yes to send them.",
            ],
            plan.Lines);
        Assert.Equal(before, await shop.ErrorIdsAsync());
        Assert.Equal(0u, (await shop.Orders.Channel.Topology.FindQueueAsync(shop.Orders.Name).InTime())!.MessageCount);
        Assert.Equal(2, shop.Errors.Run("errors", "--yes").ExitCode);
        Assert.Equal(2, shop.Errors.Run("errors", "--to-exchange").ExitCode);
        Assert.Equal(2, shop.Errors.Run("errors", "--retry", "--show").ExitCode);
    }

    [Fact]
    public async Task Messages_that_are_sent_back_are_handled()
    {
        await using var shop = await Shop.OpenAsync();
        await shop.FillAsync();
        string group = shop.Errors.Run("errors", "--group", "handler-failed").Lines[0][6..14];
        ToolRun one = shop.Errors.Run("errors", "--retry", "--group", group, "--count", "1", "--yes");
        Assert.Equal((0, ""), (one.ExitCode, one.Errors));
        Assert.Equal([$"1 message(s) sent back to the queue {shop.Orders.Name}"], one.Lines);
        ToolRun rest = shop.Errors.Run("errors", "--retry", "--group", group, "--yes");
        Assert.Equal([$"4 message(s) sent back to the queue {shop.Orders.Name}"], rest.Lines);

        var handled = new ConcurrentBag<int>();
        await shop.ConsumeAsync(order => handled.Add(order.Id), () => handled.Count == 5);
        Assert.Equal([10, 11, 12, 13, 14], handled.Order());

        // The others are where they were, and nothing has failed again.
        Assert.Equal(["broken-1", "broken-2", "stranger"], (await shop.ErrorIdsAsync()).Order(StringComparer.Ordinal));
        ToolRun none = shop.Errors.Run("errors", "--retry", "--group", group, "--yes");
        Assert.Equal((1, ""), (none.ExitCode, none.Output));
        Assert.Contains($"has no message of the group {group}", none.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task What_fails_again_is_not_sent_in_circles()
    {
        await using var shop = await Shop.OpenAsync();
        await shop.FillAsync();
        await using WireConsumer consumer = await shop.StartAsync(_ => throw new InvalidOperationException("Not today."));
        ToolRun run = shop.Errors.Run("errors", "--retry", "--yes");
        Assert.Equal((0, ""), (run.ExitCode, run.Errors));
        Assert.Equal([$"8 message(s) sent back to the queue {shop.Orders.Name}"], run.Lines);
        await shop.WaitForErrorsAsync(8);
    }

    [Fact]
    public async Task What_fails_again_at_once_holds_up_no_other()
    {
        await using TestQueue errors = await TestQueue.DeclareAsync(TestQueue.With(("x-max-priority", 10)));
        await using TestQueue loop = await TestQueue.DeclareAsync(TestQueue.With(
            ("x-message-ttl", 0), ("x-dead-letter-exchange", ""), ("x-dead-letter-routing-key", errors.Name)));
        await using TestQueue work = await TestQueue.DeclareAsync();
        await errors.PublishAsync("loop", new BasicProperties { Priority = 9, Headers = ErrorOf(loop.Name) });
        for (int i = 0; i < 4; i++)
        {
            await errors.PublishAsync("work", new BasicProperties { Priority = 1, Headers = ErrorOf(work.Name) });
        }

        ToolRun run = errors.Run("errors", "--retry", "--yes");
        Assert.Equal((0, ""), (run.ExitCode, run.Errors));
        Assert.Contains($"1 message(s) sent back to the queue {loop.Name}", run.Lines);
        Assert.Contains($"4 message(s) sent back to the queue {work.Name}", run.Lines);
        Assert.Equal(4, (await work.TakeAllAsync()).Count);
    }

    [Fact]
    public async Task A_message_is_sent_back_as_it_was()
    {
        await using var shop = await Shop.OpenAsync();
        BasicProperties properties = new()
        {
            ContentType = "application/x-wire",
            ContentEncoding = "identity",
            DeliveryMode = 2,
            Priority = 4,
            CorrelationId = "c",
            ReplyTo = "r",
            Expiration = "600000",
            MessageId = "m",
            Timestamp = new Timestamp(1_700_000_000),
            Type = "t",
            UserId = "guest",
            AppId = "a",
            Headers = FieldTable.Create(new Dictionary<string, object?>
            {
                ["short"] = (short)3,
                ["list"] = new List<object?> { 1L, "x" },
                ["none"] = null,
            }),
        };
        await shop.Orders.PublishAsync("broken", properties);
        await shop.Orders.PublishAsync("bare");
        List<Taken> before = await shop.Orders.TakeAllAsync();
        await shop.Orders.PublishAsync("broken", properties);
        await shop.Orders.PublishAsync("bare");
        await shop.ConsumeAsync(_ => { }, null, errors: 2);
        ToolRun run = shop.Errors.Run("errors", "--retry", "--yes");
        Assert.Equal((0, ""), (run.ExitCode, run.Errors));
        List<Taken> after = await shop.Orders.TakeAllAsync();
        Assert.Equal(before.Select(message => message.Text), after.Select(message => message.Text));
        Assert.Equal(before.Select(message => message.Properties), after.Select(message => message.Properties));
        Assert.Equal(before.Select(message => message.Headers.Keys), after.Select(message => message.Headers.Keys));
        Assert.IsType<short>(after[0].Headers["short"]);
        Assert.All(after, message => Assert.False(message.Redelivered));
        Assert.Empty(await shop.Errors.TakeAllAsync());
    }

    [Fact]
    public async Task A_message_without_a_queue_to_go_to_stays()
    {
        await using var shop = await Shop.OpenAsync();
        await shop.FillAsync();
        List<string> before = await shop.ErrorIdsAsync();
        await shop.Orders.Channel.Topology.DeleteQueueAsync(shop.Orders.Name).InTime();
        ToolRun run = shop.Errors.Run("errors", "--retry", "--yes", "--group", "type-refused");
        Assert.Equal(1, run.ExitCode);
        Assert.Equal([$"1 message(s) stay in {shop.Errors.Name}"], run.Lines);
        Assert.Matches("^wire: message [0-9] stays: .* came back: 312 NO_ROUTE", run.Error);
        Assert.Equal(before, await shop.ErrorIdsAsync());

        // One of a queue that is there is sent all the same.
        await using TestQueue other = await TestQueue.DeclareAsync();
        await shop.Errors.PublishAsync("of another queue", new BasicProperties { Headers = ErrorOf(other.Name) });
        ToolRun mixed = shop.Errors.Run("errors", "--retry", "--yes");
        Assert.Equal(1, mixed.ExitCode);
        Assert.Equal(
            [$"1 message(s) sent back to the queue {other.Name}", $"8 message(s) stay in {shop.Errors.Name}"], mixed.Lines);
        Assert.Equal(8, mixed.Errors.Split('\n', StringSplitOptions.RemoveEmptyEntries).Length);
        Assert.Equal("of another queue", Assert.Single(await other.TakeAllAsync()).Text);
        Assert.Equal(before, await shop.ErrorIdsAsync());
    }

    [Fact]
    public async Task A_full_queue_refuses_and_the_message_stays()
    {
        await using TestQueue full = await TestQueue.DeclareAsync(TestQueue.With(("x-max-length", 1L), ("x-overflow", "reject-publish")));
        await using TestQueue errors = await TestQueue.DeclareAsync();
        await full.PublishAsync("the only one");
        await errors.PublishAsync("failed", new BasicProperties { Headers = ErrorOf(full.Name) });
        ToolRun run = errors.Run("errors", "--retry", "--yes");
        Assert.Equal((1, $"1 message(s) stay in {errors.Name}\n"), (run.ExitCode, run.Output));
        Assert.Contains("was refused by the broker: a queue is full", run.Error, StringComparison.Ordinal);
        Assert.Equal("failed", Assert.Single(await errors.TakeAllAsync()).Text);
    }

    [Fact]
    public async Task Messages_that_the_error_queue_does_not_have_whole_stay()
    {
        await using TestQueue errors = await TestQueue.DeclareAsync();
        await errors.PublishAsync("no headers");
        await errors.PublishAsync("", new BasicProperties { Headers = ErrorOf("q", ("x-wire-error-reason", "too-large")) });
        await errors.PublishAsync("cut", new BasicProperties { Headers = ErrorOf("q", ("x-wire-error-left-out", "big, \u001b[2J")) });
        await errors.PublishAsync("odd", new BasicProperties
        {
            Headers = FieldTable.Create(new Dictionary<string, object?>
            {
                ["x-wire-error-reason"] = 5,
                ["x-death"] = "none",
            }),
        });
        foreach (string[] options in new string[][] { ["--retry"], ["--retry", "--yes"] })
        {
            ToolRun run = errors.Run("errors", options);
            Assert.Equal((1, $"4 message(s) stay in {errors.Name}\n"), (run.ExitCode, run.Output));
            Assert.Equal(
                [
                    "wire: message 1 stays: no header says which queue it came from",
                    "wire: message 2 stays: its body was too large for the consumer, and is not in the error queue",
                    "wire: message 3 stays: its headers big, \\u001B[2J had no room in the error queue",
                    "wire: message 4 stays: no header says which queue it came from",
                ],
                run.Errors.Split('\n', StringSplitOptions.RemoveEmptyEntries));
        }

        Assert.Equal(["no headers", "", "cut", "odd"], (await errors.TakeAllAsync()).Select(message => message.Text));
    }

    [Fact]
    public async Task A_message_for_a_place_that_cannot_be_stays_and_stops_no_other()
    {
        await using TestQueue errors = await TestQueue.DeclareAsync();
        await using TestQueue work = await TestQueue.DeclareAsync();
        await errors.PublishAsync("long", new BasicProperties { Headers = ErrorOf(new string('é', 200)) });
        await errors.PublishAsync("good", new BasicProperties { Headers = ErrorOf(work.Name) });
        ToolRun run = errors.Run("errors", "--retry", "--yes");
        Assert.Equal(1, run.ExitCode);
        Assert.Contains("message 1 stays: its headers name a place with more than 255 bytes", run.Errors, StringComparison.Ordinal);
        Assert.Equal("long", Assert.Single(await errors.TakeAllAsync()).Text);
        Assert.Equal("good", Assert.Single(await work.TakeAllAsync()).Text);
    }

    [Fact]
    public async Task Numbers_in_a_long_text_make_no_group()
    {
        await using TestQueue errors = await TestQueue.DeclareAsync();
        foreach (int number in new[] { 7, 123_456_789 })
        {
            string text = $"Order {number} failed: {new string('x', 330)}";
            await errors.PublishAsync("x", new BasicProperties { Headers = ErrorOf("q", ("x-wire-error-message", text)) });
        }

        Assert.EndsWith(": 2 message(s) in 1 group(s)", errors.Run("errors").Lines[^1], StringComparison.Ordinal);
    }

    [Fact]
    public async Task Hostile_headers_are_escaped()
    {
        const string Bad = "\u001b[2J\r\nwire: all is well\u202e";
        await using TestQueue errors = await TestQueue.DeclareAsync();
        await errors.PublishAsync("x", new BasicProperties
        {
            Type = Bad,
            MessageId = Bad,
            Headers = ErrorOf(Bad, ("x-wire-error-reason", Bad), ("x-wire-error-exception", Bad), ("x-wire-error-message", Bad)),
        });
        foreach (string[] options in new string[][] { [], ["--json"], ["--show"], ["--retry"], ["--retry", "--yes"] })
        {
            ToolRun run = errors.Run("errors", options);
            Assert.DoesNotContain(run.Output + run.Errors, character => character is '\u001b' or '\r' or '\u202e');
            Assert.DoesNotContain(run.Output.Split('\n'), line => line.StartsWith("wire: all", StringComparison.Ordinal));
        }
    }

    [Fact]
    public async Task Dead_letters_are_grouped_and_sent_back()
    {
        await using TestQueue errors = await TestQueue.DeclareAsync();
        await using TestQueue orders = await TestQueue.DeclareAsync(
            TestQueue.With(("x-dead-letter-exchange", ""), ("x-dead-letter-routing-key", errors.Name)));
        await orders.PublishAsync("rejected", new BasicProperties { MessageId = "m" });
        using (AmqpDelivery delivery = (await orders.Channel.GetAsync(orders.Name).InTime())!.Value)
        {
            delivery.Reject(requeue: false);
        }

        await orders.PublishAsync("expired", new BasicProperties { Expiration = "0" });
        for (int i = 0; i < 100 && (await errors.Channel.Topology.FindQueueAsync(errors.Name).InTime())!.MessageCount < 2; i++)
        {
            await Task.Delay(50);
        }

        ToolRun run = errors.Run("errors");
        Assert.Equal((0, ""), (run.ExitCode, run.Errors));
        Assert.Contains(run.Lines, line => line.EndsWith($": 1 message(s), rejected in {orders.Name}", StringComparison.Ordinal));
        Assert.Contains(run.Lines, line => line.EndsWith($": 1 message(s), expired in {orders.Name}", StringComparison.Ordinal));
        ToolRun retry = errors.Run("errors", "--retry", "--yes", "--group", "rejected");
        Assert.Equal([$"1 message(s) sent back to the queue {orders.Name}"], retry.Lines);
        Taken taken = Assert.Single(await orders.TakeAllAsync());
        Assert.Equal(("rejected", "m"), (taken.Text, taken.Properties.MessageId.ToString()));
        Assert.Empty(taken.Headers);

        // It expires again, with the time that it had.
        Assert.Equal(0, errors.Run("errors", "--retry", "--yes").ExitCode);
        for (int i = 0; i < 100 && (await errors.Channel.Topology.FindQueueAsync(errors.Name).InTime())!.MessageCount < 1; i++)
        {
            await Task.Delay(50);
        }

        Assert.Contains(": 1 message(s), expired in ", errors.Run("errors").Lines[0], StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_message_goes_to_its_queue_alone_or_to_its_exchange()
    {
        await using var shop = await Shop.OpenAsync();
        await using TestQueue other = await TestQueue.DeclareAsync();
        string exchange = Testing.Broker.UniqueName();
        await other.Channel.Topology.DeclareExchangeAsync(exchange, "fanout").InTime();
        await other.Channel.Topology.BindQueueAsync(shop.Orders.Name, exchange).InTime();
        await other.Channel.Topology.BindQueueAsync(other.Name, exchange).InTime();
        await shop.Orders.PublishAsync("broken", exchange: exchange);
        await shop.ConsumeAsync(_ => { }, null, errors: 1);
        Assert.Single(await other.TakeAllAsync());

        Assert.Equal(0, shop.Errors.Run("errors", "--retry", "--yes").ExitCode);
        Assert.Empty(await other.TakeAllAsync());
        await shop.ConsumeAsync(_ => { }, null, errors: 1);

        // Where it failed last, it came from the default exchange.
        await shop.Errors.TakeAllAsync();
        await shop.Orders.PublishAsync("broken", exchange: exchange);
        await other.TakeAllAsync();
        await shop.ConsumeAsync(_ => { }, null, errors: 1);
        ToolRun run = shop.Errors.Run("errors", "--retry", "--to-exchange", "--yes");
        Assert.Equal((0, $"1 message(s) sent back to the exchange {exchange}\n"), (run.ExitCode, run.Output));
        Assert.Equal(exchange, Assert.Single(await other.TakeAllAsync()).Exchange);
        Assert.Equal(exchange, Assert.Single(await shop.Orders.TakeAllAsync()).Exchange);

        await shop.Errors.PublishAsync("x", new BasicProperties { Headers = ErrorOf("q", ("x-wire-error-exchange", exchange)) });
        await other.Channel.Topology.DeleteExchangeAsync(exchange).InTime();
        ToolRun gone = shop.Errors.Run("errors", "--retry", "--to-exchange", "--yes");
        Assert.Equal((1, $"wire: message 1 stays: there is no exchange {exchange} any more"), (gone.ExitCode, gone.Error));
        Assert.Single(await shop.Errors.TakeAllAsync());
    }

    [Fact]
    public async Task Copies_for_further_queues_are_not_made_again()
    {
        await using var shop = await Shop.OpenAsync();
        await using TestQueue other = await TestQueue.DeclareAsync();
        await shop.Orders.PublishAsync("broken", new BasicProperties
        {
            Headers = FieldTable.Create(new Dictionary<string, object?> { ["CC"] = new List<object?> { other.Name } }),
        });
        await shop.ConsumeAsync(_ => { }, null, errors: 1);
        Assert.Single(await other.TakeAllAsync());
        Assert.Equal(0, shop.Errors.Run("errors", "--retry", "--yes").ExitCode);
        Assert.Empty(await other.TakeAllAsync());
        Assert.Empty(Assert.Single(await shop.Orders.TakeAllAsync()).Headers);

        await shop.Errors.PublishAsync("x", new BasicProperties
        {
            Headers = ErrorOf(shop.Orders.Name, ("x-wire-error-cc", new List<object?> { other.Name })),
        });
        Assert.Equal(0, shop.Errors.Run("errors", "--retry", "--to-exchange", "--yes").ExitCode);
        Assert.Single(await other.TakeAllAsync());
        Assert.Equal(["CC"], Assert.Single(await shop.Orders.TakeAllAsync()).Headers.Keys);

        // A dead letter has them where they were.
        BasicProperties copied = new()
        {
            Headers = FieldTable.Create(new Dictionary<string, object?>
            {
                ["CC"] = new List<object?> { other.Name },
                ["x-death"] = new List<object?> { new Dictionary<string, object?> { ["queue"] = shop.Orders.Name } },
            }),
        };
        await shop.Errors.PublishAsync("x", copied);
        await other.TakeAllAsync();
        Assert.Equal(0, shop.Errors.Run("errors", "--retry", "--yes").ExitCode);
        Assert.Empty(await other.TakeAllAsync());
        Assert.Empty(Assert.Single(await shop.Orders.TakeAllAsync()).Headers);
    }

    [Fact]
    public async Task A_quorum_queue_of_errors_needs_a_word_of_the_user()
    {
        await using TestQueue orders = await TestQueue.DeclareAsync();
        await using TestQueue errors = await TestQueue.DeclareAsync(TestQueue.With(("x-queue-type", "quorum")));
        await errors.PublishAsync("failed", new BasicProperties { Headers = ErrorOf(orders.Name) });
        Assert.Equal(2, errors.Run("errors").ExitCode);
        Assert.Equal(2, errors.Run("errors", "--retry", "--yes").ExitCode);
        Assert.Equal(0, errors.Run("errors", "--count-delivery").ExitCode);
        Assert.Equal(0, errors.Run("errors", "--retry", "--yes", "--count-delivery").ExitCode);
        Taken taken = Assert.Single(await orders.TakeAllAsync());
        Assert.Equal("failed", taken.Text);
        Assert.Empty(taken.Headers);
    }

    [Fact]
    public async Task Another_users_id_is_left_out()
    {
        await using TestQueue orders = await TestQueue.DeclareAsync();
        await using TestQueue errors = await TestQueue.DeclareAsync();
        await errors.PublishAsync(
            "failed", new BasicProperties { MessageId = "m", Headers = ErrorOf(orders.Name, ("x-wire-error-user-id", "somebody")) });
        Assert.Equal(0, errors.Run("errors", "--retry", "--yes").ExitCode);
        Assert.True(Assert.Single(await orders.TakeAllAsync()).Properties.UserId.IsNull);
    }

    private static FieldTable ErrorOf(string queue, params (string Name, object? Value)[] others)
    {
        var headers = new Dictionary<string, object?>
        {
            ["x-wire-error-reason"] = "handler-failed",
            ["x-wire-error-queue"] = queue,
            ["x-wire-error-exchange"] = "",
            ["x-wire-error-routing-key"] = queue,
        };
        foreach ((string name, object? value) in others)
        {
            headers[name] = value;
        }

        return FieldTable.Create(headers);
    }

    /// <summary>A queue with its error queue, and consumers of it.</summary>
    private sealed class Shop : IAsyncDisposable
    {
        private readonly WireConnection _connection;

        private Shop(WireConnection connection, TestQueue orders, TestQueue errors)
        {
            _connection = connection;
            Orders = orders;
            Errors = errors;
        }

        public TestQueue Orders { get; }

        public TestQueue Errors { get; }

        public static async Task<Shop> OpenAsync([CallerMemberName] string test = "")
        {
            TestQueue orders = await TestQueue.DeclareAsync(test: test);
            TestQueue errors = await TestQueue.DeclareAsync(name: orders.Name + ".error");
            return new Shop(await WireConnection.ConnectAsync(TestQueue.Uri).InTime(), orders, errors);
        }

        /// <summary>Has a consumer fail with five orders, a stranger, and two bodies that are none.</summary>
        public async Task FillAsync()
        {
            for (int i = 0; i < 5; i++)
            {
                await PublishAsync(new Order(10 + i, i == 4 ? "Bob" : "Ann"), $"order-{i}");
            }

            await PublishAsync(new Stranger("?"), "stranger");
            await Orders.PublishAsync("no body", new BasicProperties { MessageId = "broken-1" });
            await Orders.PublishAsync("no body", new BasicProperties { MessageId = "broken-2" });
            await ConsumeAsync(
                order => throw new InvalidOperationException($"There is no shelf for order {order.Id}."), null, errors: 8);
        }

        /// <summary>Consumes until a condition holds, and the error queue has so many messages.</summary>
        public async Task ConsumeAsync(Action<Order> handle, Func<bool>? until, int? errors = null)
        {
            await using WireConsumer consumer = await StartAsync(handle);
            for (int i = 0; i < 600 && until?.Invoke() == false; i++)
            {
                await Task.Delay(50);
            }

            if (errors is { } count)
            {
                await WaitForErrorsAsync(count);
            }

            await consumer.StopAsync().InTime();
        }

        public async Task<WireConsumer> StartAsync(Action<Order> handle)
        {
            var consumer = new WireConsumer(
                _connection, Serializer, new WireConsumerOptions { Queue = Orders.Name, MaxConcurrency = 1, Retry = RetryPolicy.None });
            consumer.Handle<Order>((order, _) =>
            {
                handle(order);
                return Task.CompletedTask;
            });
            await consumer.StartAsync().InTime();
            return consumer;
        }

        public async Task WaitForErrorsAsync(int count)
        {
            for (int i = 0; i < 600; i++)
            {
                if ((await Errors.Channel.Topology.FindQueueAsync(Errors.Name).InTime())!.MessageCount == count)
                {
                    return;
                }

                await Task.Delay(50);
            }

            Assert.Fail($"The error queue has not got {count} messages.");
        }

        /// <summary>Looks at the ids of the error queue's messages, and leaves them.</summary>
        public async Task<List<string>> ErrorIdsAsync()
        {
            var ids = new List<string>();
            await using AmqpConnection connection = await AmqpConnection.ConnectAsync(TestQueue.Uri).InTime();
            await using AmqpChannel channel = await connection.OpenChannelAsync().InTime();
            while (await channel.GetAsync(Errors.Name).InTime() is { } delivery)
            {
                using (delivery)
                {
                    ids.Add(delivery.Properties.MessageId.ToString());
                }
            }

            return ids;
        }

        public async ValueTask DisposeAsync()
        {
            await _connection.DisposeAsync();
            await Errors.DisposeAsync();
            await Orders.DisposeAsync();
        }

        private async Task PublishAsync<T>(T message, string id) => await Orders.Channel.PublishAsync(
            "", Orders.Name, message, new BasicProperties { MessageId = id }).AsTask().InTime();
    }
}
