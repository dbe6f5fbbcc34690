using System.Buffers;
using RabbitMQ.Client;

namespace Wire.RabbitMQ.Connections;

/// <summary>A message as it is delivered. It is valid during the call that it is handed over with.</summary>
internal readonly ref struct Incoming(
    ulong tag, bool redelivered, string exchange, string routingKey, IReadOnlyBasicProperties properties, ReadOnlySequence<byte> body, IBodyKeeper keeper)
{
    public ulong Tag { get; } = tag;

    public bool Redelivered { get; } = redelivered;

    public string Exchange { get; } = exchange;

    public string RoutingKey { get; } = routingKey;

    /// <summary>Its properties. They alone may be used after the call as well: they are nobody else's.</summary>
    public IReadOnlyBasicProperties Properties { get; } = properties;

    /// <summary>Its body, in as many pieces as it came in.</summary>
    public ReadOnlySequence<byte> Body { get; } = body;

    /// <summary>Has the body outlive the call.</summary>
    /// <returns>The body, to be given back.</returns>
    public IKeptBody KeepBody() => keeper.Keep(Body);
}

/// <summary>Keeps the body of the message that is being delivered: copies it, or takes a lease on the memory that it came in.</summary>
internal interface IBodyKeeper
{
    IKeptBody Keep(ReadOnlySequence<byte> body);
}

/// <summary>A body that somebody has to give back.</summary>
internal interface IKeptBody
{
    /// <summary>The body, in as many pieces as it came in. Valid until it is given back.</summary>
    ReadOnlySequence<byte> Bytes { get; }

    /// <summary>Lets go of it, once and on any thread: the memory, and this object, are then another's.</summary>
    void GiveBack();
}
