using System.Reflection;
using RabbitMQ.Client;
using RabbitMQ.Client.Events;
using Wire.Amqp.Client.Connections;

namespace Wire.RabbitMQ.Tests.Client;

/// <summary>A connection and its channel that do what a test says, for what no broker does when it is asked to.</summary>
internal sealed class FakeChannel
{
    private AsyncEventHandler<BasicAckEventArgs>? _acks;
    private AsyncEventHandler<ShutdownEventArgs>? _shutdown;

    public FakeChannel()
    {
        Channel = Proxy<IChannel>.Make(Call);
        Create = () => Task.FromResult(Channel);
        Connection = Proxy<IConnection>.Make((method, _) => method switch
        {
            "get_IsOpen" => true,
            "get_CloseReason" => null,
            "get_FrameMax" => 0u,
            "CreateChannelAsync" => Create(),
            "add_ConnectionBlockedAsync" => Count(1),
            "remove_ConnectionBlockedAsync" => Count(-1),
            _ => null,
        });
    }

    public IConnection Connection { get; }

    public IChannel Channel { get; }

    /// <summary>Opens the channel.</summary>
    public Func<Task<IChannel>> Create { get; set; }

    /// <summary>How many wait to hear that the broker blocks the connection.</summary>
    public int Waiting { get; private set; }

    /// <summary>What a publish does.</summary>
    public Func<ValueTask> Publish { get; set; } = () => default;

    /// <summary>What ends the latest publish.</summary>
    public CancellationToken Token { get; private set; }

    /// <summary>What the channel says when it is asked whether it is open.</summary>
    public Func<bool> IsOpen { get; set; } = () => true;

    /// <summary>Confirms a message.</summary>
    public void Ack(ulong number, bool multiple = false) => _acks!(this, new BasicAckEventArgs(number, multiple));

    private object? Count(int more)
    {
        Waiting += more;
        return null;
    }

    /// <summary>Ends the channel, as a connection that is lost does.</summary>
    public Task ShutDownAsync() => _shutdown!(this, new ShutdownEventArgs(ShutdownInitiator.Library, 0, "lost"));

    private object? Call(string method, object?[] arguments)
    {
        switch (method)
        {
            case "add_BasicAcksAsync":
                _acks = (AsyncEventHandler<BasicAckEventArgs>)arguments[0]!;
                return null;
            case "add_ChannelShutdownAsync":
                _shutdown = (AsyncEventHandler<ShutdownEventArgs>)arguments[0]!;
                return null;
            case "get_IsOpen":
                return IsOpen();
            case "BasicPublishAsync":
                Token = (CancellationToken)arguments[^1]!;
#pragma warning disable CA2012 // The publisher awaits it.
                return Publish();
#pragma warning restore CA2012
            case "BasicConsumeAsync":
                return Task.FromResult("tag");
            case "CloseAsync":
                return Task.CompletedTask;
            case "DisposeAsync":
                return default(ValueTask);
            default:
                return null;
        }
    }

    private class Proxy<T> : DispatchProxy
        where T : class
    {
        private Func<string, object?[], object?> _call = null!;

        public static T Make(Func<string, object?[], object?> call)
        {
            T made = Create<T, Proxy<T>>();
            ((Proxy<T>)(object)made)._call = call;
            return made;
        }

        protected override object? Invoke(MethodInfo? targetMethod, object?[]? args) => _call(targetMethod!.Name, args ?? []);
    }
}
