using System.Text;

namespace Wire.Amqp.Transport;

public sealed partial record AmqpConnectionOptions
{
    private const int MaxPort = 65_535;

    /// <summary>Refuses what is out of range.</summary>
    /// <exception cref="ArgumentException">An option is out of range: the message names it, and says what it may be.</exception>
    internal AmqpConnectionOptions Validate()
    {
        Require(Endpoints is { Count: > 0 }, nameof(Endpoints), Endpoints?.Count, "names at least one endpoint");
        foreach (AmqpEndpoint endpoint in Endpoints!)
        {
            Require(!string.IsNullOrWhiteSpace(endpoint?.Host), nameof(Endpoints), endpoint, "name a host each");
            Require(endpoint!.Port is > 0 and <= MaxPort, nameof(Endpoints), endpoint, "have ports of 1 to 65,535");
        }

        Require(VirtualHost is not null && Fits(VirtualHost), nameof(VirtualHost), VirtualHost, "is a name of at most 255 bytes of UTF-8, and may be empty");
        Require(UserName is not null && !UserName.Contains('\0'), nameof(UserName), UserName, "is not null and has no character of code 0, with which PLAIN separates it from the password");
        Require(Password is not null && !Password.Contains('\0'), nameof(Password), "(not shown)", "is not null and has no character of code 0, with which PLAIN separates it from the name");
        Require(Enum.IsDefined(Authentication), nameof(Authentication), Authentication, "is Plain or External");
        Require(
            Authentication != AmqpAuthentication.External || Tls is { } tls && (tls.ClientCertificates is { Count: > 0 } || tls.ClientCertificateContext is not null || tls.LocalCertificateSelectionCallback is not null),
            nameof(Tls),
            Tls is null ? null : "no client certificate",
            "has a client certificate where the authentication is External: that is what the client proves who it is with");
        Require(
            RequestedHeartbeat >= TimeSpan.Zero && RequestedHeartbeat <= TimeSpan.FromSeconds(ushort.MaxValue) && RequestedHeartbeat.Ticks % TimeSpan.TicksPerSecond == 0,
            nameof(RequestedHeartbeat),
            RequestedHeartbeat,
            "is 0 to 65,535 whole seconds");
        Require(RequestedFrameMax is >= Handshake.LeastFrameMax and <= 1 << 24, nameof(RequestedFrameMax), RequestedFrameMax, "is 4,096 to 16,777,216 bytes");
        Require(RequestedChannelMax is > 0 and <= ushort.MaxValue, nameof(RequestedChannelMax), RequestedChannelMax, "is 1 to 65,535");
        Require(ConnectTimeout >= TimeSpan.FromMilliseconds(1) && ConnectTimeout <= TimeSpan.FromDays(1), nameof(ConnectTimeout), ConnectTimeout, "is 1 ms to 1 day");
        Require(ClientProperties is not null, nameof(ClientProperties), ClientProperties, "is a dictionary, which may be empty");
        Require(Enum.IsDefined(Writing), nameof(Writing), Writing, "is Background or Inline");
        Require(MaxUnsentBytes >= 1 << 16, nameof(MaxUnsentBytes), MaxUnsentBytes, "is 65,536 bytes or more");
        Require(StreamAbove >= Handshake.LeastFrameMax, nameof(StreamAbove), StreamAbove, "is 4,096 bytes or more");
        Require(MaxBodySize >= 0, nameof(MaxBodySize), MaxBodySize, "is 0 bytes or more");
        Require(Body is not null, nameof(Body), Body, "serializes objects and is not null");
        Require(Recovery is not null, nameof(Recovery), Recovery, $"is not null: {nameof(AmqpRecovery)}.{nameof(AmqpRecovery.Off)} stands for none");
        Recovery!.Validate();
        return this;
    }

    private static void Require(bool holds, string option, object? value, string rule)
    {
        if (!holds)
        {
            throw new ArgumentException($"The option {option} {rule}; it is {value ?? "null"}.", option);
        }
    }

    private static bool Fits(string text) => Encoding.UTF8.GetByteCount(text) <= V091.Domains.MaxShortString;
}
