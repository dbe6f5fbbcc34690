using Wire.RabbitMQ.Streams.Protocol;
using Wire.Transport;

namespace Wire.RabbitMQ.Streams.Links;

/// <summary>Takes the broker's answer about where streams are apart: it names nodes by numbers.</summary>
internal static class StreamLocation
{
    /// <summary>What is said of each stream, by its name.</summary>
    /// <exception cref="StreamConnectionException">A node has no address.</exception>
    public static IReadOnlyDictionary<string, StreamMetadata> Read(ClusterMetadata answer)
    {
        var nodes = new Dictionary<ushort, Node>();
        foreach (Node node in answer.Nodes ?? [])
        {
            nodes[node.Reference] = node;
        }

        var streams = new Dictionary<string, StreamMetadata>(StringComparer.Ordinal);
        foreach (StreamMembers members in answer.Streams ?? [])
        {
            // A leader that is not among the nodes is one that is being elected.
            BrokerEndpoint? leader = nodes.TryGetValue(members.Leader, out Node found) ? Address(found, members.Stream) : null;
            IEnumerable<BrokerEndpoint> replicas = (members.Replicas ?? [])
                .Where(replica => replica.Number != members.Leader && nodes.ContainsKey(replica.Number))
                .Select(replica => Address(nodes[replica.Number], members.Stream));
            streams[members.Stream ?? ""] = new StreamMetadata(members.Stream ?? "", (StreamResponseCode)members.Code, leader, [.. replicas]);
        }

        return streams;
    }

    private static BrokerEndpoint Address(Node node, string? stream) => node is { Host.Length: > 0, Port: > 0 and <= ushort.MaxValue }
        ? new BrokerEndpoint(node.Host, (int)node.Port)
        : throw new StreamConnectionException($"The broker says that the stream '{stream}' is at '{node.Host}', port {node.Port}, which is no address: look at advertised_host and advertised_port of that node.");
}
