using System.Globalization;
using System.Net.Security;
using System.Security.Cryptography.X509Certificates;
using RabbitMQ.Client;

namespace Wire.RabbitMQ.Tests.Testing;

/// <summary>A broker as <c>eng/rabbitmq.sh</c> describes it: the value of each variable that the script sets.</summary>
internal sealed class BrokerNode(Func<string, string?> variable)
{
    public Uri Uri => new(Require("WIRE_RABBITMQ_URI"));

    public Uri TlsUri => new(Require("WIRE_RABBITMQ_TLS_URI"));

    public int StreamPort => int.Parse(Require("WIRE_RABBITMQ_STREAM_PORT"), CultureInfo.InvariantCulture);

    /// <summary>Makes connections that come back soon after they are lost.</summary>
    public ConnectionFactory Factory() => Factory(Uri);

    /// <summary>The same with TLS: the node's certificate has to be one that its own authority signed for the name.</summary>
    public ConnectionFactory TlsFactory()
    {
        ConnectionFactory factory = Factory(TlsUri);
        X509Certificate2 authority = X509CertificateLoader.LoadCertificateFromFile(Require("WIRE_RABBITMQ_CA"));
        factory.Ssl.CertificateValidationCallback = (_, certificate, _, errors) =>
        {
            using var chain = new X509Chain();
            chain.ChainPolicy.RevocationMode = X509RevocationMode.NoCheck;
            chain.ChainPolicy.TrustMode = X509ChainTrustMode.CustomRootTrust;
            chain.ChainPolicy.CustomTrustStore.Add(authority);
            return (errors & ~SslPolicyErrors.RemoteCertificateChainErrors) == 0 && chain.Build((X509Certificate2)certificate!);
        };
        return factory;
    }

    /// <summary>The same with a certificate of the client, which says who it is instead of a name and password.</summary>
    public ConnectionFactory ClientCertificateFactory()
    {
        ConnectionFactory factory = TlsFactory();
        factory.UserName = factory.Password = "of no use";
        factory.AuthMechanisms = [new ExternalMechanismFactory()];
        factory.Ssl.Certs = [X509CertificateLoader.LoadPkcs12FromFile(Require("WIRE_RABBITMQ_CLIENT_P12"), password: null)];
        return factory;
    }

    private static ConnectionFactory Factory(Uri uri) =>
        new ConnectionFactory { Uri = uri, NetworkRecoveryInterval = TimeSpan.FromMilliseconds(200) }.NoticeLostConnections();

    private string Require(string name) => variable(name) is { Length: > 0 } value ? value : throw new InvalidOperationException(
        $"{name} is not set: run ./test.sh, or eval \"$(eng/rabbitmq.sh start)\" before dotnet test.");
}
