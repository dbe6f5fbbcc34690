using System.CommandLine;
using Wire.Amqp;
using Wire.Amqp.Client;
using Wire.Amqp.V091;
using Wire.Tool.Messages;
using Wire.Tool.Queues;
using Wire.Tool.Running;
using Wire.Tool.Showing;

namespace Wire.Tool.ErrorQueues;

/// <summary><c>wire errors</c>.</summary>
internal static class ErrorsCommand
{
    private const int DefaultCount = 10;

    /// <summary>Makes the command.</summary>
    public static Command NewCommand(ToolConsole console)
    {
        var command = new ToolCommand(
            "errors",
            "Groups the messages of an error queue by their failures, and leaves them there unless --retry --yes sends them back.",
            "wire errors orders.error",
            "wire errors orders.error --show --group type-refused --count 3",
            "wire errors orders.error --retry --group 3f2a91c0",
            "wire errors orders.error --retry --group 3f2a91c0 --count 1 --yes");
        var queue = new QueueOptions();
        var group = new Option<string?>("--group")
        {
            Description = "Only this group: its number, or a reason such as handler-failed",
            HelpName = "GROUP",
        };
        var messages = new Option<bool>("--show") { Description = "Show the messages, as wire queue does" };
        var retry = new Option<bool>("--retry")
        {
            Description = "Send the messages back to the queues in which they failed; without --yes, say what would be sent",
        };
        var toExchange = new Option<bool>("--to-exchange")
        {
            Description = "Send them to the exchanges that they were published to: other queues get them again too",
        };
        var yes = new Option<bool>("--yes") { Description = "Do send them: each is taken out of the error queue when it is in the other" };
        Option<int?> count = CommandOptions.NewNumber(
            "--count", "N", "The messages that are shown, 10 unless given, or sent back, all unless given; 0 for all", 0);
        var show = new ShowOptions("As JSON: one line for each group or message");
        queue.AddTo(command);
        foreach (Option option in new Option[] { group, messages, retry, toExchange, yes, count })
        {
            command.Options.Add(option);
        }

        show.AddTo(command);
        command.Validators.Add(result =>
        {
            if (!result.GetValue(retry) && (result.GetValue(yes) || result.GetValue(toExchange)))
            {
                result.AddError("--yes and --to-exchange go with --retry.");
            }
            else if (result.GetValue(retry) && result.GetValue(messages))
            {
                result.AddError("Give --show or --retry, and not both.");
            }
            else if (result.GetValue(count) is not null && !result.GetValue(retry) && !result.GetValue(messages) && !show.LooksFor(result))
            {
                result.AddError("--count goes with --show or --retry: groups are of all messages.");
            }
        });
        command.SetAction(result =>
        {
            QueueSettings settings = queue.Read(result);
            ShowSettings shown = show.Read(result);
            string? which = result.GetValue(group);
            bool isAll = result.GetValue(count) == 0;
            long? most = isAll ? null : result.GetValue(count);
            return BrokerCalls.Run(async () =>
            {
                AmqpConnection connection = await settings.ConnectAsync().ConfigureAwait(false);
                await using (connection.ConfigureAwait(false))
                {
                    if (result.GetValue(retry))
                    {
                        return await RetryAsync(
                            new ErrorRetry(console, settings, which, result.GetValue(toExchange)), connection, settings,
                            most ?? long.MaxValue, result.GetValue(yes)).ConfigureAwait(false);
                    }

                    bool isShow = result.GetValue(messages) || shown.Path is not null || shown.Find is not null;
                    return isShow
                        ? await ShowAsync(
                            console, connection, settings, which, most ?? (isAll ? long.MaxValue : DefaultCount), shown)
                            .ConfigureAwait(false)
                        : await GroupAsync(console, connection, settings, which, shown).ConfigureAwait(false);
                }
            });
        });
        return command;
    }

    private static async Task<int> GroupAsync(
        ToolConsole console, AmqpConnection connection, QueueSettings settings, string? which, ShowSettings shown)
    {
        var groups = new ErrorGroups();
        await BrowseAsync(connection, settings, which, (number, facts, delivery) =>
        {
            (string? type, string? id) = NamesOf(delivery);
            groups.Add(number, facts, type, id);
            return true;
        }).ConfigureAwait(false);
        if (shown.Json)
        {
            var json = new JsonOutput(console, shown);
            groups.WriteJson(write => json.WriteLine(isIndented: false, write), shown.Limit);
        }
        else
        {
            groups.Write(console, settings.Name, shown.Limit);
        }

        return which is not null && groups.Messages == 0 ? throw NoGroup(settings, which) : ExitCodes.Good;
    }

    private static async Task<int> ShowAsync(
        ToolConsole console, AmqpConnection connection, QueueSettings settings, string? which, long most, ShowSettings shown)
    {
        var messages = new HeldMessages(most, settings.Limits.MaxAllocation);
        await BrowseAsync(
            connection, settings, which, (number, _, delivery) => messages.Add(QueueMessages.Read(number, delivery, settings.Limits)))
            .ConfigureAwait(false);
        var output = new MessageOutput(console, shown);
        messages.Write(output);
        return which is not null && messages.Count == 0 ? throw NoGroup(settings, which) : output.ExitCode;
    }

    private static async Task<int> RetryAsync(
        ErrorRetry retry, AmqpConnection connection, QueueSettings settings, long most, bool isSure)
    {
        QueueBrowser browser = await QueueBrowser.OpenAsync(connection, settings).ConfigureAwait(false);
        await using (browser.ConfigureAwait(false))
        {
            await (isSure ? retry.RunAsync(connection, browser, most) : retry.PlanAsync(connection, browser, most)).ConfigureAwait(false);
            return retry.ExitCode;
        }
    }

    private static async Task BrowseAsync(
        AmqpConnection connection, QueueSettings settings, string? which, Func<long, ErrorFacts, AmqpDelivery, bool> use)
    {
        QueueBrowser browser = await QueueBrowser.OpenAsync(connection, settings).ConfigureAwait(false);
        await using (browser.ConfigureAwait(false))
        {
            long number = 0;
            await browser.ForEachAsync(null, delivery =>
            {
                number++;
                var facts = ErrorFacts.Read(delivery);
                return !facts.IsOf(which) || use(number, facts, delivery);
            }).ConfigureAwait(false);
        }
    }

    private static (string? Type, string? Id) NamesOf(AmqpDelivery delivery)
    {
        try
        {
            BasicProperties properties = delivery.Properties;
            return (
                properties.Type.IsNull ? null : properties.Type.ToString(),
                properties.MessageId.IsNull ? null : properties.MessageId.ToString());
        }
        catch (AmqpFormatException)
        {
            // The group says so.
            return default;
        }
    }

    private static ToolException NoGroup(QueueSettings settings, string which) =>
        new($"{settings.Name} has no message of the group {PlainText.Show(which)}.", ExitCodes.Refused);
}
