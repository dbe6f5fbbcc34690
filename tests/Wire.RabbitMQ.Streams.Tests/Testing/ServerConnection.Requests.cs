using Wire.RabbitMQ.Streams.Protocol;
using Wire.Testing;
using Wire.Transport;

namespace Wire.RabbitMQ.Streams.Tests.Testing;

internal sealed partial class ServerConnection
{
    // Under the server's lock, as all that follows.
    private void HandleRequest(CommandKey key, uint correlation, ReadOnlySpan<byte> fields)
    {
        switch (key)
        {
            case CommandKey.ExchangeCommandVersions:
                HandleVersions(correlation, Read<ExchangeCommandVersions>(fields));
                break;
            case CommandKey.DeclarePublisher:
                Answer(key, correlation, Declare(Read<DeclarePublisher>(fields)), default(Nothing));
                break;
            case CommandKey.DeletePublisher:
                bool wasThere = _publishers.Remove(Read<DeletePublisher>(fields).PublisherId);
                Answer(key, correlation, wasThere ? StreamResponseCode.Ok : StreamResponseCode.PublisherDoesNotExist, default(Nothing));
                break;
            case CommandKey.QueryPublisherSequence:
                QueryPublisherSequence query = Read<QueryPublisherSequence>(fields);
                ulong sequence = Find(query.Stream!)?.Sequences.GetValueOrDefault(query.Reference!) ?? 0;
                Answer(key, correlation, CodeFor(query.Stream!), new Number<ulong> { Value = sequence });
                break;
            case CommandKey.Subscribe:
                HandleSubscribe(correlation, Read<Subscribe>(fields));
                break;
            case CommandKey.Unsubscribe:
                HandleUnsubscribe(correlation, Read<Unsubscribe>(fields));
                break;
            case CommandKey.ConsumerUpdate:
                HandleUpdated(correlation, fields);
                break;
            case CommandKey.QueryOffset:
                QueryOffset asked = Read<QueryOffset>(fields);
                ulong offset = 0;
                bool isStored = Find(asked.Stream!)?.Offsets.TryGetValue(asked.Reference!, out offset) == true;
                Answer(
                    key,
                    correlation,
                    Find(asked.Stream!) is not null && !isStored ? StreamResponseCode.NoOffset : CodeFor(asked.Stream!),
                    new Number<ulong> { Value = offset });
                break;
            default:
                HandleManagement(key, correlation, fields);
                break;
        }
    }

    private void HandleManagement(CommandKey key, uint correlation, ReadOnlySpan<byte> fields)
    {
        switch (key)
        {
            case CommandKey.Create:
                CreateStream create = Read<CreateStream>(fields);
                Assert.False(string.IsNullOrEmpty(create.Stream));
                bool isNew = server.Streams.TryAdd(create.Stream, new ServerStream { Arguments = Groups.Dictionary(create.Arguments) });
                Answer(key, correlation, isNew ? StreamResponseCode.Ok : StreamResponseCode.StreamAlreadyExists, default(Nothing));
                break;
            case CommandKey.Delete:
                string deleted = Read<DeleteStream>(fields).Stream!;
                Answer(key, correlation, CodeFor(deleted), default(Nothing));
                if (Find(deleted) is not null)
                {
                    server.Delete(deleted);
                }

                break;
            case CommandKey.Metadata:
                Answer(key, correlation, StreamResponseCode.Ok, Metadata(Groups.Texts(Read<MetadataQuery>(fields).Streams)));
                break;
            case CommandKey.StreamStats:
                string measured = Read<StreamStats>(fields).Stream!;
                Answer(key, correlation, CodeFor(measured), Figures(Find(measured)));
                break;
            case CommandKey.Partitions:
                string parted = Read<Partitions>(fields).SuperStream!;
                bool isSuper = server.SuperStreams.TryGetValue(parted, out (string Stream, string Key)[]? partitions);
                Answer(
                    key,
                    correlation,
                    isSuper ? StreamResponseCode.Ok : StreamResponseCode.StreamDoesNotExist,
                    new ListOf<Item> { Items = Groups.Items((partitions ?? []).Select(each => each.Stream)) });
                break;
            case CommandKey.Route:
                Route route = Read<Route>(fields);
                bool isThere = server.SuperStreams.TryGetValue(route.SuperStream!, out (string Stream, string Key)[]? parts);
                Answer(key, correlation, isThere ? StreamResponseCode.Ok : StreamResponseCode.StreamDoesNotExist, new ListOf<Item>
                {
                    Items = Groups.Items((parts ?? []).Where(each => each.Key == route.RoutingKey).Select(each => each.Stream)),
                });
                break;
            case CommandKey.CreateSuperStream:
                Answer(key, correlation, Create(Read<CreateSuperStream>(fields)), default(Nothing));
                break;
            case CommandKey.DeleteSuperStream:
                Answer(key, correlation, DeleteSuper(Read<DeleteSuperStream>(fields).Name!), default(Nothing));
                break;
            default:
                Assert.Fail($"{key} is none that a client sends.");
                break;
        }
    }

    private void HandleVersions(uint correlation, ExchangeCommandVersions request)
    {
        Assert.All(request.Commands!, range => Assert.True(range is { Min: >= 1 } && range.Max >= range.Min));
        _deliverVersion = request.Commands!.Where(range => range.Key == (ushort)CommandKey.Deliver).Select(range => range.Max)
            .DefaultIfEmpty((ushort)1).Single();
        Assert.InRange(_deliverVersion, 1, 2);
        IEnumerable<VersionRange> ours = Enum.GetValues<CommandKey>().Where(key =>
            IsKnown(key) || key is CommandKey.Deliver or CommandKey.PublishConfirm or CommandKey.PublishError or CommandKey.MetadataUpdate)
            .Select(key => new VersionRange
            {
                Key = (ushort)key,
                Min = 1,
                Max = (ushort)(key == CommandKey.Deliver || (key == CommandKey.Publish && server.IsAtLeast(3, 13)) ? 2 : 1),
            });
        Answer(CommandKey.ExchangeCommandVersions, correlation, StreamResponseCode.Ok, new ListOf<VersionRange> { Items = [.. ours] });
    }

    private ClusterMetadata Metadata(IReadOnlyList<string> streams)
    {
        var nodes = new List<BrokerEndpoint>();
        var members = new List<StreamMembers>();
        foreach (string stream in streams)
        {
            (IReadOnlyList<BrokerEndpoint> where, int leader) = server.Locate?.Invoke(stream) ?? ([server.Endpoint], 0);
            int first = nodes.Count;
            nodes.AddRange(where);
            bool isThere = Find(stream) is not null;
            members.Add(new StreamMembers
            {
                Stream = stream,
                Code = (ushort)CodeFor(stream),
                Leader = isThere && leader >= 0 ? (ushort)(first + leader) : ushort.MaxValue,
                Replicas = isThere ? [.. where.Select((_, i) => new Number<ushort> { Value = (ushort)(first + i) }).Where(
                    node => node.Value != first + leader)] : [],
            });
        }

        return new ClusterMetadata
        {
            Nodes = [.. nodes.Select((node, i) => new MetadataNode { Reference = (ushort)i, Host = node.Host, Port = (uint)node.Port })],
            Streams = members,
        };
    }

    private static ListOf<Figure> Figures(ServerStream? stream)
    {
        bool isEmpty = stream is null or { Chunks.Count: 0 };
        return new ListOf<Figure>
        {
            Items =
            [
                new Figure { Key = "first_chunk_id", Value = isEmpty ? -1 : (long)stream!.Chunks[0].First },
                new Figure { Key = "committed_chunk_id", Value = isEmpty ? -1 : (long)stream!.Chunks[^1].First },
            ],
        };
    }

    private StreamResponseCode Create(CreateSuperStream request)
    {
        Assert.True(
            request.Partitions is { Count: > 0 } partitions && partitions.Count == request.BindingKeys?.Count,
            "It has no partitions, or other binding keys.");
        string[] streams = [.. Groups.Texts(request.Partitions)];
        if (server.SuperStreams.ContainsKey(request.Name!) || streams.Any(server.Streams.ContainsKey))
        {
            return StreamResponseCode.StreamAlreadyExists;
        }

        foreach (string stream in streams)
        {
            server.Streams.Add(stream, new ServerStream { Arguments = Groups.Dictionary(request.Arguments) });
        }

        server.SuperStreams.Add(request.Name!, [.. streams.Zip(Groups.Texts(request.BindingKeys))]);
        return StreamResponseCode.Ok;
    }

    private StreamResponseCode DeleteSuper(string name)
    {
        if (!server.SuperStreams.Remove(name, out (string Stream, string Key)[]? partitions))
        {
            return StreamResponseCode.StreamDoesNotExist;
        }

        Array.ForEach(partitions, partition => server.Delete(partition.Stream));
        return StreamResponseCode.Ok;
    }

    private ServerStream? Find(string stream) => server.Streams.GetValueOrDefault(stream);

    private StreamResponseCode CodeFor(string stream) =>
        Find(stream) is null ? StreamResponseCode.StreamDoesNotExist : StreamResponseCode.Ok;
}
