using System.Collections.Concurrent;
using Wire.Amqp.Client.Tests.Testing;
using Wire.Amqp.Testing;
using Wire.Amqp.V091;
using Wire.Testing;

namespace Wire.Amqp.Client.Tests.Publishing;

/// <summary>
/// A message that was under way each time when the broker closed the connection over an error goes out alone, whatever the other channels
/// of the connection publish, so that none is refused for another.
/// </summary>
public sealed class SuspectTurnTests
{
    private const string Fatal = "fatal";

    [Fact]
    public async Task A_message_is_not_refused_for_those_of_another_channel_over_which_the_broker_closes_the_connection()
    {
        // What comes within a moment is under way together.
        await using var broker = new Picky { Holds = static (number, _) => number < 2 };
        await using AmqpConnection connection = await broker.ConnectAsync();
        AmqpChannel[] channels = await OpenAsync(connection, 3);
        Task good = PublishAsync(channels[0], "good");
        List<Task> bad = [PublishAsync(channels[1], $"{Fatal} 0")];
        await broker.ReachedAsync(2);
        bad.Add(PublishAsync(channels[2], $"{Fatal} 1"));
        foreach (Task task in bad)
        {
            AmqpPublishException error = await Assert.ThrowsAsync<AmqpPublishException>(() => task.InTime());
            Assert.Equal((AmqpPublishFailure.Refused, 541), (error.Failure, error.ReplyCode));
        }

        await good.InTime();

        // On the connection after the last that was lost.
        await PublishAsync(channels[2], "last").InTime();
        Assert.Empty(broker.Beside);
    }

    [Fact]
    public async Task Nothing_of_other_channels_is_under_way_beside_it()
    {
        await using var broker = new Picky
        {
            MustClose = static (number, open) => number < 2 && open.Contains("good 0") && open.Contains("good 1"),
            Holds = static (number, _) => number < 2,
        };
        await using AmqpConnection connection = await broker.ConnectAsync();
        AmqpChannel[] channels = await OpenAsync(connection, 4);
        Task[] good = [.. Enumerable.Range(0, 2).Select(number => PublishAsync(channels[number], $"good {number}"))];
        using var over = new CancellationTokenSource();
        Task[] others = [.. channels.Skip(1).Select(async (channel, number) =>
        {
            for (int i = 0; !over.IsCancellationRequested; i++)
            {
                await PublishAsync(channel, $"other {number} {i}").InTime();
            }
        })];
        await Task.WhenAll(good).InTime();
        await over.CancelAsync();
        await Task.WhenAll(others);
        Assert.Empty(broker.Beside);
    }

    [Fact]
    public async Task Those_of_several_channels_go_one_after_the_other()
    {
        const int Count = 200;
        await using var broker = new Picky
        {
            MustClose = static (number, open) => number < 2 && open.Count == Count,
            Holds = static (number, _) => number < 2,
            Quiet = TimeSpan.Zero,
        };
        await using AmqpConnection connection = await broker.ConnectAsync();
        AmqpChannel[] channels = await OpenAsync(connection, 4);
        Task[] tasks = [.. Enumerable.Range(0, Count).Select(number => PublishAsync(channels[number % 4], $"{number}"))];
        await Task.WhenAll(tasks).InTime();
        Assert.Empty(broker.Beside);
    }

    [Fact]
    public async Task One_that_cannot_be_written_again_does_not_keep_the_turn_while_its_channel_is_busy()
    {
        List<object> failing = ["text"];
        await using var broker = new Picky
        {
            MustClose = (number, open) =>
            {
                if (number == 1 && open.Count == 2)
                {
                    failing.Add(static () => { });
                }

                return number < 2 && open.Count == 2;
            },
            Holds = static (number, _) => number < 2,
        };
        await using AmqpConnection connection = await broker.ConnectAsync();

        // Without a prefetch count, it is the first that is there again.
        AmqpChannel busy = await connection.OpenChannelAsync(new AmqpChannelOptions { Prefetch = 0 }).InTime();
        AmqpChannel other = await connection.OpenChannelAsync().InTime();
        Task failed = busy.PublishAsync("", "failing", failing).AsTask();
        Task good = PublishAsync(other, "good");
        await broker.ReachedAsync(2);
        List<Task> tasks = [];
        while (tasks.Count < 300 && !good.IsCompleted)
        {
            tasks.Add(PublishAsync(busy, $"{tasks.Count}"));
            await Task.Delay(10);
        }

        Assert.True(good.IsCompletedSuccessfully);
        await Assert.ThrowsAsync<AmqpPublishException>(() => failed.InTime());
        await Task.WhenAll(tasks).InTime();
        Assert.Empty(broker.Beside);
    }

    [Fact]
    public async Task One_that_is_cancelled_while_it_waits_for_others_to_be_confirmed_does_not_hold_up_those_behind_it()
    {
        bool isOver = false;
        await using var broker = new Picky
        {
            MustClose = static (number, open) => number < 2 && open.Contains("suspect"),
            Holds = (number, what) => number < 2 || (what == "other" && !Volatile.Read(ref isOver)),
        };
        await using AmqpConnection connection = await broker.ConnectAsync();

        // Without a prefetch count, it is the first that is there again.
        AmqpChannel first = await connection.OpenChannelAsync(new AmqpChannelOptions { Prefetch = 0 }).InTime();
        AmqpChannel second = await connection.OpenChannelAsync().InTime();
        using var cancellation = new CancellationTokenSource();
        Task suspect = PublishAsync(second, "suspect", cancellation.Token);
        await broker.ReachedAsync(2);
        Task other = PublishAsync(first, "other");
        Task behind = PublishAsync(second, "behind");
        await Task.Delay(200);
        await cancellation.CancelAsync();
        await behind.InTime();
        Assert.True(suspect.IsCompleted);
        Volatile.Write(ref isOver, true);

        // Without anything that comes, the broker does not look.
        await PublishAsync(second, "last").InTime();
        await other.InTime();
        Assert.Empty(broker.Beside);
    }

    private static Task<AmqpChannel[]> OpenAsync(AmqpConnection connection, int count) =>
        Task.WhenAll(Enumerable.Range(0, count).Select(_ => connection.OpenChannelAsync().InTime()));

    private static Task PublishAsync(AmqpChannel channel, string what, CancellationToken cancellationToken = default) =>
        channel.PublishBytesAsync(
            new BasicPublish { RoutingKey = what }, default, "body"u8.ToArray(), cancellationToken: cancellationToken).AsTask();

    /// <summary>
    /// A broker that closes the connection over an error for what a test says, and confirms a message when no other comes for a moment. It
    /// notes what was under way beside a message that had been under way at two such ends.
    /// </summary>
    private sealed class Picky : IAsyncDisposable
    {
        private readonly LoopbackServer _server;
        private readonly ConcurrentDictionary<string, int> _losses = [];
        private readonly Countdown _connections = new(int.MaxValue);

        public Picky() => _server = AmqpServers.Scripted(ServeAsync);

        public Func<int, IReadOnlyList<string>, bool> MustClose { get; init; } = static (_, open) => open.Any(IsFatal);

        /// <summary>Whether a message is not confirmed on a connection.</summary>
        public Func<int, string, bool> Holds { get; init; } = static (_, _) => false;

        /// <summary>Whether a message is confirmed as soon as another one has come.</summary>
        public bool ConfirmsEarly { get; init; }

        public TimeSpan Quiet { get; init; } = TimeSpan.FromMilliseconds(30);

        public ConcurrentQueue<string> Beside { get; } = [];

        public Task<AmqpConnection> ConnectAsync()
        {
            AmqpConnectionOptions options = _server.Recovering();
            return AmqpConnection.ConnectAsync(options with { Recovery = options.Recovery with { ResendUnconfirmed = true } }).InTime();
        }

        /// <summary>Ends when there have been so many more connections than the first.</summary>
        public Task ReachedAsync(int connections) => _connections.ReachedAsync(connections);

        public ValueTask DisposeAsync() => _server.DisposeAsync();

        private static bool IsFatal(string what) => what.StartsWith(Fatal, StringComparison.Ordinal);

        private async Task ServeAsync(AmqpPeer peer, int number)
        {
            await peer.GreetAsync();
            if (number > 0)
            {
                _connections.Signal();
            }

            Dictionary<ushort, ulong> tags = [];
            List<(ushort Channel, ulong Tag, string What)> open = [];
            Task<ReceivedMessage?> next = peer.NextMessageAsync();
            while (true)
            {
                bool isQuiet = open.Count > 0 && await Task.WhenAny(next, Task.Delay(Quiet)) != next;
                string[] what = [.. open.Select(each => each.What)];
                if (isQuiet && MustClose(number, what))
                {
                    Array.ForEach(what, each => _losses.AddOrUpdate(each, 1, static (_, losses) => losses + 1));
                    await peer.SendAsync(0, new ConnectionClose { ReplyCode = 541, ReplyText = "INTERNAL_ERROR" });
                    try
                    {
                        while (await next is not null)
                        {
                            next = peer.NextMessageAsync();
                        }
                    }
                    catch (IOException)
                    {
                        // Ended without an answer.
                    }

                    return;
                }

                int answered = isQuiet || (ConfirmsEarly && open.Count > 1) ? open.FindIndex(each => !Holds(number, each.What)) : -1;
                if (answered >= 0)
                {
                    await peer.SendAsync(open[answered].Channel, new BasicAck { DeliveryTag = open[answered].Tag });
                    open.RemoveAt(answered);
                    continue;
                }

                if (await next is not { } message)
                {
                    return;
                }

                next = peer.NextMessageAsync();
                ulong tag = tags[message.Channel] = tags.GetValueOrDefault(message.Channel) + 1;
                open.Add((message.Channel, tag, message.Method.RoutingKey.ToString()));
                if (open.Count > 1 && open.Any(each => _losses.GetValueOrDefault(each.What) == 2))
                {
                    Beside.Enqueue($"On connection {number}: {string.Join(", ", open.Select(each => each.What))}");
                }
            }
        }
    }
}
