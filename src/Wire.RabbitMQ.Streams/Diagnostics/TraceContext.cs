using System.Diagnostics;
using Wire.Amqp;
using Wire.Amqp.V10;

namespace Wire.RabbitMQ.Streams.Diagnostics;

/// <summary>
/// The context of a trace in the application properties of a message: traceparent, tracestate and baggage of W3C, or what the program's own
/// <see cref="DistributedContextPropagator"/> writes.
/// </summary>
internal static class TraceContext
{
    // What is longer is no context: it would be copied into each message that a handler publishes.
    private const int MostCharacters = 8192;

    /// <summary>
    /// Adds the context of a span to application properties that do not have one yet. Those that do get no part of it: a receiver takes all
    /// parts for one context.
    /// </summary>
    public static ApplicationProperties Inject(Activity span, in ApplicationProperties properties)
    {
        var entries = new List<(AmqpValue Key, AmqpValue Value)>(properties.Map.Count + 2);
        foreach ((AmqpValue key, AmqpValue value) in properties.Map)
        {
            entries.Add((key, value));
        }

        AmqpMap map = properties.Map;
        try
        {
            DistributedContextPropagator.Current.ExtractTraceIdAndState(map, Get, out string? own, out _);
            if (own is not null)
            {
                return properties;
            }

            DistributedContextPropagator.Current.Inject(span, entries, (_, name, value) =>
            {
                // What the program has set itself is kept.
                if (!map.TryGetValue(name, out AmqpValue _))
                {
                    entries.Add((name, value));
                }
            });
        }
        catch (Exception e)
        {
            // Of the program's propagator, which costs the message its context.
            StreamSpans.Report(e);
            return properties;
        }

        return new ApplicationProperties { Map = AmqpValue.Map([.. entries]) };
    }

    /// <summary>The context in the properties of a message; the default where there is none, or none that can be read.</summary>
    public static ActivityContext Extract(in StreamMessage message)
    {
        try
        {
            AmqpMap properties = message.HasSections ? message.ReadApplicationProperties() : default;
            if (properties.Count == 0)
            {
                return default;
            }

            DistributedContextPropagator.Current.ExtractTraceIdAndState(properties, Get, out string? parent, out string? state);
            return ActivityContext.TryParse(parent, state, isRemote: true, out ActivityContext context) ? context : default;
        }
        catch (AmqpFormatException)
        {
            // Bytes that begin like a message by chance, or a damaged one: who reads it says so.
            return default;
        }
        catch (Exception e)
        {
            // Of the program's propagator.
            StreamSpans.Report(e);
            return default;
        }
    }

    private static void Get(object? carrier, string name, out string? value, out IEnumerable<string>? values)
    {
        values = null;
        value = ((AmqpMap)carrier!).TryGetValue(name, out AmqpValue found)
            && found.Type == AmqpType.String
            && found.As<string>() is { Length: <= MostCharacters } text
            ? text
            : null;
    }
}
