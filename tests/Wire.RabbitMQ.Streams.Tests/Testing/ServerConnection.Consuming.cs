using System.Buffers.Binary;
using Wire.RabbitMQ.Streams.Protocol;

namespace Wire.RabbitMQ.Streams.Tests.Testing;

internal sealed partial class ServerConnection
{
    private readonly Dictionary<byte, ServerSubscription> _subscriptions = [];
    private readonly HashSet<byte> _everSubscribed = [];
    private readonly Dictionary<uint, (ServerSubscription Subscription, Action? Then)> _told = [];
    private uint _correlation;

    /// <summary>What is subscribed on this connection.</summary>
    public IReadOnlyList<ServerSubscription> Subscriptions
    {
        get
        {
            lock (server.Gate)
            {
                return [.. _subscriptions.Values];
            }
        }
    }

    /// <summary>Sends a chunk.</summary>
    public void Deliver(byte subscriptionId, ServerChunk chunk, ulong committed)
    {
        int head = StreamFrames.HeadBytes + sizeof(byte) + (_deliverVersion == 2 ? sizeof(ulong) : 0);
        byte[] frame = new byte[StreamFrames.SizeBytes + head + chunk.Bytes.Length];
        BinaryPrimitives.WriteInt32BigEndian(frame, frame.Length - StreamFrames.SizeBytes);
        BinaryPrimitives.WriteUInt16BigEndian(frame.AsSpan(4), (ushort)CommandKey.Deliver);
        BinaryPrimitives.WriteUInt16BigEndian(frame.AsSpan(6), _deliverVersion);
        frame[8] = subscriptionId;
        if (_deliverVersion == 2)
        {
            BinaryPrimitives.WriteUInt64BigEndian(frame.AsSpan(9), committed);
        }

        chunk.Bytes.CopyTo(frame, StreamFrames.SizeBytes + head);
        Send(frame);
    }

    /// <summary>Sends chunks of a stream to who may have them.</summary>
    public void SendChunks(string stream)
    {
        foreach (ServerSubscription subscription in _subscriptions.Values.Where(each => each.Stream == stream))
        {
            subscription.Send();
        }
    }

    /// <summary>Tells a single active consumer what it is; does something when it has answered.</summary>
    public void Tell(ServerSubscription subscription, bool isActive, Action? then)
    {
        uint correlation = ++_correlation;
        _told.Add(correlation, (subscription, then));
        Send(Written(output => StreamFrames.WriteRequest(
            output, correlation, new ConsumerUpdate { SubscriptionId = subscription.Id, Active = isActive ? (byte)1 : (byte)0 })));
    }

    /// <summary>Forgets what the connection has to do with a stream, and says so if there is something.</summary>
    public void Forget(string stream, StreamResponseCode code)
    {
        byte[] publishers = [.. _publishers.Where(each => each.Value.Stream == stream).Select(each => each.Key)];
        ServerSubscription[] subscriptions = [.. _subscriptions.Values.Where(each => each.Stream == stream)];
        Array.ForEach(publishers, id => _publishers.Remove(id));
        Array.ForEach(subscriptions, Remove);
        if (publishers.Length + subscriptions.Length > 0)
        {
            Send(new MetadataUpdate { Code = (ushort)code, Stream = stream });
        }
    }

    /// <summary>The connection has ended.</summary>
    public void ForgetAll()
    {
        _publishers.Clear();
        foreach (ServerSubscription subscription in _subscriptions.Values.ToArray())
        {
            Remove(subscription);
        }
    }

    private void HandleSubscribe(uint correlation, Subscribe request)
    {
        Assert.InRange(request.Offset.Kind, (ushort)StreamOffsetKind.First, (ushort)StreamOffsetKind.Timestamp);
        ServerStream? stream = Find(request.Stream!);
        bool isTaken = _subscriptions.ContainsKey(request.SubscriptionId);
        if (stream is null || isTaken)
        {
            Answer(
                CommandKey.Subscribe,
                correlation,
                isTaken ? StreamResponseCode.SubscriptionIdAlreadyExists : StreamResponseCode.StreamDoesNotExist,
                default(Nothing));
            return;
        }

        var subscription = new ServerSubscription(this, request, stream);
        Assert.True(
            server.IsAtLeast(3, 13) || !subscription.Properties.Keys.Any(key => key.StartsWith("filter.", StringComparison.Ordinal)),
            $"{server.Version} does not filter.");
        Assert.True(server.IsAtLeast(3, 11) || subscription.Group is null, $"{server.Version} has no single active consumers.");
        _subscriptions.Add(subscription.Id, subscription);
        _everSubscribed.Add(subscription.Id);
        Answer(CommandKey.Subscribe, correlation, StreamResponseCode.Ok, default(Nothing));
        if (subscription.Group is not { } group)
        {
            subscription.Send();
            return;
        }

        subscription.IsActive = false;
        if (!server.Singles.TryGetValue(group, out List<ServerSubscription>? singles))
        {
            server.Singles[group] = singles = [];
        }

        singles.Add(subscription);
        if (singles.Count == 1)
        {
            Tell(subscription, isActive: true, then: null);
        }
    }

    private void HandleUnsubscribe(uint correlation, Unsubscribe request)
    {
        bool isThere = _subscriptions.TryGetValue(request.SubscriptionId, out ServerSubscription? subscription);
        if (isThere)
        {
            Remove(subscription!);
        }

        Answer(
            CommandKey.Unsubscribe,
            correlation,
            isThere ? StreamResponseCode.Ok : StreamResponseCode.SubscriptionIdDoesNotExist,
            default(Nothing));
    }

    // The next one becomes active where it was the active one.
    private void Remove(ServerSubscription subscription)
    {
        _subscriptions.Remove(subscription.Id);
        bool wasActive = subscription.IsActive;
        subscription.IsActive = false;
        if (subscription.Group is { } group && server.Singles.TryGetValue(group, out List<ServerSubscription>? singles))
        {
            bool wasFirst = singles.IndexOf(subscription) == 0;
            singles.Remove(subscription);
            if ((wasActive || wasFirst) && singles.Count > 0)
            {
                singles[0].Connection.Tell(singles[0], isActive: true, then: null);
            }
        }
    }

    private void HandleUpdated(uint correlation, ReadOnlySpan<byte> fields)
    {
        Assert.Equal((ushort)StreamResponseCode.Ok, BinaryPrimitives.ReadUInt16BigEndian(fields));
        OffsetFields offset = Read<OffsetFields>(fields[sizeof(ushort)..]);
        Assert.True(
            _told.Remove(correlation, out (ServerSubscription Subscription, Action? Then) told), "It answers what it was not asked.");
        (ServerSubscription subscription, Action? then) = told;
        if (_subscriptions.GetValueOrDefault(subscription.Id) == subscription
            && server.Singles[subscription.Group!.Value][0] == subscription)
        {
            subscription.Seek(offset);
            subscription.IsActive = true;
            subscription.Send();
        }

        then?.Invoke();
    }

    private void HandleCredit(Credit credit)
    {
        lock (server.Gate)
        {
            if (_subscriptions.TryGetValue(credit.SubscriptionId, out ServerSubscription? subscription))
            {
                subscription.AddCredit(credit.Chunks);
                return;
            }

            Assert.True(_everSubscribed.Contains(credit.SubscriptionId), $"Subscription {credit.SubscriptionId} was never there.");
            Send(
                0,
                0,
                0,
                7,
                0x80,
                (byte)CommandKey.Credit,
                0,
                1,
                0,
                (byte)StreamResponseCode.SubscriptionIdDoesNotExist,
                credit.SubscriptionId);
        }
    }

    private void HandleStore(StoreOffset store)
    {
        Assert.False(string.IsNullOrEmpty(store.Reference));
        lock (server.Gate)
        {
            // Where the stream has gone, nobody is told.
            if (Find(store.Stream!) is { } stream)
            {
                stream.Offsets[store.Reference] = store.Offset;
            }
        }
    }
}
