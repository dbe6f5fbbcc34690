using Wire.RabbitMQ.Streams.Protocol;

namespace Wire.RabbitMQ.Streams.Links;

internal sealed partial class StreamLink
{
    /// <summary>Declares a publisher, which receives its events from then on.</summary>
    /// <returns>
    /// Its number on this link. <see cref="ILinkPublisher.Ended"/> is called once, later or just before this returns; not if this throws,
    /// unless it was cancelled.
    /// </returns>
    /// <exception cref="StreamException">The broker refuses it.</exception>
    /// <exception cref="StreamConnectionException">The link has ended, or has as many as it can have.</exception>
    public async Task<byte> AddPublisherAsync(ILinkPublisher publisher, string stream, string? name, CancellationToken cancellationToken)
    {
        byte id = Add(_publishers, publisher, stream, "producers", nameof(StreamClientOptions.ProducersPerConnection));
        _sender.Attach(publisher);
        try
        {
            var request = new DeclarePublisher { PublisherId = id, Reference = name ?? "", Stream = stream };
            string what = name is null ? $"a publisher to '{stream}'" : $"a publisher '{name}' to '{stream}'";
            await DemandAsync<DeclarePublisher, Nothing>(
                request, what, cancellationToken, code => Arrived(_publishers, id, publisher, code)).ConfigureAwait(false);
            return id;
        }
        catch (Exception e)
        {
            _sender.Detach(publisher, static () => { });
            Withdraw(_publishers, id, publisher, new DeletePublisher { PublisherId = id }, e);
            throw;
        }
    }

    /// <summary>Ends a publisher: it gets no more events, and none of its frames are being sent.</summary>
    public async Task RemovePublisherAsync(byte id, ILinkPublisher publisher, CancellationToken cancellationToken)
    {
        var detached = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        _sender.Detach(publisher, detached.SetResult);
        await detached.Task.WaitAsync(cancellationToken).ConfigureAwait(false);
        await RemoveAsync(_publishers, id, publisher, new DeletePublisher { PublisherId = id }, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Subscribes; chunks may come before this has ended.</summary>
    /// <param name="subscription">The receiver.</param>
    /// <param name="stream">The stream.</param>
    /// <param name="offset">The start position.</param>
    /// <param name="credit">The initial number of chunks.</param>
    /// <param name="properties">The properties of the subscription.</param>
    /// <param name="numbered">Called with the number on this link before any event.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>
    /// When there is one. <see cref="ILinkSubscription.Ended"/> is called once, later or just before this returns; not if this throws,
    /// unless it was cancelled.
    /// </returns>
    /// <exception cref="StreamException">The broker refuses it.</exception>
    /// <exception cref="StreamConnectionException">The link has ended, or has as many as it can have.</exception>
    public async Task SubscribeAsync(
        ILinkSubscription subscription,
        string stream,
        StreamOffset offset,
        ushort credit,
        IReadOnlyDictionary<string, string> properties,
        Action<byte> numbered,
        CancellationToken cancellationToken)
    {
        byte id = Add(_subscriptions, subscription, stream, "subscriptions", nameof(StreamClientOptions.ConsumersPerConnection));
        _received.SegmentSize = Math.Max(_received.SegmentSize, SubscribedSegment);
        try
        {
            numbered(id);
            var request = new Subscribe
            {
                SubscriptionId = id,
                Stream = stream,
                Offset = offset.Fields,
                Credit = credit,
                Properties = Groups.Pairs(properties),
            };
            await DemandAsync<Subscribe, Nothing>(
                request,
                $"a subscription to '{stream}'",
                cancellationToken,
                code => Arrived(_subscriptions, id, subscription, code)).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            Withdraw(_subscriptions, id, subscription, new Unsubscribe { SubscriptionId = id }, e);
            throw;
        }
    }

    /// <summary>Ends a subscription. It receives no more events.</summary>
    public Task UnsubscribeAsync(byte id, ILinkSubscription subscription, CancellationToken cancellationToken) =>
        RemoveAsync(_subscriptions, id, subscription, new Unsubscribe { SubscriptionId = id }, cancellationToken);

    private byte Add<T>(LinkTable<T> table, T item, string stream, string kind, string option)
        where T : class
    {
        ThrowIfEnded();
        if (table.TryAdd(item, stream) is byte id)
        {
            return id;
        }

        ThrowIfEnded();
        throw new StreamConnectionException(
            $"The connection to {Endpoint} cannot have more {kind}: set {nameof(StreamClientOptions)}.{option} to less " +
            $"than {MostOfAKind}.");
    }

    private static void Arrived<T>(LinkTable<T> table, byte id, T item, StreamResponseCode code)
        where T : class
    {
        if (code == StreamResponseCode.Ok)
        {
            table.Arrived(id, item);
        }
    }

    // After a cancelled wait it is unknown whether the broker has it. Its number is free when the broker has confirmed its removal.
    private void Withdraw<T, TRequest>(LinkTable<T> table, byte id, T item, TRequest request, Exception reason)
        where T : class
        where TRequest : struct, IRequest<TRequest, Nothing>
    {
        if (reason is StreamException)
        {
            table.Remove(id, item);
        }
        else if (table.Silence(id, item))
        {
            _ = ReleaseAsync(table, id, item, request);
        }
    }

    private async Task RemoveAsync<T, TRequest>(LinkTable<T> table, byte id, T item, TRequest request, CancellationToken cancellationToken)
        where T : class
        where TRequest : struct, IRequest<TRequest, Nothing>
    {
        if (table.Silence(id, item))
        {
            await ReleaseAsync(table, id, item, request).WaitAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    private async Task ReleaseAsync<T, TRequest>(LinkTable<T> table, byte id, T item, TRequest request)
        where T : class
        where TRequest : struct, IRequest<TRequest, Nothing>
    {
        try
        {
            await AskAsync<TRequest, Nothing>(request, CancellationToken.None).ConfigureAwait(false);
            table.Remove(id, item);
        }
        catch (StreamConnectionException) when (HasEnded)
        {
            // The broker has ended it with the link.
        }
        catch (TimeoutException e)
        {
            // The broker's state is unknown now.
            Close(new StreamConnectionException($"The connection to {Endpoint} was closed: {e.Message}", e));
        }
    }
}
