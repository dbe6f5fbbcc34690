using Wire.Transport;

namespace Wire.RabbitMQ.Streams;

/// <summary>Where a stream is, as the broker sees it at the moment.</summary>
/// <param name="Stream">The stream.</param>
/// <param name="Code">Ok; or why the broker cannot say more: it does not exist, or is not available, or may not be seen.</param>
/// <param name="Leader">The node that takes what is published, by the address that it advertises; null where there is none at the moment.</param>
/// <param name="Replicas">The other nodes that have it.</param>
public sealed record StreamMetadata(string Stream, StreamResponseCode Code, BrokerEndpoint? Leader, IReadOnlyList<BrokerEndpoint> Replicas);
