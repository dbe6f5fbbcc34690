using System.Buffers;
using System.Reflection;
using Microsoft.Extensions.Logging.Abstractions;
using RabbitMQ.Client;
using Wire.Amqp.Client.Consuming;
using Wire.RabbitMQ.Connections;
using Wire.RabbitMQ.Consuming;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Consuming;

/// <summary>A consumer that is stopped while it is being started.</summary>
public sealed class ConsumerLoopTests
{
    [Fact]
    public async Task One_that_its_handler_stops_before_the_broker_s_answer_is_seen_has_been_started_and_stops()
    {
        using var stopping = new CancellationTokenSource();
        using var handlers = new CancellationTokenSource();
        var settled = new List<ulong>();
        (ConsumerLoop loop, MessagePump pump) = Make(async _ =>
        {
            await stopping.CancelAsync();
            return Settlement.Ack;
        });
        Subscription first = await loop.SubscribeAsync(stopping.Token).InTime();
        Assert.True(first.HasDelivered);
        Assert.Null(await loop.RunAsync(first).InTime());
        Assert.Equal([1ul], settled);
        Assert.Equal(0, pump.Running);

        (ConsumerLoop Loop, MessagePump Pump) Make(Func<Delivery, ValueTask<Settlement>> handle)
        {
            var connection = Fake.Of<IBrokerConnection>((method, _) => method switch
            {
                nameof(IBrokerConnection.OpenChannelAsync) => Task.FromResult(Channel()),
                _ => true,
            });
            var made = new MessagePump(1, ExecutionContext.Capture()!, handle, stopping.Token);
            var options = new WireConsumerOptions { Queue = "q", AckDelay = TimeSpan.Zero };
            return (new ConsumerLoop(new ChannelSource(connection, TimeSpan.FromSeconds(30)), options, made, NullLogger.Instance, handlers, stopping.Token), made);
        }

        IBrokerChannel Channel()
        {
            IBrokerChannelEvents events = null!;
            return Fake.Of<IBrokerChannel>((method, arguments) =>
            {
                switch (method)
                {
                    case nameof(IBrokerChannel.Listen):
                        events = (IBrokerChannelEvents)arguments[0]!;
                        return null;
                    case nameof(IBrokerChannel.ConsumeAsync):
                        events.Delivered(new Incoming(1, false, "", "q", new BasicProperties(), default, new NoBody()));
                        return NeverAsync((CancellationToken)arguments[^1]!);
                    case nameof(IBrokerChannel.AckAsync):
                        settled.Add((ulong)arguments[0]!);
                        return default(ValueTask);
                    case nameof(IAsyncDisposable.DisposeAsync):
                        return default(ValueTask);
                    default:
                        return Task.CompletedTask;
                }
            });
        }
    }

    [Fact]
    public async Task One_that_is_stopped_while_an_attempt_to_consume_fails_stops_as_at_any_time()
    {
        using var stopping = new CancellationTokenSource();
        using var handlers = new CancellationTokenSource();
        var attempted = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var channel = Fake.Of<IBrokerChannel>((method, arguments) => method switch
        {
            nameof(IBrokerChannel.LimitAsync) => FailAsync((CancellationToken)arguments[^1]!),
            nameof(IAsyncDisposable.DisposeAsync) => default(ValueTask),
            _ => Task.CompletedTask,
        });
        var connection = Fake.Of<IBrokerConnection>((method, _) => method switch
        {
            nameof(IBrokerConnection.OpenChannelAsync) => Task.FromResult(channel),
            $"get_{nameof(IBrokerConnection.IsClosedForGood)}" => false,
            _ => true,
        });
        var pump = new MessagePump(1, ExecutionContext.Capture()!, _ => new(Settlement.Ack), stopping.Token);
        var source = new ChannelSource(connection, TimeSpan.FromSeconds(30));
        var loop = new ConsumerLoop(source, new WireConsumerOptions { Queue = "q" }, pump, NullLogger.Instance, handlers, stopping.Token);
        Task<ConnectionLostException?> running = loop.RunAsync(null);
        await attempted.Task.InTime();
        await stopping.CancelAsync();
        Assert.Null(await running.InTime());

        async Task FailAsync(CancellationToken cancellationToken)
        {
            attempted.SetResult();
            await Task.Delay(Timeout.Infinite, cancellationToken).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            throw new IOException("down");
        }
    }

    private static async Task<string> NeverAsync(CancellationToken cancellationToken)
    {
        await Task.Delay(Timeout.Infinite, cancellationToken);
        return "";
    }

    private sealed class NoBody : IBodyKeeper, IKeptBody
    {
        public ReadOnlySequence<byte> Bytes => default;

        public IKeptBody Keep(ReadOnlySequence<byte> body) => this;

        public void GiveBack()
        {
        }
    }

    /// <summary>An object of which only what is called here does something.</summary>
    private class Fake : DispatchProxy
    {
        private Func<string, object?[], object?> _call = null!;

        public static T Of<T>(Func<string, object?[], object?> call)
            where T : class
        {
            T made = Create<T, Fake>();
            ((Fake)(object)made)._call = call;
            return made;
        }

        protected override object? Invoke(MethodInfo? targetMethod, object?[]? args) => _call(targetMethod!.Name, args!);
    }
}
