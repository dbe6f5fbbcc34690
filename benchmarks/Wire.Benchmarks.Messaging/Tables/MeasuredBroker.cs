using System.Security.Cryptography.X509Certificates;
using RabbitMQ.Client;

namespace Wire.Benchmarks.Messaging.Tables;

/// <summary>A broker that is measured with, by the variables of the environment that lead to it.</summary>
internal sealed class MeasuredBroker
{
    private static readonly MeasuredBroker Given = new("WIRE_RABBITMQ_");

    private readonly string _prefix;

    private MeasuredBroker(string prefix)
    {
        _prefix = prefix;
        string folder = this["FOLDER"] ?? "";
        Use = new BrokerUse(folder);
    }

    /// <summary>That of <c>WIRE_RABBITMQ_URI</c>, and that of <c>WIRE_NEWER_RABBITMQ_URI</c> where there is one.</summary>
    public static IReadOnlyList<MeasuredBroker> All { get; } =
        new MeasuredBroker("WIRE_NEWER_RABBITMQ_") is { HasUri: true } newer ? [Given, newer] : [Given];

    /// <summary>The one that is measured with now: what rows open is at this one.</summary>
    public static MeasuredBroker Current { get; set; } = Given;

    /// <summary>What it uses of this machine.</summary>
    public BrokerUse Use { get; }

    public Uri Uri => new(this["URI"]!);

    /// <summary>The same with TLS; none where it has none.</summary>
    public Uri? Tls => this["TLS_URI"] is { } uri ? new Uri(uri) : null;

    /// <summary>Where it speaks the protocol of streams, on this machine; none where it does not.</summary>
    public int? StreamPort => int.TryParse(this["STREAM_PORT"], out int port) ? port : null;

    private bool HasUri => this["URI"] is not null;

    private string? this[string name] => Environment.GetEnvironmentVariable(_prefix + name) is { Length: > 0 } value ? value : null;

    /// <summary>Fails where no broker is given.</summary>
    public static void Require(string mode)
    {
        if (!Given.HasUri)
        {
            throw new UsageException(
                $"{mode} needs a broker: eval \"$(eng/rabbitmq.sh start)\", or WIRE_RABBITMQ_URI=amqp://...; ./bench.sh {mode} starts "
                + "one.");
        }
    }

    /// <summary>Its product and version, as it tells each client.</summary>
    public async Task<string> DescribeAsync()
    {
        await using IConnection connection = await new ConnectionFactory { Uri = Uri }.CreateConnectionAsync();
        IDictionary<string, object?> properties = connection.ServerProperties!;
        return $"{Text("product")} {Text("version")}";

        string Text(string name) => System.Text.Encoding.UTF8.GetString((byte[])properties[name]!);
    }

    /// <summary>Trusts its authority.</summary>
    public X509ChainPolicy Trust() => new()
    {
        TrustMode = X509ChainTrustMode.CustomRootTrust,
        RevocationMode = X509RevocationMode.NoCheck,
        CustomTrustStore = { X509CertificateLoader.LoadCertificateFromFile(this["CA"]!) },
    };
}
