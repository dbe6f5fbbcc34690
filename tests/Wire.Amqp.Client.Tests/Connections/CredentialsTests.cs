using System.Collections.Concurrent;
using Wire.Amqp.Client.Tests.Testing;
using Wire.Amqp.Testing;
using Wire.Amqp.V091;
using Wire.Testing;
using Wire.Transport;

namespace Wire.Amqp.Client.Tests.Connections;

/// <summary>Secrets that expire are asked for anew, at each attempt to connect and for the open connection.</summary>
public sealed class CredentialsTests
{
    private static readonly TimeSpan Life = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan Renewal = Life * 2 / 3;

    private readonly ToldTime _time = new();
    private readonly ConcurrentQueue<string> _told = new();
    private int _asked;

    [Fact]
    public async Task A_connection_lasts_a_minute_although_each_token_expires_after_ten_seconds()
    {
        var secrets = new ServerSecrets(_time);
        await using var broker = new AmqpServer(secrets: secrets);
        await using AmqpConnection connection = await ConnectAsync(broker, Token);
        AmqpChannel channel = await connection.OpenChannelAsync().InTime();
        for (TimeSpan passed = default, due; passed < TimeSpan.FromMinutes(1); passed += due)
        {
            due = await RenewalAsync();
            _time.Pass(due);
            await secrets.UpdatedAsync();
            await channel.PublishAsync("", "queue", "message").AsTask().InTime();
        }

        Assert.Equal(1 + 10, _asked);
        Assert.True(connection.IsOpen);
        Assert.Empty(_told);
    }

    [Fact]
    public async Task A_secret_that_is_not_said_to_expire_is_not_renewed()
    {
        await using var broker = new AmqpServer(secrets: new ServerSecrets(_time));
        await using AmqpConnection connection = await ConnectAsync(broker, () => Token() with { ExpiresAt = null });
        _time.Pass(Life);
        AmqpConnectionException error = await Assert.ThrowsAsync<AmqpConnectionException>(() => connection.Completion.InTime());
        Assert.Contains("the secret has expired", error.Message, StringComparison.Ordinal);
        Assert.Equal(1, _asked);
    }

    [Fact]
    public async Task What_fails_is_tried_again_after_pauses_and_told_and_no_message_is_lost()
    {
        var secrets = new ServerSecrets(_time);
        await using var broker = new AmqpServer(secrets: secrets);
        await using AmqpConnection connection = await ConnectAsync(broker, () => _asked switch
        {
            2 => throw new InvalidOperationException("The provider is down."),
            3 => Token() with { ExpiresAt = _time.GetUtcNow() },
            4 => null!,
            _ => Token(),
        });
        AmqpChannel channel = await connection.OpenChannelAsync().InTime();
        _time.Pass(await RenewalAsync());
        for (int pause = 100; pause <= 400; pause *= 2)
        {
            _time.Pass(await _time.AwaitedAsync(TimeSpan.FromMilliseconds(pause / 2), TimeSpan.FromMilliseconds(pause)));
            await channel.PublishAsync("", "queue", "message").AsTask().InTime();
        }

        await secrets.UpdatedAsync();
        await RenewalAsync();
        Assert.Equal(5, _asked);
        Assert.True(connection.IsOpen);
        Assert.Collection(
            await ToldAsync(3),
            told => Assert.Equal(
                "failed: The callback Credentials of the connection's options has failed: The provider is down.", told),
            told => Assert.Contains("returned a secret that has expired already, at 2026-01-01 00:00:0", told, StringComparison.Ordinal),
            told => Assert.Contains("It has returned null.", told, StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_secret_that_the_broker_refuses_costs_the_connection_and_no_message_whatever_else_is_under_way()
    {
        // As often as a message over which a connection is closed is sent.
        const int Refusals = 3;
        using var arrived = new SemaphoreSlim(0);
        await using var broker = AmqpServers.Scripted(async (peer, number) =>
        {
            await peer.GreetAsync();
            ushort channel = await peer.OpenChannelAsync();
            await peer.PublishedAsync();
            if (number == Refusals)
            {
                await peer.SendAsync(channel, new BasicAck { DeliveryTag = 1 });
                await peer.CloseAsync();
                return;
            }

            arrived.Release();
            await peer.ExpectAsync<ConnectionUpdateSecret>();
            await peer.SendAsync(0, new ConnectionClose
            {
                ReplyCode = 530,
                ReplyText = "NOT_ALLOWED - New secret was refused by one of the backends",
                ClassId = 10,
                MethodId = 70,
            });
            await peer.ExpectAsync<ConnectionCloseOk>();
        });
        AmqpConnectionOptions options = broker.Recovering();
        await using AmqpConnection connection = Watch(await AmqpConnection.ConnectAsync(options with
        {
            Time = _time,
            Credentials = Asking(Token),
            Recovery = options.Recovery with { ResendUnconfirmed = true },
        }).InTime());
        AmqpChannel channel = await connection.OpenChannelAsync().InTime();
        Task published = channel.PublishAsync("", "queue", "message").AsTask();
        for (int i = 0; i < Refusals; i++)
        {
            await arrived.WaitAsync().InTime();
            _time.Pass(await RenewalAsync());
        }

        await published.InTime();
        IReadOnlyCollection<string> told = await ToldAsync(Refusals);
        Assert.Equal(Refusals, told.Count);
        Assert.All(told, lost => Assert.Contains(
            "530 NOT_ALLOWED - New secret was refused by one of the backends (caused by ConnectionUpdateSecret). It does not take the " +
            "secret that AmqpConnectionOptions.Credentials has returned for the open connection", lost, StringComparison.Ordinal));
    }

    [Fact]
    public async Task Another_user_is_told_and_not_sent_to_the_open_connection()
    {
        var secrets = new ServerSecrets(_time);
        await using var broker = new AmqpServer(secrets: secrets);
        await using AmqpConnection connection =
            await ConnectAsync(broker, () => Token() with { UserName = _asked == 1 ? "ada" : "bob" });
        _time.Pass(await RenewalAsync());
        string told = Assert.Single(await ToldAsync(1));
        Assert.Contains("the user 'bob' for the open connection of the user 'ada'", told, StringComparison.Ordinal);
        Assert.True(connection.IsOpen);
        Assert.True(secrets.IsUpToDate);
    }

    [Fact]
    public async Task A_lost_connection_comes_back_with_the_next_secret_and_waits_for_one()
    {
        var seen = new ConcurrentQueue<string>();
        await using var broker = AmqpServers.Scripted(async (peer, number) =>
        {
            seen.Enqueue((await peer.StartAsync()).Response.ToString());
            await peer.SendAsync(0, new ConnectionTune());
            await peer.ReadAsync<ConnectionTuneOk>();
            await peer.ReadAsync<ConnectionOpen>();
            await peer.SendAsync(0, default(ConnectionOpenOk));
            if (number == 0)
            {
                peer.Reset();
                return;
            }

            await peer.CloseAsync();
        });
        AmqpConnection connection = Watch(await AmqpConnection.ConnectAsync(broker.Recovering() with
        {
            Credentials = Asking(() =>
                _asked == 2 ? throw new InvalidOperationException("The provider is down.") : new BrokerCredentials("ada", $"{_asked}")),
        }).InTime());
        var back = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        connection.Recovered += () => back.TrySetResult();
        await back.Task.InTime();
        await connection.DisposeAsync();
        Assert.Equal(["\0ada\01", "\0ada\03"], seen);
    }

    [Fact]
    public async Task A_provider_that_fails_or_hangs_is_an_error_of_the_connection_that_names_it()
    {
        var failure = new InvalidOperationException("No token for you.");
        AmqpConnectionOptions options = new() { ConnectTimeout = TimeSpan.FromMilliseconds(50) };
        AmqpConnectionException error = await Assert.ThrowsAsync<AmqpConnectionException>(
            () => AmqpConnection.ConnectAsync(options with { Credentials = Asking(() => throw failure) }).InTime());
        Assert.Same(failure, error.InnerException);
        Assert.Equal("The callback Credentials of the connection's options has failed: No token for you.", error.Message);
        error = await Assert.ThrowsAsync<AmqpConnectionException>(() => AmqpConnection.ConnectAsync(options with
        {
            Credentials = _ => new ValueTask<BrokerCredentials>(new TaskCompletionSource<BrokerCredentials>().Task),
        }).InTime());
        Assert.Contains("Credentials of the connection's options has not returned within 0.05 s", error.Message, StringComparison.Ordinal);
        error = await Assert.ThrowsAsync<AmqpConnectionException>(() => AmqpConnection.ConnectAsync(
            options with { Credentials = Asking(() => new BrokerCredentials("ada", "pass\0word")) }).InTime());
        Assert.Contains("The option Password is not null and has no NUL character", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_end_of_the_caller_s_patience_is_no_error_of_the_provider()
    {
        using var enough = new CancellationTokenSource();
        Task connecting = AmqpConnection.ConnectAsync(
            new AmqpConnectionOptions
            {
                Credentials = async token =>
                {
                    await enough.CancelAsync();
                    await Task.Delay(Timeout.Infinite, token);
                    return Token();
                },
            },
            enough.Token);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => connecting.InTime());
    }

    [Fact]
    public async Task A_refusal_at_the_beginning_names_the_provider()
    {
        var secrets = new ServerSecrets(_time) { ToRefuse = 1 };
        await using var broker = new AmqpServer(secrets: secrets);
        AmqpConnectionException error = await Assert.ThrowsAsync<AmqpConnectionException>(() => ConnectAsync(broker, Token));
        Assert.Equal(403, error.Reason!.ReplyCode);
        Assert.Contains("check what Credentials returns: the user is 'ada'", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_certificate_and_a_provider_are_too_much() =>
        Assert.Equal("Credentials", Assert.Throws<ArgumentException>(() => new AmqpConnectionOptions
        {
            Authentication = SaslMechanism.External,
            Tls = new() { LocalCertificateSelectionCallback = static (_, _, _, _, _) => null! },
            Credentials = Asking(Token),
        }.Validate()).ParamName);

    [Fact]
    public void Neither_the_options_nor_credentials_show_a_password()
    {
        Assert.Equal("amqp to localhost:5672, virtual host '/', user by Credentials",
            new AmqpConnectionOptions { Credentials = Asking(Token) }.ToString());
        Assert.Equal("user 'ada'", new BrokerCredentials("ada", "secret").ToString());
        Assert.Equal("user 'ada', until 2026-01-01 00:00:10Z", (Token() with { Password = "secret" }).ToString());
    }

    [Fact]
    public async Task The_broker_takes_the_next_secret_of_a_connection()
    {
        (string user, string password) = (TestChannel.Options.UserName, TestChannel.Options.Password);
        var asked = new Countdown(4);
        await using AmqpConnection connection = Watch(await AmqpConnection.ConnectAsync(TestChannel.Options with
        {
            Credentials = Asking(() =>
            {
                asked.Signal();
                return new BrokerCredentials(user, password, DateTimeOffset.UtcNow.AddMilliseconds(300));
            }),
        }).InTime());

        // The next one is asked for when the broker has answered the one before.
        await asked.Task.InTime();
        Assert.True(connection.IsOpen);
        Assert.Empty(_told);
    }

    // Timers count in whole milliseconds.
    private Task<TimeSpan> RenewalAsync() => _time.AwaitedAsync(Renewal - TimeSpan.FromMilliseconds(1), Renewal);

    private BrokerCredentials Token()
    {
        DateTimeOffset expiry = _time.GetUtcNow() + Life;
        return new BrokerCredentials("ada", ServerSecrets.Until(expiry), expiry);
    }

    private Func<CancellationToken, ValueTask<BrokerCredentials>> Asking(Func<BrokerCredentials> answer) => _ =>
    {
        Interlocked.Increment(ref _asked);
        return ValueTask.FromResult(answer());
    };

    private async Task<AmqpConnection> ConnectAsync(AmqpServer broker, Func<BrokerCredentials> answer) =>
        Watch(await broker.ConnectAsync(options => options with { Time = _time, Credentials = Asking(answer) }).InTime());

    private AmqpConnection Watch(AmqpConnection connection)
    {
        connection.CredentialsFailed += error => _told.Enqueue($"failed: {error.Message}");
        connection.Lost += error => _told.Enqueue($"lost: {error.Message}");
        return connection;
    }

    private async Task<IReadOnlyCollection<string>> ToldAsync(int count)
    {
        while (_told.Count < count)
        {
            await Task.Delay(1);
        }

        return _told;
    }
}
