using System.Net;
using Wire.Amqp.Client;
using Wire.Transport;

namespace Parcels;

/// <summary>What a program is asked when it connects.</summary>
internal static class Connecting
{
    public static async Task RunAsync(AmqpConnectionOptions options)
    {
        await EndpointsAsync(options);
        await CredentialsAsync(options);
    }

    private static async Task EndpointsAsync(AmqpConnectionOptions options)
    {
        (string host, int port) = options.Endpoints[0];

        #region endpoints
        options = options with
        {
            ResolveEndpoints = async cancellationToken =>
                [.. (await Dns.GetHostAddressesAsync(host, cancellationToken)).Select(address => new BrokerEndpoint($"{address}", port))],
        };
        #endregion

        await using AmqpConnection connection = await AmqpConnection.ConnectAsync(options);
        Console.WriteLine($"  it is at {(IPAddress.TryParse(connection.Endpoint.Host, out _) ? "an address" : "a name")}");
    }

    private static async Task CredentialsAsync(AmqpConnectionOptions options)
    {
        var tokens = new TokenService(options.UserName, options.Password);

        #region credentials
        await using AmqpConnection connection = await AmqpConnection.ConnectAsync(options with
        {
            Credentials = async cancellationToken =>
            {
                Token token = await tokens.GetAsync(cancellationToken);
                return new BrokerCredentials(token.User, token.Text, token.ExpiresAt);
            },
        });
        connection.CredentialsFailed += error => Console.WriteLine($"  not renewed yet: {error.Message}");
        #endregion

        await tokens.AskedAgain;
        Console.WriteLine($"  the next token is there, and the connection is {(connection.IsOpen ? "open" : "lost")}");
    }

    /// <summary>In place of a service that gives tokens: the password, for two seconds each.</summary>
    private sealed class TokenService(string user, string password)
    {
        private readonly TaskCompletionSource _askedAgain = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private int _asked;

        public Task AskedAgain => _askedAgain.Task;

        public async Task<Token> GetAsync(CancellationToken cancellationToken)
        {
            await Task.Delay(1, cancellationToken);
            if (++_asked == 2)
            {
                _askedAgain.SetResult();
            }

            return new Token(user, password, DateTimeOffset.UtcNow.AddSeconds(2));
        }
    }

    private sealed record Token(string User, string Text, DateTimeOffset ExpiresAt);
}
