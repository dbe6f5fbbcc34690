using System.CommandLine;
using Wire.Amqp.Client;
using Wire.Tool.Inputs;
using Wire.Tool.Running;
using Wire.Transport;

namespace Wire.Tool.Queues;

/// <summary>The argument and options that commands over queues have in common.</summary>
internal sealed class QueueOptions
{
    private const int MiB = 1 << 20;
    private const string Variable = "WIRE_AMQP_URI";
    private const string DefaultUri = "amqp://guest:guest@localhost/";

    private readonly Argument<string> _queue = new("QUEUE") { Description = "The name of the queue" };
    private readonly Option<string?> _uri = new("--uri")
    {
        Description = $"The broker, amqp:// or amqps://: {Variable} unless given, or else guest on this machine",
        HelpName = "URI",
    };

    private readonly Option<bool> _countDelivery = new("--count-delivery")
    {
        Description = "Look at a quorum queue too, which counts that as a delivery of each message (x-delivery-limit)",
    };

    private readonly Option<int?> _memory = NewMemory();

    /// <summary>Makes the option for memory.</summary>
    public static Option<int?> NewMemory() => CommandOptions.NewNumber(
        "--memory", "MIB", "The memory that the messages and the index of one payload may take; 1024 unless given", 1);

    /// <summary>Gets the limits that the option for memory leads to.</summary>
    public static Limits LimitsOf(int? memory) => memory is { } given
        ? InputSettings.LocalLimits with { MaxAllocation = (long)given * MiB }
        : InputSettings.LocalLimits;

    /// <summary>Adds the argument and the options to a command.</summary>
    public void AddTo(Command command)
    {
        command.Arguments.Add(_queue);
        command.Options.Add(_uri);
        command.Options.Add(_countDelivery);
        command.Options.Add(_memory);
    }

    /// <summary>Gets the settings.</summary>
    public QueueSettings Read(ParseResult result)
    {
        string queue = result.GetValue(_queue)!;
        if (queue.Length == 0)
        {
            throw new ToolException("The name of the queue is empty.", ExitCodes.Usage);
        }

        return new(
            queue,
            result.GetValue(_uri) ?? (Environment.GetEnvironmentVariable(Variable) is { Length: > 0 } set ? set : DefaultUri),
            result.GetValue(_countDelivery),
            LimitsOf(result.GetValue(_memory)));
    }
}

/// <summary>The place of a queue, and the way to read it.</summary>
/// <param name="Queue">Its name.</param>
/// <param name="Uri">The broker, which may have a password.</param>
/// <param name="CountsDelivery">Whether a delivery may be counted.</param>
/// <param name="Limits">What a payload, and all bodies together, may cost.</param>
internal sealed record QueueSettings(string Queue, string Uri, bool CountsDelivery, Limits Limits)
{
    /// <summary>Gets the name of the queue, plain.</summary>
    public string Name => PlainText.Show(Queue, 300);

    /// <summary>Connects to the broker.</summary>
    public Task<AmqpConnection> ConnectAsync() => AmqpConnection.ConnectAsync(AmqpConnectionOptions.Parse(Uri) with
    {
        ConnectionName = "wire",
        Recovery = RecoveryOptions.Off,
        MaxBodySize = Limits.MaxAllocation,
    });
}
