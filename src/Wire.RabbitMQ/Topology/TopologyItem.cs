using System.Collections;
using System.Globalization;
using Wire.Amqp.Client;
using Wire.Amqp.Client.Connections;
using Wire.RabbitMQ.Publishing;

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
/// <param name="Name">What it is called; of a binding, what is bound.</param>
/// <param name="Text">All that it is, in a line.</param>
/// <param name="Declare">Declares it.</param>
/// <param name="Find">Asks whether something of that name is there.</param>
internal sealed record TopologyItem(
    TopologyKind Kind,
    string Name,
    string Text,
    Func<IAmqpTopology, CancellationToken, Task> Declare,
    Func<IAmqpTopology, CancellationToken, Task<bool>> Find)
{
    /// <summary>Returns whether both are one thing, though they may contradict each other.</summary>
    public bool IsSameAs(TopologyItem other) =>
        Kind == other.Kind && (Kind == TopologyKind.Binding ? Text == other.Text : Name == other.Name);

    public static TopologyItem Exchange(string name, string type, AmqpExchangeOptions options)
    {
        Check(name, nameof(name));
        ArgumentException.ThrowIfNullOrEmpty(type);
        ArgumentNullException.ThrowIfNull(options);
        string what = $"exchange {name}";
        string[] words =
        [
            what, type, .. Flags((options.Durable, "durable"), (options.AutoDelete, "auto-delete"), (options.Internal, "internal")),
        ];
        return new(
            TopologyKind.Exchange, name, Line(words, options.Arguments),
            (topology, token) => topology.DeclareExchangeAsync(name, type, options, token),
            (topology, token) => topology.FindExchangeAsync(name, token));
    }

    public static TopologyItem Queue(string name, AmqpQueueOptions options)
    {
        Check(name, nameof(name));
        ArgumentNullException.ThrowIfNull(options);
        string what = $"queue {name}";
        string[] words =
        [
            what, .. Flags((options.Durable, "durable"), (options.Exclusive, "exclusive"), (options.AutoDelete, "auto-delete")),
        ];
        return new(
            TopologyKind.Queue, name, Line(words, options.AllArguments()),
            (topology, token) => topology.DeclareQueueAsync(name, options, token),
            async (topology, token) => await topology.FindQueueAsync(name, token).ConfigureAwait(false) is not null);
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
            TopologyKind.Binding, destination, text,
            (topology, token) => isOfQueue
                ? topology.BindQueueAsync(destination, source, routingKey, arguments, token)
                : topology.BindExchangeAsync(destination, source, routingKey, arguments, token),
            static (_, _) => Task.FromResult(false)); // nobody can ask
    }

    /// <summary>Declares it. Where the user may not, it is enough that something of its name is there.</summary>
    /// <exception cref="InvalidOperationException">
    /// The broker refuses, and will again: the inner exception is an <see cref="AmqpChannelException"/>.
    /// </exception>
    public async Task DeclareAsync(IAmqpTopology topology, CancellationToken cancellationToken)
    {
        try
        {
            await Declare(topology, cancellationToken).ConfigureAwait(false);
        }
        catch (AmqpChannelException e) when (!e.Reason.IsOfQueueThatIsDown)
        {
            if (e.Reason.ReplyCode != ReplyCodes.AccessRefused || !await IsThereAsync(topology, cancellationToken).ConfigureAwait(false))
            {
                throw new InvalidOperationException(
                    $"This could not be declared: '{Text}'. The broker says: {e.Reason.ReplyCode} {e.Reason.ReplyText}. " +
                    $"{Advice(e.Reason.ReplyCode)}.",
                    e);
            }
        }
    }

    /// <summary>Returns whether something of its name is there, as far as the user may know.</summary>
    public async Task<bool> IsThereAsync(IAmqpTopology topology, CancellationToken cancellationToken)
    {
        try
        {
            return await Find(topology, cancellationToken).ConfigureAwait(false);
        }
        catch (AmqpChannelException e) when (e.Reason.ReplyCode is ReplyCodes.AccessRefused or ReplyCodes.ResourceLocked)
        {
            return e.Reason.ReplyCode == ReplyCodes.ResourceLocked;
        }
    }

    public override string ToString() => Text;

    private static void Check(string name, string parameter)
    {
        ArgumentException.ThrowIfNullOrEmpty(name, parameter);
        ShortStringLimit.Checked(name, parameter);
    }

    private string Advice(int replyCode) => replyCode switch
    {
        ReplyCodes.PreconditionFailed =>
            "Nothing was changed: declare it as it is there, or delete it there, when it is empty, and declare it anew",
        ReplyCodes.NotFound => "Add it to the topology, or declare it before",
        ReplyCodes.AccessRefused when Name.StartsWith("amq.", StringComparison.Ordinal) =>
            "Names that begin with amq. are the broker's own: choose another",
        ReplyCodes.AccessRefused when Kind == TopologyKind.Binding =>
            "Give the user the right to write to what is bound, and to read from the exchange",
        ReplyCodes.AccessRefused => "Give the user the right to configure it, or have it declared by somebody who may",
        ReplyCodes.ResourceLocked => "It is exclusive to the connection that declared it: use that one, or declare it without Exclusive",
        _ => "Nothing was changed",
    };

    private static IEnumerable<string> Flags(params (bool IsSet, string Word)[] flags) =>
        flags.Where(flag => flag.IsSet).Select(flag => flag.Word);

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
