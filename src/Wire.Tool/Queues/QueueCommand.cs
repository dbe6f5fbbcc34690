using System.CommandLine;
using Wire.Amqp.Client;
using Wire.Tool.Messages;
using Wire.Tool.Running;
using Wire.Tool.Showing;

namespace Wire.Tool.Queues;

/// <summary><c>wire queue</c>.</summary>
internal static class QueueCommand
{
    private const int DefaultCount = 10;

    /// <summary>Makes the command.</summary>
    public static Command NewCommand(ToolConsole console)
    {
        var command = new ToolCommand(
            "queue",
            "Shows messages of a RabbitMQ queue from its front, and leaves them there: nothing is acknowledged or rejected.",
            "wire queue orders",
            "wire queue orders --uri amqps://user@broker.example/shop --count 3 --json",
            "wire queue orders --count 0 --out - | wire stats -");
        var queue = new QueueOptions();
        Option<int?> count = CommandOptions.NewNumber("--count", "N", "The messages that are shown: 10 unless given, and 0 for all", 0);
        var output = new Option<string?>("--out")
        {
            Description = "Write the payloads to this file instead, as frames for the other commands; - is the standard output",
            HelpName = "FILE",
        };
        var show = new ShowOptions("As JSON: one line for each message");
        queue.AddTo(command);
        command.Options.Add(count);
        command.Options.Add(output);
        show.AddTo(command);
        show.KeepApart(command, output);
        command.SetAction(result =>
        {
            QueueSettings settings = queue.Read(result);
            ShowSettings shown = show.Read(result);
            long? most = result.GetValue(count) is { } given ? given == 0 ? null : given : DefaultCount;
            return BrokerCalls.Run(() => result.GetValue(output) is { } path
                ? WriteAsync(console, settings, most, path)
                : ShowAsync(console, settings, most, shown));
        });
        return command;
    }

    private static async Task<int> ShowAsync(ToolConsole console, QueueSettings settings, long? most, ShowSettings shown)
    {
        var messages = new HeldMessages(most ?? long.MaxValue, settings.Limits.MaxAllocation);
        long ready = await BrowseAsync(settings, most, messages.Add).ConfigureAwait(false);
        var output = new MessageOutput(console, shown);
        messages.Write(output);
        if (!shown.Json && shown.Find is null)
        {
            console.Out.WriteLine(
                $"{settings.Name}: {TextTable.Number(messages.Count)} of {TextTable.Number(Math.Max(ready, messages.Count))} message(s)");
        }

        return output.ExitCode;
    }

    private static async Task<int> WriteAsync(ToolConsole console, QueueSettings settings, long? most, string path)
    {
        using var frames = new FrameOutput(console, path);
        long left = most ?? long.MaxValue;
        await BrowseAsync(settings, most, message =>
        {
            frames.Write(message);
            return --left > 0;
        }).ConfigureAwait(false);
        frames.Conclude();
        return frames.ExitCode;
    }

    private static async Task<long> BrowseAsync(QueueSettings settings, long? most, Func<BrokerMessage, bool> use)
    {
        AmqpConnection connection = await settings.ConnectAsync().ConfigureAwait(false);
        await using (connection.ConfigureAwait(false))
        {
            QueueBrowser browser = await QueueBrowser.OpenAsync(connection, settings).ConfigureAwait(false);
            await using (browser.ConfigureAwait(false))
            {
                long number = 0;
                await browser.ForEachAsync(
                    most, delivery => QueueMessages.ReadAll(++number, delivery, settings.Limits).All(use)).ConfigureAwait(false);
                return browser.Ready;
            }
        }
    }
}
