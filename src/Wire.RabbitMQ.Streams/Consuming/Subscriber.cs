using System.Diagnostics;
using System.Globalization;
using Wire.Amqp;
using Wire.RabbitMQ.Streams.Links;

namespace Wire.RabbitMQ.Streams.Consuming;

/// <summary>Subscribes a consumer on each link at its position, and unsubscribes it.</summary>
internal sealed class Subscriber(
    StreamConsumer consumer,
    IConsumerLinks links,
    StreamConsumerOptions options,
    StreamPosition position,
    OffsetTracker tracker,
    ConsumerThread thread)
{
    private static readonly Version SingleActive = new(3, 11);
    private static readonly Version Filtering = new(3, 13);

    private readonly string _stream = consumer.Stream;

    /// <inheritdoc cref="IConsumerLinks.IsClosed"/>
    public bool IsClosed => links.IsClosed;

    /// <summary>Describes the consumer's position, as the end of a sentence.</summary>
    public string Where => position.LastHandled is { } offset ? $" behind offset {offset}" : "";

    /// <summary>
    /// Returns whether another attempt may overcome a failure. Not for a client that has been disposed of, or a broker that is too old.
    /// </summary>
    public static bool IsPassing(Exception e) => e is IOException or TimeoutException or StreamException or AmqpFormatException;

    /// <summary>Subscribes on another link.</summary>
    /// <exception cref="IOException">The link has ended, or has as many subscriptions as it can.</exception>
    /// <exception cref="StreamException">The broker refuses it.</exception>
    /// <exception cref="NotSupportedException">The broker does not know what is asked for.</exception>
    public async Task<Subscription> SubscribeAsync(CancellationToken cancellationToken)
    {
        StreamLink link = await links.RentAsync(cancellationToken).ConfigureAwait(false);
        Subscription subscription = NewSubscription(link);
        try
        {
            IReadOnlyDictionary<string, string> properties = Properties(link);
            if (options.SingleActive)
            {
                // With several consumers, the active one is asked for its start offset.
                await SubscribeAsync(options.Offset).ConfigureAwait(false);
            }
            else if (position is { Chunk: not null, Next: { } next })
            {
                // Before the check that the stream is the same: if it is created again after that, this subscription ends.
                await SubscribeAsync(StreamOffset.At(next)).ConfigureAwait(false);
                if (await FindAsync(link, cancellationToken).ConfigureAwait(false) is var offset && offset != StreamOffset.At(next))
                {
                    subscription.Stop();
                    await subscription.UnsubscribeAsync().ConfigureAwait(false);
                    subscription = NewSubscription(link);
                    await SubscribeAsync(offset).ConfigureAwait(false);
                }
            }
            else
            {
                await SubscribeAsync(await FindAsync(link, cancellationToken).ConfigureAwait(false)).ConfigureAwait(false);
            }

            return subscription;

            Task SubscribeAsync(StreamOffset offset) => subscription.SubscribeAsync(_stream, offset, properties, cancellationToken);
        }
        catch
        {
            await LeaveAsync(subscription).ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>Stops a subscription, and returns its link.</summary>
    public async Task LeaveAsync(Subscription subscription)
    {
        subscription.Stop();
        tracker.Pause();
        try
        {
            await subscription.UnsubscribeAsync().ConfigureAwait(false);
        }
        catch (Exception e) when (IsPassing(e))
        {
            // The link has ended meanwhile, and with it the subscription. A link that is only slow must be ended, or the broker would
            // continue to send on it.
            subscription.Link.Abort($"the subscription to '{_stream}' could not be ended: {e.Message}");
        }

        await links.ReturnAsync(subscription.Link).ConfigureAwait(false);
    }

    /// <summary>Determines the start position, and begins to store offsets.</summary>
    public async Task<StreamOffset> FindAsync(StreamLink link, CancellationToken cancellationToken)
    {
        ulong? stored = await tracker.QueryAsync(link, cancellationToken).ConfigureAwait(false);

        // Without a chunk so far, the stored offset applies: it belongs to its stream.
        bool isAnother = position.Chunk is { } known
            ? !await StreamPositionFinder.IsSameAsync(link, _stream, known, cancellationToken).ConfigureAwait(false)
            : position.Next > 0 && stored is null;
        if (isAnother)
        {
            string where = Where;
            tracker.Restart();
            ReportRecreated(where);
        }

        tracker.Attach(link, stored);
        if (await AskProgramAsync(cancellationToken).ConfigureAwait(false) is { } start)
        {
            position.BeginAt(start);
        }
        else
        {
            position.GoOn();
            if (!isAnother && stored is { } last && (position.Chunk is null || (options.SingleActive && last + 1 > position.Next)))
            {
                // Also after the messages that another consumer of the name has handled meanwhile.
                position.MoveTo(last + 1);
            }
        }

        if (position.Next is null)
        {
            await StreamPositionFinder.FixAsync(link, _stream, position.Start, position, cancellationToken).ConfigureAwait(false);
        }

        return position.Next is { } next ? StreamOffset.At(next) : position.Start;
    }

    // Where the program keeps the offset itself.
    private async ValueTask<StreamOffset?> AskProgramAsync(CancellationToken cancellationToken)
    {
        if (options.FindOffset is not { } find)
        {
            return null;
        }

        StreamOffset? found;
        try
        {
            found = await find(consumer, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e) when (!cancellationToken.IsCancellationRequested)
        {
            throw Thrown(nameof(StreamConsumerOptions.FindOffset), e);
        }

        if (found is { Kind: StreamOffsetKind.None })
        {
            string unset =
                $"{nameof(StreamConsumerOptions)}.{nameof(StreamConsumerOptions.FindOffset)} has returned an offset of '{_stream}' that is "
                + $"not set: return {nameof(StreamOffset)}.{nameof(StreamOffset.At)} or another one, or null.";
            throw new StreamConsumerException(unset, _stream, null, 0, new InvalidOperationException(unset));
        }

        return found;
    }

    private Subscription NewSubscription(StreamLink link) =>
        new(link, new CreditWindow(options.Credit, options.MaxBytesAhead), thread, position);

    private void ReportRecreated(string where)
    {
        if (options.OnRecreated is not { } told)
        {
            Trace.TraceWarning(
                $"The stream '{_stream}' has been deleted and created again: its consumer, which was at its end{where}, begins with the " +
                "first message of the new stream.");
            return;
        }

        try
        {
            told(consumer);
        }
        catch (Exception e)
        {
            throw Thrown(nameof(StreamConsumerOptions.OnRecreated), e);
        }
    }

    private StreamConsumerException Thrown(string option, Exception e) => new($"{option} has thrown: {e.Message}", _stream, null, 0, e);

    // Gets the properties of the subscription.
    private Dictionary<string, string> Properties(StreamLink link)
    {
        var properties = new Dictionary<string, string>(StringComparer.Ordinal);
        if (options.Name is { } name)
        {
            properties["name"] = name;
        }

        if (options.SingleActive)
        {
            Demand(link, SingleActive, nameof(StreamConsumerOptions.SingleActive));
            properties["single-active-consumer"] = "true";
            if (options.SuperStream is { } super)
            {
                properties["super-stream"] = super;
            }
        }

        if (options.Filters.Count > 0)
        {
            Demand(link, Filtering, nameof(StreamConsumerOptions.Filters));
            for (int i = 0; i < options.Filters.Count; i++)
            {
                properties[string.Create(CultureInfo.InvariantCulture, $"filter.{i}")] = options.Filters[i];
            }

            properties["match-unfiltered"] = options.MatchUnfiltered ? "true" : "false";
        }

        return properties;
    }

    // A broker without a version is tried: it ignores what it does not know.
    private static void Demand(StreamLink link, Version needed, string what)
    {
        if (link.ServerVersion is { } version && version < needed)
        {
            throw new NotSupportedException(
                $"{nameof(StreamConsumerOptions)}.{what} needs RabbitMQ {needed} or later, and {link.Endpoint} is RabbitMQ "
                + $"{link.ServerProperties["version"]}, which would send everything: leave it out, or use a newer broker.");
        }
    }
}
