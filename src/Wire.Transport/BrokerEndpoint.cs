using System.Globalization;

namespace Wire.Transport;

/// <summary>The address of a broker.</summary>
/// <param name="Host">A name or an address; one of IPv6 without brackets. All addresses of a name are tried.</param>
/// <param name="Port">The port, 1 to 65,535.</param>
public sealed record BrokerEndpoint(string Host, int Port)
{
    /// <summary>Host and port, as in "localhost:5672" or "[::1]:5672".</summary>
    public override string ToString() =>
        (Host.Contains(':') ? $"[{Host}]:" : $"{Host}:") + Port.ToString(CultureInfo.InvariantCulture);
}
