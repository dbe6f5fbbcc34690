using System.Net.Security;
using System.Text;

namespace Wire.Transport.Addresses;

/// <summary>The options that all clients have: the endpoints, the user, and recovery.</summary>
internal sealed partial record BrokerOptions
{
    /// <summary>The smallest limit of frames that the protocols know.</summary>
    public const int LeastFrameMax = 4096;

    private const int MaxPort = 65_535;
    private const int MaxShortText = 255;

    private static readonly UTF8Encoding Strict = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    /// <summary>The addresses of the brokers of one cluster, tried in turn. At least one.</summary>
    public required IReadOnlyList<BrokerEndpoint> Endpoints { get; init; }

    /// <summary>Gets the order in which they are tried: random by default, a new order for each attempt over all of them.</summary>
    public EndpointOrder EndpointOrder { get; init; }

    /// <summary>The usual port of the protocol with TLS, for advice.</summary>
    public required int UsualTlsPort { get; init; }

    /// <summary>The virtual host: "/" by default. At most 255 bytes of UTF-8.</summary>
    public string VirtualHost { get; init; } = "/";

    /// <summary>
    /// The user's name for <see cref="SaslMechanism.Plain"/>: guest by default, which RabbitMQ accepts only from its own machine.
    /// </summary>
    public string UserName { get; init; } = "guest";

    /// <summary>The user's password for <see cref="SaslMechanism.Plain"/>: guest by default.</summary>
    public string Password { get; init; } = "guest";

    /// <summary>Gets the way in which the client proves its identity: with name and password by default.</summary>
    public SaslMechanism Authentication { get; init; }

    /// <summary>
    /// Gets the options of TLS; null, the default, for none. Without a target host the endpoint's host is used, and the broker's
    /// certificate has to be for that name. The connection does not change the object; do not change it either.
    /// </summary>
    public SslClientAuthenticationOptions? Tls { get; init; }

    /// <summary>
    /// The interval of heartbeats: 60 s by default, zero to ask for none, up to 65,535 s in whole seconds. The smaller of this and what the
    /// broker proposes is used; zero means no wish, and there are no heartbeats if neither side wants any. Each side sends something at
    /// least every half interval, and is considered lost when nothing has come from it for two intervals.
    /// </summary>
    public TimeSpan RequestedHeartbeat { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>
    /// The largest frame in bytes, its envelope included: 131,072 by default, 4,096 to 16,777,216, for
    /// RabbitMQ 4.1 and later at least 8,192. The broker may ask for less.
    /// </summary>
    public int RequestedFrameMax { get; init; } = 131_072;

    /// <summary>
    /// The most channels that may be open on a connection, where the protocol has any: 2,047 by default, 1 to 65,535. The broker may ask
    /// for less.
    /// </summary>
    public int RequestedChannelMax { get; init; } = 2047;

    /// <summary>
    /// Gets the time that one attempt may take, from looking up the name to the open virtual host: 30 s by default, 1 ms to 1 day.
    /// </summary>
    public TimeSpan ConnectTimeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>Gets the options for recovering a lost connection: on by default.</summary>
    public RecoveryOptions Recovery { get; init; } = RecoveryOptions.Default;

    /// <summary>Names the endpoints and the user; never the password.</summary>
    public override string ToString() =>
        (ResolveEndpoints is null ? string.Join(", ", Endpoints) : $"endpoints by {nameof(ResolveEndpoints)}")
        + $", virtual host '{VirtualHost}', "
        + (Authentication == SaslMechanism.External ? "user of the client's certificate"
            : Credentials is null ? $"user '{UserName}'"
            : $"user by {nameof(Credentials)}");

    /// <summary>The endpoints in the order of one attempt over all of them.</summary>
    public BrokerEndpoint[] EndpointsInTurn()
    {
        BrokerEndpoint[] endpoints = [.. Endpoints];
        if (EndpointOrder == EndpointOrder.Shuffled)
        {
            Random.Shared.Shuffle(endpoints);
        }

        return endpoints;
    }

    /// <summary>Refuses options that are out of range.</summary>
    /// <exception cref="ArgumentException">An option is out of range: the message names it and its range.</exception>
    public void Validate()
    {
        Require(Endpoints is { Count: > 0 }, nameof(Endpoints), Endpoints?.Count, "names at least one endpoint");
        foreach (BrokerEndpoint endpoint in Endpoints!)
        {
            Require(!string.IsNullOrWhiteSpace(endpoint?.Host), nameof(Endpoints), endpoint, "name a host each");
            Require(endpoint!.Port is > 0 and <= MaxPort, nameof(Endpoints), endpoint, "have ports of 1 to 65,535");
        }

        Require(Enum.IsDefined(EndpointOrder), nameof(EndpointOrder), EndpointOrder, "is Shuffled or AsGiven");
        Require(
            VirtualHost is not null && Fits(VirtualHost, MaxShortText),
            nameof(VirtualHost),
            VirtualHost,
            "is a name of at most 255 bytes of UTF-8, and may be empty");
        Require(
            UserName is not null && !UserName.Contains('\0'),
            nameof(UserName),
            UserName,
            "is not null and has no NUL character, which PLAIN uses as a separator");
        Require(
            Password is not null && !Password.Contains('\0'),
            nameof(Password),
            "(not shown)",
            "is not null and has no NUL character, which PLAIN uses as a separator");
        Require(Enum.IsDefined(Authentication), nameof(Authentication), Authentication, "is Plain or External");
        Require(
            Authentication != SaslMechanism.External
                || Tls is { ClientCertificates.Count: > 0 } or { ClientCertificateContext: not null }
                    or { LocalCertificateSelectionCallback: not null },
            nameof(Tls),
            Tls is null ? null : "no client certificate",
            "has a client certificate where the authentication is External: the certificate is the client's proof of identity");
        Require(
            Credentials is null || Authentication == SaslMechanism.Plain,
            nameof(Credentials),
            "set",
            "is null where the authentication is External: the certificate is the client's proof of identity");
        Require(
            RequestedHeartbeat >= TimeSpan.Zero && RequestedHeartbeat <= TimeSpan.FromSeconds(ushort.MaxValue)
                && RequestedHeartbeat.Ticks % TimeSpan.TicksPerSecond == 0,
            nameof(RequestedHeartbeat),
            RequestedHeartbeat,
            "is 0 to 65,535 whole seconds");
        Require(
            RequestedFrameMax is >= LeastFrameMax and <= 1 << 24, nameof(
                RequestedFrameMax), RequestedFrameMax, "is 4,096 to 16,777,216 bytes");
        Require(RequestedChannelMax is > 0 and <= ushort.MaxValue, nameof(RequestedChannelMax), RequestedChannelMax, "is 1 to 65,535");
        Require(
            ConnectTimeout >= TimeSpan.FromMilliseconds(1)
                && ConnectTimeout <= TimeSpan.FromDays(1), nameof(ConnectTimeout), ConnectTimeout, "is 1 ms to 1 day");
        Require(
            Recovery is not null, nameof(
                Recovery), Recovery, $"is not null: {nameof(RecoveryOptions)}.{nameof(RecoveryOptions.Off)} stands for none");
        Recovery!.Validate();
    }

    /// <summary>Refuses an option that breaks a rule.</summary>
    /// <exception cref="ArgumentException">The option breaks it: the message has its name, its value and the rule.</exception>
    public static void Require(bool holds, string option, object? value, string rule)
    {
        if (!holds)
        {
            throw new ArgumentException($"The option {option} {rule}; it is {value ?? "null"}.", option);
        }
    }

    /// <summary>Returns whether a text has at most a number of bytes in UTF-8; false for a text with an unpaired surrogate.</summary>
    public static bool Fits(string text, int most)
    {
        try
        {
            return Strict.GetByteCount(text) <= most;
        }
        catch (EncoderFallbackException)
        {
            return false;
        }
    }
}
