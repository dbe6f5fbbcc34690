using Wire.RabbitMQ.Streams.Protocol;

namespace Wire.RabbitMQ.Streams.Tests.Testing;

/// <summary>A subscription on a connection of a <see cref="StrictStreamServer"/>. Used under the server's lock.</summary>
internal sealed class ServerSubscription(ServerConnection connection, Subscribe request, ServerStream stream)
{
    private readonly IReadOnlyDictionary<string, string> _properties = Groups.Dictionary(request.Properties);
    private int _next = stream.Find((StreamOffsetKind)request.Offset.Kind, request.Offset.Value);
    private int _credit = request.Credit;

    public byte Id => request.SubscriptionId;

    public string Stream => request.Stream!;

    public ServerConnection Connection => connection;

    /// <summary>What it asked for beside.</summary>
    public IReadOnlyDictionary<string, string> Properties => _properties;

    /// <summary>Of which consumers one alone is active; null where it is of none.</summary>
    public (string Stream, string Name)? Group =>
        _properties.TryGetValue("single-active-consumer", out string? single) && single == "true" ? (Stream, _properties["name"]) : null;

    /// <summary>Whether chunks go to it.</summary>
    public bool IsActive { get; set; } = true;

    /// <summary>How many chunks may come yet.</summary>
    public int Credits => _credit;

    public void AddCredit(ushort chunks)
    {
        _credit += chunks;
        Send();
    }

    /// <summary>It begins elsewhere.</summary>
    public void Seek(OffsetFields offset) => _next = offset.Kind == 0 ? _next : stream.Find((StreamOffsetKind)offset.Kind, offset.Value);

    /// <summary>Sends what it may.</summary>
    public void Send()
    {
        for (; IsActive && _credit > 0 && _next < stream.Chunks.Count; _next++)
        {
            if (Wants(stream.Chunks[_next]))
            {
                _credit--;
                connection.Deliver(Id, stream.Chunks[_next], stream.Chunks[^1].First);
            }
        }
    }

    // By chunk, as a broker does: it may hold others too.
    private bool Wants(ServerChunk chunk)
    {
        string[] wanted =
            [.. _properties.Where(pair => pair.Key.StartsWith("filter.", StringComparison.Ordinal)).Select(pair => pair.Value)];
        bool unfiltered = _properties.TryGetValue("match-unfiltered", out string? match) && match == "true";
        return wanted.Length == 0
            || chunk.Filters.Any(filter => filter is null ? unfiltered : wanted.Contains(filter, StringComparer.Ordinal));
    }
}
