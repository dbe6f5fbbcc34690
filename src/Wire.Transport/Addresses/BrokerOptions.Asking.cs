using Wire.Transport.Sockets;

namespace Wire.Transport.Addresses;

/// <content>What is asked of the program at each attempt to connect.</content>
internal sealed partial record BrokerOptions
{
    /// <summary>
    /// Gets what is asked for the user and the secret at each attempt to connect, in place of <c>UserName</c> and
    /// <c>Password</c>; null, the default, for these.
    /// </summary>
    /// <remarks>
    /// For passwords and tokens that expire: where <see cref="BrokerCredentials.ExpiresAt"/> says when, it is asked again when two thirds
    /// of the time until then have passed, and the broker is given the next secret on the open connection. Called on the thread pool,
    /// with a token that fires after <c>ConnectTimeout</c>: a call that does not end then is left to itself, and may run beside the next.
    /// If it throws, the attempt has failed, and another one follows as after any failure.
    /// </remarks>
    public Func<CancellationToken, ValueTask<BrokerCredentials>>? Credentials { get; init; }

    /// <summary>
    /// Gets what is asked for the endpoints at each attempt to connect, in place of <c>Endpoints</c>: for service discovery and for
    /// names that lead elsewhere after a while; null, the default, for the list.
    /// </summary>
    /// <remarks>
    /// What is returned is tried in turn, in the order that <c>EndpointOrder</c> says; at least one. Called on the thread pool, with a
    /// token that fires after <c>ConnectTimeout</c>: a call that does not end then is left to itself, and may run beside the next. If it
    /// throws, the attempt has failed, and another one follows as after any failure.
    /// </remarks>
    public Func<CancellationToken, ValueTask<IReadOnlyList<BrokerEndpoint>>>? ResolveEndpoints { get; init; }

    /// <summary>Asks for the endpoints to connect to.</summary>
    /// <returns>The endpoints; those of the options where these have a list.</returns>
    /// <exception cref="ConnectException">It has failed, has taken too long, or has returned none, or one that there cannot be.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public async Task<IReadOnlyList<BrokerEndpoint>> EndpointsAsync(CancellationToken cancellationToken) => ResolveEndpoints is null
        ? Endpoints
        : await AskAsync(
            ResolveEndpoints,
            static (options, endpoints) => (options with { Endpoints = endpoints }).Validate(),
            nameof(ResolveEndpoints),
            cancellationToken).ConfigureAwait(false);

    /// <summary>Asks for the user to connect as.</summary>
    /// <returns>The user; null where the options name it.</returns>
    /// <exception cref="ConnectException">It has failed, has taken too long, or has returned what cannot be sent.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public async Task<BrokerCredentials?> CredentialsAsync(CancellationToken cancellationToken)
    {
        if (Credentials is null)
        {
            return null;
        }

        return await AskAsync(
            Credentials,
            static (options, credentials) =>
                (options with { UserName = credentials.UserName, Password = credentials.Password, Credentials = null }).Validate(),
            nameof(Credentials),
            cancellationToken).ConfigureAwait(false);
    }

    // On the pool, because it may block, and nobody else is to wait for it then.
    private async Task<T> AskAsync<T>(
        Func<CancellationToken, ValueTask<T>> ask, Action<BrokerOptions, T> check, string option, CancellationToken cancellationToken)
        where T : class
    {
        using var timeout = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        timeout.CancelAfter(ConnectTimeout);
        try
        {
            T answer = await Task.Run(() => ask(timeout.Token).AsTask(), timeout.Token).WaitAsync(timeout.Token).ConfigureAwait(false)
                ?? throw new InvalidOperationException("It has returned null.");
            check(this, answer);
            return answer;
        }
        catch (Exception e)
        {
            cancellationToken.ThrowIfCancellationRequested();
            throw new ConnectException(
                timeout.IsCancellationRequested
                    ? $"The callback {option} of the connection's options has not returned within {ConnectTimeout.TotalSeconds:0.###} s " +
                        $"({nameof(ConnectTimeout)})."
                    : $"The callback {option} of the connection's options has failed: {e.Message}",
                e);
        }
    }
}
