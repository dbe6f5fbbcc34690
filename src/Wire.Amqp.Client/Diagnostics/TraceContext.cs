using System.Diagnostics;
using System.Text;
using Wire.Amqp.V091;

namespace Wire.Amqp.Client.Diagnostics;

/// <summary>
/// The context of a trace in the headers of a message: traceparent, tracestate and baggage of W3C, or what the program's own <see
/// cref="DistributedContextPropagator"/> writes.
/// </summary>
internal static class TraceContext
{
    // The amount of baggage that W3C requires to forward. More must not be copied into each message that a handler publishes.
    private const int MostBytes = 8192;

    private static readonly DistributedContextPropagator.PropagatorGetterCallback Getter = Get;

    /// <summary>
    /// Adds the context of a span to headers that do not have one yet, which stay as they are. Those that do get no part of it: a receiver
    /// takes all parts for one context.
    /// </summary>
    /// <exception cref="AmqpFormatException">The headers are damaged.</exception>
    public static FieldTable Inject(Activity activity, FieldTable headers)
    {
        DistributedContextPropagator propagator = DistributedContextPropagator.Current;
        propagator.ExtractTraceIdAndState(headers, Getter, out string? own, out _);
        if (own is not null)
        {
            return headers;
        }

        var context = new Dictionary<string, object?>();
        propagator.Inject(activity, context, static (carrier, name, value) => ((Dictionary<string, object?>)carrier!)[name] = value);
        var added = FieldTable.Create(context.Where(each => !headers.TryGetValue(each.Key, out _)));
        return headers.IsEmpty ? added
            : added.IsEmpty ? headers
            : new FieldTable((byte[])[.. headers.Encoded.Span, .. added.Encoded.Span]);
    }

    /// <summary>The context in headers; the default where there is none, or none that can be read.</summary>
    public static ActivityContext Extract(in FieldTable headers)
    {
        if (headers.IsEmpty)
        {
            return default;
        }

        DistributedContextPropagator.Current.ExtractTraceIdAndState(headers, Getter, out string? parent, out string? state);
        return ActivityContext.TryParse(parent, state, isRemote: true, out ActivityContext context) ? context : default;
    }

    /// <summary>Adds the baggage in headers to a span.</summary>
    public static void ExtractBaggage(in FieldTable headers, Activity activity)
    {
        if (headers.IsEmpty || DistributedContextPropagator.Current.ExtractBaggage(headers, Getter) is not { } baggage)
        {
            return;
        }

        // The last one added is the first one found.
        foreach ((string key, string? value) in baggage.Reverse())
        {
            activity.AddBaggage(key, value);
        }
    }

    private static void Get(object? carrier, string name, out string? value, out IEnumerable<string>? values)
    {
        values = null;
        value = ((FieldTable)carrier!).TryGetValue(name, out FieldValue header)
            && header.Type is FieldType.String or FieldType.Bytes
            && header.AsBytes() is { Length: <= MostBytes } bytes
            ? Encoding.UTF8.GetString(bytes.Span)
            : null;
    }
}
