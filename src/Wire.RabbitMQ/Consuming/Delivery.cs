using System.Numerics;
using RabbitMQ.Client;

namespace Wire.RabbitMQ;

/// <summary>A message that was delivered, with its body in memory of its own, from its arrival until the broker is told of it; then the object is used again.</summary>
internal sealed class Delivery(MessagePump pump) : IThreadPoolWorkItem
{
    private const int LeastBytes = 1024;

    private byte[] _buffer = [];
    private int _length;
    private Subscription? _subscription;
    private IReadOnlyBasicProperties? _properties;

    public ulong Tag { get; private set; }

    public bool Redelivered { get; private set; }

    public string Exchange { get; private set; } = "";

    public string RoutingKey { get; private set; } = "";

    public IReadOnlyBasicProperties Properties => _properties ?? throw Unused();

    public Subscription Subscription => _subscription ?? throw Unused();

    public ReadOnlyMemory<byte> Body => _buffer.AsMemory(0, _length);

    /// <summary>How much memory it holds.</summary>
    public int Capacity => _buffer.Length;

    /// <summary>Takes over what was delivered; the body is copied, as the client's memory is the client's again after its call.</summary>
    public void Fill(Subscription subscription, ulong tag, bool redelivered, string exchange, string routingKey, IReadOnlyBasicProperties properties, ReadOnlySpan<byte> body)
    {
        if (_buffer.Length < body.Length)
        {
            _buffer = GC.AllocateUninitializedArray<byte>(Math.Max(LeastBytes, (int)Math.Min(BitOperations.RoundUpToPowerOf2((uint)body.Length), (uint)Array.MaxLength)));
        }

        body.CopyTo(_buffer);
        _length = body.Length;
        _subscription = subscription;
        _properties = properties;
        Tag = tag;
        Redelivered = redelivered;
        Exchange = exchange;
        RoutingKey = routingKey;
    }

    /// <summary>Lets go of what was delivered, and keeps the memory.</summary>
    public void Clear()
    {
        _length = 0;
        _subscription = null;
        _properties = null;
    }

    /// <summary>Is handled, on a thread of the pool.</summary>
    public void Execute() => pump.Process(this);

    /// <summary>The same, in the context that handlers run in.</summary>
    public Task RunAsync() => pump.RunAsync(this);

    private static InvalidOperationException Unused() => new("The delivery is not in use.");
}
