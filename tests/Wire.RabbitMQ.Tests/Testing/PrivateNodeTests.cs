using System.Security.Authentication;
using System.Text;
using RabbitMQ.Client;
using RabbitMQ.Client.Exceptions;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Testing;

/// <summary>What tests rely on that stop the node or connect with TLS.</summary>
[Collection(nameof(PrivateNode))]
public sealed class PrivateNodeTests(PrivateNode node)
{
    private static readonly CreateChannelOptions Confirmed =
        new(publisherConfirmationsEnabled: true, publisherConfirmationTrackingEnabled: true);

    private readonly bool _isKhepri = Broker.Node.Version >= new Version(4, 2);

    [Fact]
    public async Task It_is_not_the_shared_node_and_comes_back_with_what_is_durable_on_the_same_ports()
    {
        Assert.NotEqual(Broker.Node.Uri.Port, node.Node.Uri.Port);
        (Uri, Uri, int) before = (node.Node.Uri, node.Node.TlsUri, node.Node.StreamPort);

        string queue = Broker.UniqueName();
        await using IConnection connection = await node.Node.Factory().CreateConnectionAsync().InTime();
        await using IChannel channel = await connection.CreateChannelAsync(Confirmed).InTime();
        var recovered = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        connection.RecoverySucceededAsync += (_, _) =>
        {
            recovered.TrySetResult();
            return Task.CompletedTask;
        };
        await channel.QueueDeclareAsync(queue, durable: true, exclusive: false, autoDelete: false).InTime();
        await channel.BasicPublishAsync(
            "", queue, mandatory: true, new BasicProperties { Persistent = true }, Encoding.UTF8.GetBytes("kept")).AsTask().InTime();
        await channel.BasicPublishAsync("", queue, mandatory: true, new BasicProperties(), Encoding.UTF8.GetBytes("lost")).AsTask()
            .InTime();

        await node.StopAsync();
        try
        {
            await Assert.ThrowsAsync<BrokerUnreachableException>(() => node.Node.Factory().CreateConnectionAsync().InTime());
        }
        finally
        {
            await node.StartAsync();
        }

        Assert.Equal(before, (node.Node.Uri, node.Node.TlsUri, node.Node.StreamPort));
        await recovered.Task.InTime();
        BasicGetResult? kept = await channel.BasicGetAsync(queue, autoAck: true).InTime();
        Assert.Equal("kept", Encoding.UTF8.GetString(kept!.Body.Span));
        Assert.Equal(0u, kept.MessageCount);
        Assert.Equal(0u, await channel.QueueDeleteAsync(queue).InTime());
    }

    /// <summary>
    /// What the broker does, whatever client it is: it answers a declaration before its decision on it is written, and at its next start
    /// forgets what it finds undecided. A message that it has confirmed meanwhile is deleted with the queue. That is Mnesia; what RabbitMQ
    /// 4.2 keeps declarations in, Khepri, forgets none.
    /// </summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_queue_outlives_a_kill_with_what_was_confirmed_when_its_declaration_is_on_the_disk(bool isOnDisk)
    {
        string queue = Broker.UniqueName();
        ConnectionFactory factory = node.Node.Factory();
        factory.AutomaticRecoveryEnabled = false;
        await using (IConnection connection = await factory.CreateConnectionAsync().InTime())
        await using (IChannel channel = await connection.CreateChannelAsync().InTime())
        {
            await channel.QueueDeclareAsync(queue, durable: true, exclusive: false, autoDelete: false).InTime();
        }

        if (isOnDisk)
        {
            await node.StopAsync();
            await node.StartAsync();
        }

        await using (IConnection connection = await factory.CreateConnectionAsync().InTime())
        await using (IChannel channel = await connection.CreateChannelAsync(Confirmed).InTime())
        {
            var persistent = new BasicProperties { Persistent = true };
            await channel.BasicPublishAsync("", queue, mandatory: true, persistent, "kept"u8.ToArray()).AsTask().InTime();
            await (_isKhepri ? node.KillAsync() : node.KillBeforeDecisionAsync(queue));
        }

        await node.StartAsync();
        await using IConnection after = await factory.CreateConnectionAsync().InTime();
        await using IChannel again = await after.CreateChannelAsync().InTime();
        if (isOnDisk || _isKhepri)
        {
            Assert.Equal(1u, await again.QueueDeleteAsync(queue).InTime());
        }
        else
        {
            OperationInterruptedException gone =
                await Assert.ThrowsAsync<OperationInterruptedException>(() => again.QueueDeclarePassiveAsync(queue).InTime());
            Assert.Equal(404, gone.ShutdownReason!.ReplyCode);
        }
    }

    [Fact]
    public async Task Its_certificate_is_one_that_its_authority_signed_for_its_name()
    {
        await using (IConnection connection = await node.Node.TlsFactory().CreateConnectionAsync().InTime())
        {
            Assert.True(connection.IsOpen);
            Assert.True(connection.Endpoint.Ssl.Enabled);
        }

        ConnectionFactory otherName = node.Node.TlsFactory();
        otherName.Ssl.ServerName = "elsewhere";
        await AssertNotTrustedAsync(otherName);

        ConnectionFactory noAuthority = node.Node.TlsFactory();
        noAuthority.Ssl.CertificateValidationCallback = null;
        await AssertNotTrustedAsync(noAuthority);
    }

    [Fact]
    public async Task A_certificate_of_the_client_says_who_it_is()
    {
        await using (IConnection connection = await node.Node.ClientCertificateFactory().CreateConnectionAsync().InTime())
        await using (IChannel channel = await connection.CreateChannelAsync().InTime())
        {
            string queue = await channel.DeclareQueueAsync();

            // The broker closes the channel when the user who is logged in is not the one that the message names.
            await channel.BasicPublishAsync("", queue, mandatory: true, new BasicProperties { UserId = "guest" }, Array.Empty<byte>())
                .AsTask().InTime();
            BasicGetResult? result = await channel.BasicGetAsync(queue, autoAck: true).InTime();
            Assert.Equal("guest", result!.BasicProperties.UserId);
        }

        ConnectionFactory noCertificate = node.Node.ClientCertificateFactory();
        noCertificate.Ssl.Certs = null;
        await Assert.ThrowsAsync<BrokerUnreachableException>(() => noCertificate.CreateConnectionAsync().InTime());
    }

    private static async Task AssertNotTrustedAsync(ConnectionFactory factory)
    {
        BrokerUnreachableException refused =
            await Assert.ThrowsAsync<BrokerUnreachableException>(() => factory.CreateConnectionAsync().InTime());
        Assert.Contains(nameof(AuthenticationException), refused.ToString(), StringComparison.Ordinal);
    }
}
