using System.Globalization;
using System.Security.Cryptography.X509Certificates;

namespace Wire.Testing;

/// <summary>A broker as <c>eng/rabbitmq.sh</c> describes it: the value of each variable that the script sets.</summary>
public sealed class BrokerNode(Func<string, string?> variable)
{
    private readonly Lazy<Version> _version = new(() => BrokerVersion.Ask(new BrokerNode(variable).Uri));

    /// <summary>
    /// Which RabbitMQ it is: a test that expects of newer ones what older ones do not have says what those do instead.
    /// </summary>
    public Version Version => _version.Value;

    public Uri Uri => new(Require("WIRE_RABBITMQ_URI"));

    public Uri TlsUri => new(Require("WIRE_RABBITMQ_TLS_URI"));

    /// <summary>Where the stream protocol is spoken.</summary>
    public Uri StreamUri => new($"rabbitmq-stream://127.0.0.1:{StreamPort}");

    public int StreamPort => Port("WIRE_RABBITMQ_STREAM_PORT");

    public int StreamTlsPort => Port("WIRE_RABBITMQ_STREAM_TLS_PORT");

    /// <summary>A certificate of a client, which stands for guest.</summary>
    public X509Certificate2 ClientCertificate =>
        X509CertificateLoader.LoadPkcs12FromFile(Require("WIRE_RABBITMQ_CLIENT_P12"), password: null);

    /// <summary>The file of the authority that signed the node's certificate, as PEM.</summary>
    public string Authority => Require("WIRE_RABBITMQ_CA");

    /// <summary>Trust in the authority that signed the node's certificate, and in no other.</summary>
    public X509ChainPolicy Trust() => new()
    {
        RevocationMode = X509RevocationMode.NoCheck,
        TrustMode = X509ChainTrustMode.CustomRootTrust,
        CustomTrustStore = { X509CertificateLoader.LoadCertificateFromFile(Authority) },
    };

    private int Port(string name) => int.Parse(Require(name), CultureInfo.InvariantCulture);

    private string Require(string name) => variable(name) is { Length: > 0 } value ? value : throw new InvalidOperationException(
        $"{name} is not set: run ./test.sh, or eval \"$(eng/rabbitmq.sh start)\" before dotnet test.");
}
