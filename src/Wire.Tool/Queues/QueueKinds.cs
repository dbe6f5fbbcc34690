using System.Globalization;
using System.Text.RegularExpressions;
using Wire.Amqp.Client;

namespace Wire.Tool.Queues;

/// <summary>The kinds of queues.</summary>
internal enum QueueKind
{
    /// <summary>The broker does not say.</summary>
    Unknown,
    Classic,
    Quorum,
    Stream,
}

/// <summary>Finds out of which kind a queue is.</summary>
/// <remarks>
/// AMQP 0-9-1 has no question for it. But the broker refuses to declare a queue with other arguments than it has, and names one that
/// differs: so it is declared with a kind that does not exist. Where there is no queue, that is refused too, so that none is ever made.
/// </remarks>
internal static partial class QueueKinds
{
    private const string KindArgument = "x-queue-type";
    private const int MostArguments = 32;
    private const int PreconditionFailed = 406;
    private const int AccessRefused = 403;

    /// <summary>Asks the broker.</summary>
    public static async Task<QueueKind> FindAsync(AmqpConnection connection, string queue)
    {
        var arguments = new Dictionary<string, object?> { [KindArgument] = "none" };
        for (int i = 0; i < MostArguments; i++)
        {
            Match difference = Difference().Match(await AskAsync(connection, queue, arguments).ConfigureAwait(false));
            string name = difference.Groups["name"].Value;
            string current = difference.Groups["current"].Value;
            if (name is "durable" or "auto_delete")
            {
                // Of the three kinds only these may be transient, or go with their last consumer.
                return QueueKind.Classic;
            }

            if (name == KindArgument)
            {
                return current switch
                {
                    "" or "classic" => QueueKind.Classic,
                    "quorum" => QueueKind.Quorum,
                    "stream" => QueueKind.Stream,
                    _ => QueueKind.Unknown,
                };
            }

            if (!difference.Success || arguments.ContainsKey(name) || !TryRead(difference.Groups["type"].Value, current, out object? value))
            {
                return QueueKind.Unknown;
            }

            arguments.Add(name, value);
        }

        return QueueKind.Unknown;
    }

    private static async Task<string> AskAsync(AmqpConnection connection, string queue, Dictionary<string, object?> arguments)
    {
        AmqpChannel channel = await connection.OpenChannelAsync().ConfigureAwait(false);
        await using (channel.ConfigureAwait(false))
        {
            try
            {
                await channel.Topology.DeclareQueueAsync(queue, new AmqpQueueOptions { Arguments = arguments }).ConfigureAwait(false);
                return "";
            }
            catch (AmqpChannelException exception) when (exception.Reason.ReplyCode is PreconditionFailed or AccessRefused)
            {
                return exception.Reason.ReplyText;
            }
        }
    }

    private static bool TryRead(string type, string text, out object? value)
    {
        bool isNumber = long.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out long number);
        value = type switch
        {
            "longstr" => text,
            "long" when isNumber => number,
            "signedint" when isNumber => (int)number,
            "short" when isNumber => (short)number,
            "byte" when isNumber => (sbyte)number,
            "bool" => text == "true",
            _ => null,
        };
        return value is not null;
    }

    // "inequivalent arg 'x-max-length' for queue 'q' in vhost '/': received none but current is the value '9' of type 'long'", and shorter
    // where both have one.
    [GeneratedRegex(
        "inequivalent arg '(?<name>[^']*)' .* but current is (none|(the value )?'(?<current>[^']*)'( of type '(?<type>[^']*)')?)$",
        RegexOptions.CultureInvariant)]
    private static partial Regex Difference();
}
