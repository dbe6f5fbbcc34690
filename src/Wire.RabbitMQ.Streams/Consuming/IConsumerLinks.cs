using Wire.RabbitMQ.Streams.Links;

namespace Wire.RabbitMQ.Streams.Consuming;

/// <summary>The source of a consumer's links, one after the other.</summary>
internal interface IConsumerLinks
{
    /// <summary>Gets whether there are no further links, because the client has been disposed of.</summary>
    bool IsClosed { get; }

    /// <summary>A link to a node that has the stream.</summary>
    Task<StreamLink> RentAsync(CancellationToken cancellationToken);

    /// <summary>Gives it back.</summary>
    Task ReturnAsync(StreamLink link);
}

/// <summary>Takes links from the pool of a client.</summary>
internal sealed class PooledLinks(LinkPool pool, string stream) : IConsumerLinks
{
    public bool IsClosed => pool.IsClosed;

    public Task<StreamLink> RentAsync(CancellationToken cancellationToken) => pool.RentAsync(stream, LinkUse.Consume, cancellationToken);

    public Task ReturnAsync(StreamLink link) => pool.ReturnAsync(link);
}
