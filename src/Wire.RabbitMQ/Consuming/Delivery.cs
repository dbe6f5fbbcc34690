using System.Buffers;
using RabbitMQ.Client;
using Wire.RabbitMQ.Connections;

namespace Wire.RabbitMQ.Consuming;

/// <summary>A message that was delivered, with its body, from its arrival until the broker is told of it; then the object is used again.</summary>
internal sealed class Delivery(MessagePump pump) : IThreadPoolWorkItem
{
    private IKeptBody? _body;
    private byte[]? _onePiece;
    private Subscription? _subscription;
    private IReadOnlyBasicProperties? _properties;

    public ulong Tag { get; private set; }

    public bool Redelivered { get; private set; }

    public string Exchange { get; private set; } = "";

    public string RoutingKey { get; private set; } = "";

    public IReadOnlyBasicProperties Properties => _properties ?? throw Unused();

    public Subscription Subscription => _subscription ?? throw Unused();

    /// <summary>The body, in as many pieces as it came in.</summary>
    public ReadOnlySequence<byte> Body { get; private set; }

    /// <summary>The body in one piece, which is made when it is first asked for where there are several.</summary>
    public ReadOnlyMemory<byte> Memory => Body.IsSingleSegment ? Body.First : _onePiece ??= Body.ToArray();

    /// <summary>Takes over what was delivered.</summary>
    public void Fill(Subscription subscription, in Incoming incoming)
    {
        _body = incoming.KeepBody();
        Body = _body.Bytes;
        _subscription = subscription;
        _properties = incoming.Properties;
        Tag = incoming.Tag;
        Redelivered = incoming.Redelivered;
        Exchange = incoming.Exchange;
        RoutingKey = incoming.RoutingKey;
    }

    /// <summary>Lets go of what was delivered; the object is used again.</summary>
    public void Release()
    {
        _subscription = null;
        _properties = null;
        _onePiece = null;
        Body = default;
        _body?.GiveBack();
        _body = null;
        pump.Pool.PutBack(this);
    }

    /// <summary>Is handled, on a thread of the pool.</summary>
    public void Execute() => pump.Process(this);

    /// <summary>The same, in the context that handlers run in.</summary>
    public Task RunAsync() => pump.RunAsync(this);

    private static InvalidOperationException Unused() => new("The delivery is not in use.");
}
