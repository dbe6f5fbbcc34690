using System.Globalization;
using Wire.RabbitMQ.Streams.Links;

namespace Wire.RabbitMQ.Streams.Consuming;

/// <summary>Subscribes: what the broker is asked for, and whether it is young enough for that.</summary>
internal static class Subscribing
{
    private static readonly Version SingleActive = new(3, 11);
    private static readonly Version Filtering = new(3, 13);

    /// <summary>What a consumer asks for beside where it begins.</summary>
    /// <exception cref="NotSupportedException">The broker does not know what is asked for.</exception>
    public static IReadOnlyDictionary<string, string> Properties(StreamConsumerOptions options, StreamLink link)
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

    /// <summary>Begins a subscription.</summary>
    /// <exception cref="IOException">The link has ended, or has as many subscriptions as it can.</exception>
    /// <exception cref="StreamException">The broker refuses it.</exception>
    public static async Task BeginAsync(
        StreamLink link,
        ILinkSubscription subscription,
        string stream,
        StreamOffset offset,
        int credit,
        IReadOnlyDictionary<string, string> properties,
        Action<byte> numbered,
        CancellationToken cancellationToken)
    {
        if (!await link.SubscribeAsync(subscription, stream, offset, (ushort)credit, properties, numbered, cancellationToken).ConfigureAwait(false))
        {
            throw new StreamConnectionException(
                $"The connection to {link.Endpoint} has as many subscriptions as it can: set {nameof(StreamClientOptions)}.{nameof(StreamClientOptions.ConsumersPerConnection)} to less than 256.");
        }
    }

    // A broker that does not say its version is tried: what it does not know it leaves out.
    private static void Demand(StreamLink link, Version needed, string what)
    {
        if (link.ServerVersion is { } version && version < needed)
        {
            throw new NotSupportedException($"{nameof(StreamConsumerOptions)}.{what} needs RabbitMQ {needed} or later, and {link.Endpoint} is RabbitMQ {link.ServerProperties["version"]}, which would send everything: leave it out, or use a younger broker.");
        }
    }
}
