using System.Net;
using System.Net.Security;
using System.Runtime.CompilerServices;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using RabbitMQ.Client;
using Wire.RabbitMQ.Client;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Testing;

/// <summary>How RabbitMQ.Client connects to a node, and what is short to say with it.</summary>
internal static class Clients
{
    /// <summary>Makes connections that come back soon after they are lost.</summary>
    public static ConnectionFactory Factory(this BrokerNode node) => Factory(node.Uri);

    /// <summary>The same with TLS: the node's certificate has to be one that its own authority signed for the name.</summary>
    public static ConnectionFactory TlsFactory(this BrokerNode node)
    {
        ConnectionFactory factory = Factory(node.TlsUri);
        X509ChainPolicy trust = node.Trust();
        factory.Ssl.CertificateValidationCallback = (_, certificate, _, errors) =>
        {
            using var chain = new X509Chain { ChainPolicy = trust.Clone() };
            return (errors & ~SslPolicyErrors.RemoteCertificateChainErrors) == 0 && chain.Build((X509Certificate2)certificate!);
        };
        return factory;
    }

    /// <summary>The same with a certificate of the client, which says who it is instead of a name and password.</summary>
    public static ConnectionFactory ClientCertificateFactory(this BrokerNode node)
    {
        ConnectionFactory factory = node.TlsFactory();
        factory.UserName = factory.Password = "of no use";
        factory.AuthMechanisms = [new ExternalMechanismFactory()];
        factory.Ssl.Certs = [node.ClientCertificate];
        return factory;
    }

    public static Task<IConnection> ConnectAsync(this BrokerNode node) => node.Factory().CreateConnectionAsync();

    /// <summary>The same factory, which connects through the proxy now.</summary>
    public static ConnectionFactory Route(this FaultProxy proxy, ConnectionFactory factory)
    {
        factory.HostName = IPAddress.Loopback.ToString();
        factory.Port = proxy.Port;
        return factory;
    }

    /// <summary>
    /// A queue that is gone with the connection. Not for one that is cut and recovers: the broker may not have noticed yet,
    /// and refuses the queue to the new connection. Such a test declares a durable queue, and deletes it at its end.
    /// </summary>
    public static async Task<string> DeclareQueueAsync(this IChannel channel, [CallerMemberName] string test = "")
    {
        string queue = Broker.UniqueName(test);
        await channel.QueueDeclareAsync(queue, durable: false, exclusive: true, autoDelete: false);
        return queue;
    }

    /// <summary>What a header says that a message has in an error queue.</summary>
    public static string ErrorHeader(this BasicGetResult result, string name) =>
        Encoding.UTF8.GetString((byte[])result.BasicProperties.Headers!["x-wire-error-" + name]!);

    private static ConnectionFactory Factory(Uri uri) =>
        Watched(new ConnectionFactory { Uri = uri, NetworkRecoveryInterval = TimeSpan.FromMilliseconds(200) });

    // As ConnectWireAsync does: these tests make connections themselves, to harm them.
    private static ConnectionFactory Watched(ConnectionFactory factory)
    {
        WatchedTcpClient.WatchConnectionsOf(factory);
        return factory;
    }
}
