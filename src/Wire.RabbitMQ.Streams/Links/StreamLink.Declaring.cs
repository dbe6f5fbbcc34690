using Wire.RabbitMQ.Streams.Protocol;

namespace Wire.RabbitMQ.Streams.Links;

internal sealed partial class StreamLink
{
    /// <summary>Makes a publisher; what happens to it comes to it from then on.</summary>
    /// <returns>
    /// Its number on this link; null where the link has as many as it can. <see cref="ILinkPublisher.Ended"/> comes once after that, or just before this
    /// has ended; and not where this throws, unless it was cancelled.
    /// </returns>
    /// <exception cref="StreamException">The broker refuses it.</exception>
    /// <exception cref="StreamConnectionException">The link has ended.</exception>
    public async Task<byte?> AddPublisherAsync(ILinkPublisher publisher, string stream, string? name, CancellationToken cancellationToken)
    {
        ThrowIfEnded();
        if (_publishers.TryAdd(publisher, stream) is not byte id)
        {
            ThrowIfEnded();
            return null;
        }

        _sender.Attach(publisher);
        try
        {
            var request = new DeclarePublisher { PublisherId = id, Reference = name ?? "", Stream = stream };
            (StreamResponseCode code, _) = await AskAsync<DeclarePublisher, Nothing>(request, cancellationToken, code => Arrived(_publishers, id, publisher, code)).ConfigureAwait(false);
            Refusal.ThrowUnlessOk(code, name is null ? $"a publisher to '{stream}'" : $"a publisher '{name}' to '{stream}'");
            return id;
        }
        catch (Exception e)
        {
            _sender.Detach(publisher, static () => { });
            Withdraw(_publishers, id, publisher, new DeletePublisher { PublisherId = id }, e);
            throw;
        }
    }

    /// <summary>Ends a publisher. Nothing comes to it any more, and nothing of it is being sent.</summary>
    public async Task RemovePublisherAsync(byte id, ILinkPublisher publisher, CancellationToken cancellationToken)
    {
        var detached = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        _sender.Detach(publisher, detached.SetResult);
        await detached.Task.WaitAsync(cancellationToken).ConfigureAwait(false);
        await RemoveAsync(_publishers, id, publisher, new DeletePublisher { PublisherId = id }, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>The last publishing id that a stream has of a named producer; 0 where there is none.</summary>
    /// <exception cref="StreamException">The broker refuses to say.</exception>
    public async Task<ulong> QuerySequenceAsync(string name, string stream, CancellationToken cancellationToken)
    {
        var request = new QueryPublisherSequence { Reference = name, Stream = stream };
        return (await DemandAsync<QueryPublisherSequence, PublisherSequence>(
            request, $"to say what the stream '{stream}' has of the producer '{name}'", cancellationToken).ConfigureAwait(false)).Sequence;
    }

    /// <summary>Subscribes; chunks may come before this has ended.</summary>
    /// <param name="subscription">Where they go.</param>
    /// <param name="stream">The stream.</param>
    /// <param name="offset">Where it begins.</param>
    /// <param name="credit">How many chunks may come at first.</param>
    /// <param name="properties">What the subscription asks for beside.</param>
    /// <param name="numbered">Called with the number on this link before anything can come.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>
    /// Whether there is one; not where the link has as many as it can. <see cref="ILinkSubscription.Ended"/> comes once after that, or just before this has
    /// ended; and not where this throws, unless it was cancelled.
    /// </returns>
    /// <exception cref="StreamException">The broker refuses it.</exception>
    /// <exception cref="StreamConnectionException">The link has ended.</exception>
    public async Task<bool> SubscribeAsync(
        ILinkSubscription subscription,
        string stream,
        StreamOffset offset,
        ushort credit,
        IReadOnlyDictionary<string, string> properties,
        Action<byte> numbered,
        CancellationToken cancellationToken)
    {
        ThrowIfEnded();
        if (_subscriptions.TryAdd(subscription, stream) is not byte id)
        {
            ThrowIfEnded();
            return false;
        }

        _received.SegmentSize = Math.Max(_received.SegmentSize, SubscribedSegment);
        try
        {
            numbered(id);
            var request = new Subscribe { SubscriptionId = id, Stream = stream, Offset = offset.Fields, Credit = credit, Properties = Groups.Pairs(properties) };
            (StreamResponseCode code, _) = await AskAsync<Subscribe, Nothing>(request, cancellationToken, code => Arrived(_subscriptions, id, subscription, code)).ConfigureAwait(false);
            Refusal.ThrowUnlessOk(code, $"a subscription to '{stream}'");
            return true;
        }
        catch (Exception e)
        {
            Withdraw(_subscriptions, id, subscription, new Unsubscribe { SubscriptionId = id }, e);
            throw;
        }
    }

    /// <summary>Ends a subscription. Nothing comes to it any more.</summary>
    public Task UnsubscribeAsync(byte id, ILinkSubscription subscription, CancellationToken cancellationToken) =>
        RemoveAsync(_subscriptions, id, subscription, new Unsubscribe { SubscriptionId = id }, cancellationToken);

    private static void Arrived<T>(LinkTable<T> table, byte id, T item, StreamResponseCode code)
        where T : class
    {
        if (code == StreamResponseCode.Ok)
        {
            table.Arrived(id, item);
        }
    }

    // Who has given up waiting does not know whether the broker has it. Its number is free when the broker has answered that it has it no more.
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
            // With the link the broker has ended it too.
        }
        catch (TimeoutException e)
        {
            // What the broker has and what it does not is not known any more.
            End(new StreamConnectionException($"The connection to {Endpoint} was given up: {e.Message}", e));
        }
    }
}
