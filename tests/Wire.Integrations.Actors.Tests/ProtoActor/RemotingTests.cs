using System.Threading.Channels;
using Proto;
using Proto.Remote;
using Proto.Remote.GrpcNet;
using Wire.Comparing;
using Wire.ProtoActor;
using Wire.Testing;

namespace Wire.Integrations.Actors.Tests.ProtoActor;

/// <summary>Messages between two actor systems over Proto.Remote's gRPC.</summary>
public sealed class RemotingTests : IAsyncLifetime
{
    private readonly ActorSystem _here = Make();
    private readonly ActorSystem _there = Make();
    private readonly Channel<object> _arrived = Channel.CreateUnbounded<object>();

    public async Task InitializeAsync()
    {
        await _here.Remote().StartAsync();
        await _there.Remote().StartAsync();
    }

    public async Task DisposeAsync()
    {
        await _here.Remote().ShutdownAsync();
        await _there.Remote().ShutdownAsync();
    }

    [Fact]
    public async Task A_polymorphic_message_with_a_cycle_arrives_as_it_was()
    {
        PID remote = Reach(context => Keep(context.Message!));
        OrderPlaced order = Shop.Order();
        _here.Root.Send(remote, order);
        object arrived = await Next();
        Assert.NotSame(order, arrived);
        GraphAssert.Same(order, arrived, sharing: true);
    }

    [Fact]
    public async Task Many_messages_of_two_types_arrive_in_order()
    {
        PID remote = Reach(context => Keep(context.Message!));
        ShopMessage[] messages = [.. Enumerable.Range(0, 200).Select(i => i % 3 == 0
            ? new OrderCancelled { Reason = $"{i}" }
            : (ShopMessage)Shop.Order($"{i}"))];
        Array.ForEach(messages, message => _here.Root.Send(remote, message));
        foreach (ShopMessage message in messages)
        {
            GraphAssert.Same(message, await Next(), sharing: true);
        }
    }

    [Fact]
    public async Task References_in_a_message_lead_back_to_their_actors()
    {
        PID answered = _here.Root.Spawn(Props.FromFunc(context =>
        {
            if (context.Message is ShopMessage message)
            {
                Keep(message);
            }

            return Task.CompletedTask;
        }));
        PID remote = Reach(context =>
        {
            if (context.Message is Call call)
            {
                context.Send(call.ReplyTo!, new OrderCancelled { Reason = "to the member" });
                context.Send(call.More[0], new OrderCancelled { Reason = "to the element" });
                context.Send((PID)call.Any!, new OrderCancelled { Reason = "to the object" });
                context.Respond(call);
            }
        });
        var call = new Call { ReplyTo = answered, Any = answered, More = [answered, remote, remote.WithRequestId(7)] };

        Call back = await _here.Root.RequestAsync<Call>(remote, call, CancellationTokens.FromSeconds(90));

        Assert.Equal("to the member", Assert.IsType<OrderCancelled>(await Next()).Reason);
        Assert.Equal("to the element", Assert.IsType<OrderCancelled>(await Next()).Reason);
        Assert.Equal("to the object", Assert.IsType<OrderCancelled>(await Next()).Reason);
        Assert.Equal(answered, back.ReplyTo);
        Assert.Same(back.ReplyTo, back.Any);
        Assert.Equal([answered, remote, remote.WithRequestId(7)], back.More);
        Assert.Equal(7u, back.More[2].RequestId);
    }

    [Fact]
    public async Task A_type_that_is_not_allowed_is_dropped_and_the_next_message_arrives()
    {
        PID remote = Reach(context => Keep(context.Message!));
        Task<LogLine> logged = LogLine.Next(line => line.Cause is TypeRefusedException);
        _here.Root.Send(remote, new Parcel { Content = new Intruder { Text = "let me in" } });
        _here.Root.Send(remote, new Parcel { Content = "a text" });

        Assert.Equal("a text", Assert.IsType<Parcel>(await Next()).Content);
        LogLine line = await logged.InTime();
        Assert.StartsWith(typeof(Intruder).FullName!, ((TypeRefusedException)line.Cause!).TypeName, StringComparison.Ordinal);
        Assert.False(_arrived.Reader.TryRead(out _));
    }

    [Fact]
    public async Task A_message_that_cannot_be_written_is_logged_at_both_ends_and_takes_no_other_with_it()
    {
        PID remote = Reach(context => Keep(context.Message!));
        Task<LogLine> unwritten = LogLine.Next(line => line.Cause is UnsupportedTypeException);
        Task<LogLine> unread = LogLine.Next(line => line.Cause is InvalidOperationException
            && line.Cause.Message.Contains(typeof(Unwritable).FullName!, StringComparison.Ordinal));
        for (int i = 0; i < 20; i++)
        {
            _here.Root.Send(remote, i == 10 ? new Unwritable() : new OrderCancelled { Reason = $"{i}" });
        }

        await unwritten.InTime();
        await unread.InTime();
        foreach (int i in Enumerable.Range(0, 20).Where(i => i != 10))
        {
            Assert.Equal($"{i}", Assert.IsType<OrderCancelled>(await Next()).Reason);
        }
    }

    private static ActorSystem Make() => new ActorSystem().WithRemote(
        RemoteConfig.BindToLocalhost().WithWireSerializer(Shop.Options, typeof(ShopMessage), typeof(Call)));

    private PID Reach(Action<IContext> receive)
    {
        PID actor = _there.Root.Spawn(Props.FromFunc(context =>
        {
            if (context.Message is ShopMessage or Call)
            {
                receive(context);
            }

            return Task.CompletedTask;
        }));
        return PID.FromAddress(_there.Address, actor.Id);
    }

    private void Keep(object message) => _arrived.Writer.TryWrite(message);

    private Task<object> Next() => _arrived.Reader.ReadAsync().AsTask().InTime();

    /// <summary>A message with references to actors wherever one can be.</summary>
    public sealed class Call
    {
        public PID? ReplyTo { get; set; }

        public object? Any { get; set; }

        public PID[] More { get; set; } = [];
    }
}
