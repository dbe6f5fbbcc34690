using System.Collections.Concurrent;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using RabbitMQ.Client;
using Wire.Amqp.Client;
using Wire.RabbitMQ.Client;
using Wire.RabbitMQ.Connections;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Hosting;

/// <summary>The connections of a program: made when they are needed, and closed with it.</summary>
public abstract class WireConnectionsTests(WireTransport transport)
{
    [Fact]
    public async Task A_connection_is_made_when_it_is_needed_and_closed_with_the_services()
    {
        await using var proxy = new FaultProxy(Broker.Node.Uri);
        await using IConnection watching = await Broker.Node.ConnectAsync().InTime();
        await using IChannel channel = await watching.CreateChannelAsync().InTime();
        string queue = await channel.DeclareQueueAsync();
        WireConnection publishing;
        await using (var program = new Program(transport, proxy.Route(Broker.Node.Factory())))
        {
            await program.StartAsync();
            WirePublisher publisher = program.Publisher;
            Assert.Equal(0, proxy.Accepted);

            await Task.WhenAll(Enumerable.Range(0, 50).Select(i => Task.Run(() => publisher.PublishAsync("", queue, i).AsTask()))).InTime();
            Assert.Equal(1, proxy.Accepted);

            publishing = await program.Connections.GetPublishingAsync().InTime();
            Assert.True(publishing.IsOpen);
            Assert.NotSame(publishing, await program.Connections.GetConsumingAsync().InTime());
            Assert.Equal(2, proxy.Accepted);
            string? name = publishing is DirectConnection direct
                ? direct.Inner.Options.ConnectionName
                : ((ClientConnection)publishing).Inner.ClientProvidedName;
            Assert.EndsWith("(publish)", name, StringComparison.Ordinal);
            await program.StopAsync();
        }

        Assert.False(publishing.IsOpen);
        Assert.True(publishing.IsClosed);
        Assert.Equal(50u, await channel.MessageCountAsync(queue).InTime());
    }

    [Fact]
    public async Task A_broker_that_is_not_up_yet_is_waited_for()
    {
        await using var proxy = new FaultProxy(Broker.Node.Uri) { Refusing = true };
        await using var program = new Program(transport, proxy.Route(Broker.Node.Factory()));
        Task<WireConnection> connecting = program.Connections.GetConsumingAsync();
        await Assert.ThrowsAsync<TimeoutException>(() => connecting.WaitAsync(TimeSpan.FromMilliseconds(100)));

        proxy.Refusing = false;

        Assert.True((await connecting.InTime()).IsOpen);
    }

    [Fact]
    public async Task A_broker_that_does_not_come_up_is_one_clear_error_and_the_next_one_tries_again()
    {
        await using var proxy = new FaultProxy(Broker.Node.Uri) { Refusing = true };
        await using var program = new Program(
            transport, proxy.Route(Broker.Node.Factory()), configure: options => options.ConnectTimeout = TimeSpan.FromSeconds(3));

        var error = await Assert.ThrowsAsync<AmqpConnectionException>(() => program.Connections.GetPublishingAsync().InTime());
        Assert.Contains($"127.0.0.1:{proxy.Port}", error.Message, StringComparison.Ordinal);
        Assert.Contains("within 3 s", error.Message, StringComparison.Ordinal);
        await Assert.ThrowsAsync<AmqpConnectionException>(() => program.Publisher.PublishAsync("", "q", 1).AsTask().InTime());

        proxy.Refusing = false;
        Assert.True((await program.Connections.GetPublishingAsync().InTime()).IsOpen);
    }

    [Theory]
    [InlineData("wrong", "/")]
    [InlineData("guest", "elsewhere")]
    public async Task A_wrong_password_or_virtual_host_is_not_tried_again(string password, string virtualHost)
    {
        ConnectionFactory factory = Broker.Node.Factory();
        factory.Password = password;
        factory.VirtualHost = virtualHost;

        // The time to try for is beyond the patience of the test.
        await using var program = new Program(transport, factory, configure: options => options.ConnectTimeout = TimeSpan.FromDays(1));

        var error = await Assert.ThrowsAsync<AmqpConnectionException>(() => program.Connections.GetConsumingAsync().InTime());
        Assert.StartsWith($"The broker at 127.0.0.1:{factory.Port} refuses the connection: ", error.Message, StringComparison.Ordinal);
        Assert.Contains(error.Reason!.ReplyText.TrimEnd('.'), error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task One_of_several_nodes_is_enough()
    {
        await using var down = new FaultProxy(Broker.Node.Uri) { Refusing = true };
        await using var program = new Program(transport, Broker.Node.Factory(), configure: options =>
        {
            options.Endpoints.Add(new AmqpTcpEndpoint("127.0.0.1", down.Port));
            options.Endpoints.Add(new AmqpTcpEndpoint(Broker.Node.Uri));
        });

        Assert.Equal(Broker.Node.Uri.Port, (await program.Connections.GetConsumingAsync().InTime()).Endpoint!.Port);
    }

    [Fact]
    public async Task After_the_end_there_is_none()
    {
        var program = new Program(transport, Broker.Node.Factory());
        WireConnections connections = program.Connections;
        await program.DisposeAsync();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => connections.GetPublishingAsync());
        await Assert.ThrowsAsync<ObjectDisposedException>(() => connections.GetConsumingAsync());
    }
}

/// <inheritdoc/>
public sealed class WireConnectionsTestsOnClient() : WireConnectionsTests(WireTransport.Client);

/// <inheritdoc/>
public sealed class WireConnectionsTestsOnLane() : WireConnectionsTests(WireTransport.DirectLane)
{
    [Fact]
    public async Task Credentials_that_are_not_renewed_are_logged_and_the_connection_goes_on()
    {
        var lines = new ConcurrentQueue<string>();
        ConnectionFactory factory = Broker.Node.Factory();
        var provider = new FailingProvider(factory.UserName, factory.Password);
        factory.CredentialsProvider = provider;
        await using var program = new Program(
            WireTransport.DirectLane,
            factory,
            build => build.Services.AddSingleton<ILogger<WireConnections>>(new LineLogger(lines)));
        WireConnection connection = await program.Connections.GetPublishingAsync().InTime();
        await provider.AskedThrice.InTime();
        Assert.True(connection.IsOpen);
        string line = Assert.Single(lines, static line => line.StartsWith("4007 ", StringComparison.Ordinal));
        Assert.EndsWith(
            "(publish)' were not renewed: The callback Credentials of the connection's options has failed: No token. It is tried again. ",
            line,
            StringComparison.Ordinal);
    }

    private sealed class FailingProvider(string user, string password) : ICredentialsProvider
    {
        private readonly TaskCompletionSource _askedThrice = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private int _asked;

        public Task AskedThrice => _askedThrice.Task;

        public string Name => "tokens";

        public Task<Credentials> GetCredentialsAsync(CancellationToken cancellationToken = default)
        {
            _asked++;
            if (_asked == 3)
            {
                _askedThrice.TrySetResult();
            }

            return _asked == 2
                ? throw new InvalidOperationException("No token.")
                : Task.FromResult(new Credentials(Name, user, password, TimeSpan.FromSeconds(_asked == 1 ? 1 : 1000)));
        }
    }
}
