using System.Collections;
using System.Globalization;
using Wire.Amqp.Client;
using Wire.Amqp.Client.Connections;

namespace Wire.RabbitMQ.Topology;

/// <summary>The kinds of what is declared, in the order in which that is possible.</summary>
internal enum TopologyKind
{
    Exchange,
    Queue,
    Binding,
}

/// <summary>One exchange, queue or binding.</summary>
/// <param name="Kind">What it is.</param>
/// <param name="Key">What no other of a topology has.</param>
/// <param name="Text">All that it is, in a line.</param>
/// <param name="Declare">Declares it.</param>
internal sealed record TopologyItem(TopologyKind Kind, string Key, string Text, Func<IAmqpTopology, CancellationToken, Task> Declare)
{
    public static TopologyItem Exchange(string name, string type, AmqpExchangeOptions options)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        ArgumentException.ThrowIfNullOrEmpty(type);
        ArgumentNullException.ThrowIfNull(options);
        string what = $"exchange {name}";
        string[] words = [what, type, .. Lifetime(options.Durable, false, options.AutoDelete), .. options.Internal ? ["internal"] : Empty];
        return new(
            TopologyKind.Exchange, what, Line(words, options.Arguments),
            (topology, token) => topology.DeclareExchangeAsync(name, type, options, token));
    }

    public static TopologyItem Queue(string name, AmqpQueueOptions options)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        ArgumentNullException.ThrowIfNull(options);
        string what = $"queue {name}";
        string[] words = [what, .. Lifetime(options.Durable, options.Exclusive, options.AutoDelete)];
        return new(
            TopologyKind.Queue, what, Line(words, options.AllArguments()),
            (topology, token) => topology.DeclareQueueAsync(name, options, token));
    }

    public static TopologyItem Binding(
        bool isOfQueue, string destination, string source, string routingKey, IReadOnlyDictionary<string, object?>? arguments)
    {
        ArgumentException.ThrowIfNullOrEmpty(destination);
        ArgumentException.ThrowIfNullOrEmpty(source);
        ArgumentNullException.ThrowIfNull(routingKey);
        string key = routingKey.Length == 0 ? "" : $" by '{routingKey}'";
        string text = Line([$"binding of {(isOfQueue ? "queue" : "exchange")} {destination} to exchange {source}{key}"], arguments);
        return new(
            TopologyKind.Binding, text, text,
            (topology, token) => isOfQueue
                ? topology.BindQueueAsync(destination, source, routingKey, arguments, token)
                : topology.BindExchangeAsync(destination, source, routingKey, arguments, token));
    }

    /// <summary>Declares it.</summary>
    /// <exception cref="InvalidOperationException">The broker refuses.</exception>
    public async Task DeclareAsync(IAmqpTopology topology, CancellationToken cancellationToken)
    {
        try
        {
            await Declare(topology, cancellationToken).ConfigureAwait(false);
        }
        catch (AmqpChannelException e)
        {
            string advice = e.Reason.ReplyCode switch
            {
                ReplyCodes.PreconditionFailed =>
                    "Nothing was changed: declare it as it is there, or delete it there, when it is empty, and declare it anew",
                ReplyCodes.NotFound => "Add it to the topology, or declare it before",
                ReplyCodes.AccessRefused => "Give the user the rights to that",
                _ => "Nothing was changed",
            };
            throw new InvalidOperationException(
                $"This could not be declared: '{Text}'. The broker says: {e.Reason.ReplyCode} {e.Reason.ReplyText}. {advice}.", e);
        }
    }

    public override string ToString() => Text;

    private static string[] Empty => [];

    private static IEnumerable<string> Lifetime(bool isDurable, bool isExclusive, bool isAutoDelete)
    {
        if (isDurable)
        {
            yield return "durable";
        }

        if (isExclusive)
        {
            yield return "exclusive";
        }

        if (isAutoDelete)
        {
            yield return "auto-delete";
        }
    }

    private static string Line(IEnumerable<string> words, IReadOnlyDictionary<string, object?>? arguments) => string.Join(
        ", ",
        words.Concat((arguments ?? new Dictionary<string, object?>())
            .OrderBy(argument => argument.Key, StringComparer.Ordinal)
            .Select(argument => $"{argument.Key}={Show(argument.Value)}")));

    private static string Show(object? value) => value switch
    {
        null => "null",
        byte[] bytes => Convert.ToHexString(bytes),
        string text => text,
        IEnumerable many => $"[{string.Join(", ", many.Cast<object?>().Select(Show))}]",
        _ => Convert.ToString(value, CultureInfo.InvariantCulture)!,
    };
}
