using System.CommandLine;
using Wire.RabbitMQ.Streams;
using Wire.Tool.Messages;
using Wire.Tool.Queues;
using Wire.Tool.Running;
using Wire.Tool.Showing;
using Wire.Transport;

namespace Wire.Tool.Streams;

/// <summary><c>wire stream</c>.</summary>
internal static class StreamCommand
{
    private const int DefaultCount = 10;
    private const string Noun = "offset";
    private const string Variable = "WIRE_STREAM_URI";
    private const string DefaultUri = "rabbitmq-stream://guest:guest@localhost/";

    /// <summary>Makes the command.</summary>
    public static Command NewCommand(ToolConsole console)
    {
        var command = new ToolCommand(
            "stream",
            "Shows messages of a RabbitMQ stream, and stores no offset.",
            "wire stream readings",
            "wire stream readings --from first --count 3",
            "wire stream readings --from 2026-01-31T12:00:00Z --count 0 --out - | wire stats -",
            "wire stream readings --from next --uri rabbitmq-stream+tls://user@broker.example --json");
        var stream = new Argument<string>("STREAM") { Description = "The name of the stream" };
        var uri = new Option<string?>("--uri")
        {
            Description =
                $"The broker, rabbitmq-stream:// or rabbitmq-stream+tls://: {Variable} unless given, or else guest on this machine",
            HelpName = "URI",
        };
        var direct = new Option<bool>("--direct")
        {
            Description = "Read from the URI's own address, where those that the broker advertises cannot be reached",
        };
        var from = new Option<string>("--from")
        {
            Description = "first, last (as many offsets as --count; this unless given), next (waits), an offset or a time",
            HelpName = "PLACE",
            DefaultValueFactory = _ => "last",
        };
        Option<int?> count = CommandOptions.NewNumber(
            "--count", "N", "The messages that are shown: 10 unless given, and 0 for all up to the end", 0);
        Option<int?> memory = QueueOptions.NewMemory();
        var output = new Option<string?>("--out")
        {
            Description = "Write the payloads to this file instead, as frames for the other commands; - is the standard output",
            HelpName = "FILE",
        };
        var show = new ShowOptions("As JSON: one line for each message");
        command.Arguments.Add(stream);
        foreach (Option option in new Option[] { uri, direct, from, count, memory, output })
        {
            command.Options.Add(option);
        }

        show.AddTo(command);
        show.KeepApart(command, output);
        command.SetAction(result =>
        {
            string name = result.GetValue(stream)!;
            if (name.Length == 0)
            {
                throw new ToolException("The name of the stream is empty.", ExitCodes.Usage);
            }

            string address = result.GetValue(uri)
                ?? (Environment.GetEnvironmentVariable(Variable) is { Length: > 0 } set ? set : DefaultUri);
            var start = StreamStart.Parse(result.GetValue(from)!);
            long most = result.GetValue(count) is { } given ? given == 0 ? long.MaxValue : given : DefaultCount;
            Limits limits = QueueOptions.LimitsOf(result.GetValue(memory));
            ShowSettings shown = show.Read(result);
            return BrokerCalls.Run(async () =>
            {
                StreamClient client = await StreamClient.ConnectAsync(StreamClientOptions.Parse(address) with
                {
                    ConnectionName = "wire",
                    Recovery = RecoveryOptions.Off,
                    UseEndpointsOnly = result.GetValue(direct),
                }).ConfigureAwait(false);
                await using (client.ConfigureAwait(false))
                {
                    return result.GetValue(output) is { } path
                        ? await WriteAsync(console, client, name, start, most, limits, path).ConfigureAwait(false)
                        : await ShowAsync(console, client, name, start, most, limits, shown).ConfigureAwait(false);
                }
            });
        });
        return command;
    }

    private static async Task<int> ShowAsync(
        ToolConsole console, StreamClient client, string stream, StreamStart start, long most, Limits limits, ShowSettings shown)
    {
        var output = new MessageOutput(console, shown, Noun);
        await ReadAsync(client, stream, start, most, output.Complain, message =>
        {
            output.Write(StreamMessages.Read(message, limits));
            if (start.IsNext)
            {
                console.FlushText();
            }

            return true;
        }).ConfigureAwait(false);
        output.Conclude();
        return output.ExitCode;
    }

    private static async Task<int> WriteAsync(
        ToolConsole console, StreamClient client, string stream, StreamStart start, long most, Limits limits, string path)
    {
        using var frames = new FrameOutput(console, path, Noun);
        await ReadAsync(client, stream, start, most, frames.Complain, message =>
        {
            frames.Write(StreamMessages.Read(message, limits));
            return true;
        }).ConfigureAwait(false);
        frames.Conclude();
        return frames.ExitCode;
    }

    private static async Task ReadAsync(
        StreamClient client, string stream, StreamStart start, long most, Action<string, int> complain, Func<StreamMessage, bool> use)
    {
        string name = PlainText.Show(stream, 300);
        if (!await client.ExistsAsync(stream).ConfigureAwait(false))
        {
            throw new ToolException($"There is no stream {name}. wire queue shows queues.", ExitCodes.Usage);
        }

        var browser = new StreamBrowser(client, stream, line => complain(line, ExitCodes.Refused));
        if (start.IsNext)
        {
            await browser.ForEachAsync(StreamOffset.Next, null, most, use).ConfigureAwait(false);
        }
        else if (await browser.FindEndAsync().ConfigureAwait(false) is not { } end)
        {
            complain($"The stream {name} is empty.", ExitCodes.Refused);
        }
        else if (!start.IsBefore(end))
        {
            complain(
                FormattableString.Invariant($"The stream {name} ends with offset {end.Offset}, of {end.Time.UtcDateTime:O}."),
                ExitCodes.Refused);
        }
        else
        {
            await browser.ForEachAsync(start.In(end, most), end.Offset, most, use).ConfigureAwait(false);
        }
    }
}
