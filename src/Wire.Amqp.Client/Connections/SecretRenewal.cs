using Wire.Amqp.V091;
using Wire.Transport;
using Wire.Transport.Recovery;

namespace Wire.Amqp.Client.Connections;

/// <summary>
/// Renews the secret of the user of a link before it expires, as long as the link lasts: asks for the next one when two thirds of the time
/// have passed, and gives it to the broker by connection.update-secret, an extension of RabbitMQ. What fails is tried again with the pauses
/// of recovery; a secret that the broker refuses ends the link, as it closes the connection.
/// </summary>
/// <param name="link">The link.</param>
/// <param name="options">The options of its connection.</param>
/// <param name="ask">Asks for the next secret.</param>
/// <param name="failed">Told why an attempt has failed. On any thread.</param>
internal sealed class SecretRenewal(
    Link link, AmqpConnectionOptions options, Func<CancellationToken, Task<BrokerCredentials?>> ask, Action<Exception> failed)
{
    // Timers wait for no longer than 49 days.
    private static readonly TimeSpan Longest = TimeSpan.FromDays(30);

    /// <summary>Renews it until the link has ended, or the secret does not expire any more.</summary>
    /// <param name="current">The user and the secret that the link was made with.</param>
    public async Task RunAsync(BrokerCredentials current)
    {
        try
        {
            while (current.ExpiresAt is { } expiry)
            {
                await Task.Delay(TimeUntilRenewal(expiry), options.Time, link.Gone).ConfigureAwait(false);
                BrokerCredentials next = await new Reconnector(
                    options.Recovery.FirstPause, options.Recovery.LongestPause, time: options.Time).RunAsync<BrokerCredentials>(
                        token => RenewAsync(current, token), static _ => true, Tell, link.Gone).ConfigureAwait(false);
                if (next.UserName != current.UserName)
                {
                    failed(new AmqpConnectionException(
                        $"{nameof(AmqpConnectionOptions.Credentials)} has returned the user '{next.UserName}' for the open connection of " +
                        $"the user '{current.UserName}', which no broker changes. When the connection is lost, the next one is made as " +
                        "whom it returns then."));
                    return;
                }

                current = next;
            }
        }
        catch (OperationCanceledException) when (link.End is not null)
        {
            // Its end is told by the link.
        }
    }

    private async Task<BrokerCredentials?> RenewAsync(BrokerCredentials current, CancellationToken cancellationToken)
    {
        // Before: it could expire while a broker that is blocked does not read.
        await link.UnblockedAsync(cancellationToken).ConfigureAwait(false);
        BrokerCredentials next = (await ask(cancellationToken).ConfigureAwait(false))!;
        if (next.ExpiresAt <= options.Time.GetUtcNow())
        {
            // The broker would close the connection over it.
            throw new AmqpConnectionException(
                $"{nameof(AmqpConnectionOptions.Credentials)} has returned a secret that has expired already, at {next.ExpiresAt:u}, for " +
                "the open connection: return the next one, and look at the clocks.");
        }

        if (next.UserName == current.UserName)
        {
            await link.CallAsync<ConnectionUpdateSecret, ConnectionUpdateSecretOk>(
                new ConnectionUpdateSecret { NewSecret = next.Password, Reason = "It expires." }, cancellationToken).ConfigureAwait(false);
        }

        return next;
    }

    private TimeSpan TimeUntilRenewal(DateTimeOffset expiry)
    {
        TimeSpan due = (expiry - options.Time.GetUtcNow()) * 2 / 3;

        // Also where what is returned has expired already: not asked for without a pause.
        return due < options.Recovery.FirstPause ? options.Recovery.FirstPause : due < Longest ? due : Longest;
    }

    private void Tell(int number, Exception? error)
    {
        if (error is not null && link.End is null)
        {
            failed(error);
        }
    }
}
