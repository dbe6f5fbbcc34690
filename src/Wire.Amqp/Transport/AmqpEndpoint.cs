using System.Globalization;

namespace Wire.Amqp.Transport;

/// <summary>Where a broker listens.</summary>
/// <param name="Host">A name or an address; one of IPv6 without brackets. Of a name all addresses are tried.</param>
/// <param name="Port">The port, 1 to 65,535: 5672 by default, which is the usual one without TLS.</param>
public sealed record AmqpEndpoint(string Host, int Port = AmqpEndpoint.DefaultPort)
{
    /// <summary>The usual port: 5672.</summary>
    public const int DefaultPort = 5672;

    /// <summary>The usual port with TLS: 5671.</summary>
    public const int DefaultTlsPort = 5671;

    /// <summary>Host and port, as in "localhost:5672" or "[::1]:5672".</summary>
    public override string ToString() =>
        (Host.Contains(':') ? $"[{Host}]:" : $"{Host}:") + Port.ToString(CultureInfo.InvariantCulture);
}
