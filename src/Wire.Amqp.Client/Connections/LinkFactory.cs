using Wire.Transport;
using Wire.Transport.Sockets;

namespace Wire.Amqp.Client.Connections;

/// <summary>
/// Makes the links of a connection, one after the other: asks who the user is and where the broker is, and tries the endpoints in turn.
/// </summary>
/// <param name="options">The options of the connection.</param>
/// <param name="renewalFailed">Told why the secret of an open link could not be renewed yet. On any thread.</param>
internal sealed class LinkFactory(AmqpConnectionOptions options, Action<Exception> renewalFailed)
{
    /// <summary>Connects to the first of the endpoints that answers.</summary>
    /// <exception cref="AmqpConnectionException">
    /// None can be reached, they refuse, or the program does not say who the user is or where the broker is.
    /// </exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public async Task<Link> ConnectAsync(CancellationToken cancellationToken)
    {
        BrokerCredentials? credentials = await CredentialsAsync(cancellationToken).ConfigureAwait(false);
        AmqpConnectionOptions known = options with
        {
            Endpoints = await AskAsync(options.Broker.EndpointsAsync(cancellationToken)).ConfigureAwait(false),
            UserName = credentials?.UserName ?? options.UserName,
            Password = credentials?.Password ?? options.Password,
        };
        Link link = await ConnectAsync(known, cancellationToken).ConfigureAwait(false);
        if (credentials is { ExpiresAt: not null })
        {
            _ = new SecretRenewal(link, options, CredentialsAsync, renewalFailed).RunAsync(credentials);
        }

        return link;
    }

    private static async Task<Link> ConnectAsync(AmqpConnectionOptions options, CancellationToken cancellationToken)
    {
        List<Exception>? failures = null;
        foreach (BrokerEndpoint endpoint in options.Broker.EndpointsInTurn())
        {
            using var timeout = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
            timeout.CancelAfter(options.ConnectTimeout);
            try
            {
                return await Link.ConnectAsync(options, endpoint, timeout.Token).ConfigureAwait(false);
            }
            catch (AmqpConnectionException e)
            {
                cancellationToken.ThrowIfCancellationRequested();
                (failures ??= []).Add(e);
            }
        }

        throw failures is [var only]
            ? only
            : new AmqpConnectionException($"No connection to any of the {failures!.Count} endpoints. {string.Join(
                " ", failures.Select(failure => failure.Message))}", new AggregateException(failures));
    }

    private Task<BrokerCredentials?> CredentialsAsync(CancellationToken cancellationToken) =>
        AskAsync(options.Broker.CredentialsAsync(cancellationToken));

    private static async Task<T> AskAsync<T>(Task<T> asking)
    {
        try
        {
            return await asking.ConfigureAwait(false);
        }
        catch (ConnectException e)
        {
            throw new AmqpConnectionException(e.Message, e.InnerException);
        }
    }
}
