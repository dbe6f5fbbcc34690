using Wire.Testing;

namespace Wire.Amqp.Client.Tests.Testing;

/// <summary>
/// The tests that stop a node, one after the other: <c>[Collection(nameof(PrivateNode))]</c>, and a
/// constructor that takes the node. It is started for the first of them and deleted after the last.
/// </summary>
[CollectionDefinition(nameof(PrivateNode))]
public sealed class PrivateNodeTestGroup : ICollectionFixture<PrivateNode>;
