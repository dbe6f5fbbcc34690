using Wire.Amqp.Client;
using Wire.Amqp.V091;
using Wire.Tool.Queues;
using Wire.Tool.Running;

namespace Wire.Tool.ErrorQueues;

/// <summary>
/// Sends messages back to where they came from: each is acknowledged in the error queue when the broker has confirmed that it is in
/// another one, and stays there otherwise.
/// </summary>
/// <param name="console">The streams.</param>
/// <param name="settings">The error queue.</param>
/// <param name="group">The group to send back; null for all.</param>
/// <param name="isToExchange">Whether messages go to their exchange.</param>
internal sealed class ErrorRetry(ToolConsole console, QueueSettings settings, string? group, bool isToExchange)
{
    // The broker answers at once, unless it takes no messages for now.
    private static readonly TimeSpan PublishTimeout = TimeSpan.FromSeconds(30);

    private readonly Complaints _complaints = new(console);
    private readonly SortedDictionary<string, long> _destinations = new(StringComparer.Ordinal);
    private readonly Dictionary<string, bool> _exchanges = [];
    private long _staying;

    /// <summary>Gets the worst exit code so far.</summary>
    public int ExitCode => _complaints.ExitCode;

    /// <summary>Says what would be sent back.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="browser">The queue.</param>
    /// <param name="most">The number of messages to send back at most.</param>
    public async Task PlanAsync(AmqpConnection connection, QueueBrowser browser, long most)
    {
        long number = 0;
        await browser.ForEachAsync(null, delivery =>
        {
            if (TryMake(++number, delivery, connection, out OriginalMessage? message))
            {
                Count(message!);
                most--;
            }

            return most > 0;
        }).ConfigureAwait(false);
        _complaints.Conclude();
        long sent = WriteDestinations("would be sent back");
        if (sent > 0)
        {
            console.Out.WriteLine("Nothing was changed: give --yes to send them.");
        }

        RequireSome(sent);
    }

    /// <summary>Sends messages back.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="browser">The queue.</param>
    /// <param name="most">The number of messages to send back at most.</param>
    public async Task RunAsync(AmqpConnection connection, QueueBrowser browser, long most)
    {
        AmqpChannel publishing = await connection.OpenChannelAsync(
            new() { IdentifiesMandatory = false, Reopens = true }).ConfigureAwait(false);
        try
        {
            long number = 0;
            bool isEnded = false;
            while (most > 0 && number < browser.Ready && !isEnded)
            {
                // Taken before any is sent: what fails again may come to the front.
                using var taken = new TakenMessages();
                while (number < browser.Ready && taken.Count < most && taken.Bytes < settings.Limits.MaxAllocation)
                {
                    if (await browser.GetAsync().ConfigureAwait(false) is not { } delivery)
                    {
                        isEnded = true;
                        break;
                    }

                    if (TryMake(++number, delivery, connection, out OriginalMessage? message))
                    {
                        taken.Add(number, delivery, message!);
                    }
                    else
                    {
                        delivery.Dispose();
                    }
                }

                foreach ((long at, AmqpDelivery delivery, OriginalMessage message) in taken.All)
                {
                    if (await SendAsync(at, publishing, delivery, message).ConfigureAwait(false))
                    {
                        browser.Acknowledge(delivery.DeliveryTag);
                        Count(message);
                        most--;
                    }
                }
            }
        }
        catch (OperationCanceledException)
        {
            throw new ToolException(
                "The broker has not confirmed a message in time, which stays in the error queue and may have arrived: "
                + PlainText.Show(connection.BlockedReason ?? "it gives no reason") + ".",
                ExitCodes.Usage);
        }
        finally
        {
            _complaints.Conclude();
            WriteDestinations("sent back");
            await publishing.DisposeAsync().ConfigureAwait(false);
        }

        RequireSome(_destinations.Count);
    }

    private bool TryMake(long number, AmqpDelivery delivery, AmqpConnection connection, out OriginalMessage? message)
    {
        message = null;
        var facts = ErrorFacts.Read(delivery);
        if (!facts.IsOf(group))
        {
            return false;
        }

        string? obstacle = delivery.IsTooLarge ? "it has more bytes than --memory allows" : facts.Obstacle;
        if (obstacle is not null)
        {
            Stay(number, obstacle);
            return false;
        }

        OriginalMessage original = OriginalMessage.Create(delivery.Properties, facts, isToExchange, connection.Options.UserName);
        if (original.IsForNowhere)
        {
            Stay(number, "its headers name a place with more than 255 bytes, and no place has such a name");
            return false;
        }

        message = original;
        return true;
    }

    private async Task<bool> SendAsync(long number, AmqpChannel publishing, AmqpDelivery delivery, OriginalMessage message)
    {
        if (message.Exchange.Length > 0 && !await ExistsAsync(publishing, message.Exchange).ConfigureAwait(false))
        {
            Stay(number, $"there is no exchange {message.Exchange} any more");
            return false;
        }

        try
        {
            using var timeout = new CancellationTokenSource(PublishTimeout);
            var publish = new BasicPublish { Exchange = message.Exchange, RoutingKey = message.RoutingKey, Mandatory = true };
            await publishing.PublishBytesAsync(
                in publish, message.Properties, delivery.Body, cancellationToken: timeout.Token).ConfigureAwait(false);
            return true;
        }
        catch (AmqpPublishException exception) when (exception.Failure != AmqpPublishFailure.Unconfirmed)
        {
            Stay(number, exception.Message);
            return false;
        }
        catch (AmqpPublishException exception)
        {
            throw new ToolException(
                FormattableString.Invariant($"message {number} stays, and may have arrived as well: ")
                + PlainText.Show((exception.InnerException ?? exception).Message),
                ExitCodes.Usage);
        }
    }

    // Asked for, as the broker closes the channel over a message to one that is not there.
    private async Task<bool> ExistsAsync(AmqpChannel channel, string exchange)
    {
        if (!_exchanges.TryGetValue(exchange, out bool exists))
        {
            exists = await channel.Topology.FindExchangeAsync(exchange).ConfigureAwait(false);
            _exchanges.Add(exchange, exists);
        }

        return exists;
    }

    private void Stay(long number, string reason)
    {
        _staying++;
        _complaints.Add(FormattableString.Invariant($"message {number} stays: {PlainText.Show(reason)}"), ExitCodes.Refused);
    }

    private void Count(OriginalMessage message)
    {
        string destination = message.Exchange.Length == 0
            ? $"the queue {PlainText.Show(message.RoutingKey, 300)}"
            : $"the exchange {PlainText.Show(message.Exchange, 300)}";
        _destinations[destination] = _destinations.GetValueOrDefault(destination) + 1;
    }

    private long WriteDestinations(string what)
    {
        foreach ((string destination, long count) in _destinations)
        {
            console.Out.WriteLine($"{TextTable.Number(count)} message(s) {what} to {destination}");
        }

        if (_staying > 0)
        {
            console.Out.WriteLine($"{TextTable.Number(_staying)} message(s) stay in {settings.Name}");
        }

        return _destinations.Values.Sum();
    }

    private void RequireSome(long sent)
    {
        if (sent == 0 && _staying == 0)
        {
            string which = group is null ? "is empty" : $"has no message of the group {PlainText.Show(group)}";
            _complaints.Add($"{settings.Name} {which}.", ExitCodes.Refused);
        }
    }
}
