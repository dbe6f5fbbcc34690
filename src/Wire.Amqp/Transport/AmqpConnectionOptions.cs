using System.Net.Security;

namespace Wire.Amqp.Transport;

/// <summary>Where a connection goes and how it behaves. Immutable: change a copy with <c>with</c>.</summary>
/// <remarks>What is out of range is refused when a connection is opened with it. Passwords are not part of <see cref="ToString"/>.</remarks>
public sealed partial record AmqpConnectionOptions
{
    /// <summary>Where the brokers of one cluster listen, tried in turn: localhost on port 5672 by default. At least one.</summary>
    public IReadOnlyList<AmqpEndpoint> Endpoints { get; init; } = [new AmqpEndpoint("localhost")];

    /// <summary>The virtual host: "/" by default. At most 255 bytes of UTF-8.</summary>
    public string VirtualHost { get; init; } = "/";

    /// <summary>The user's name for <see cref="AmqpAuthentication.Plain"/>: guest by default, which RabbitMQ lets in from its own machine only.</summary>
    public string UserName { get; init; } = "guest";

    /// <summary>The user's password for <see cref="AmqpAuthentication.Plain"/>: guest by default.</summary>
    public string Password { get; init; } = "guest";

    /// <summary>How the client proves who it is: with name and password by default.</summary>
    public AmqpAuthentication Authentication { get; init; }

    /// <summary>
    /// How TLS is spoken; null, the default, for none. Where no target host is given, the endpoint's is taken, whose name the broker's
    /// certificate then has to be for. Not changed by the connection; do not change it either.
    /// </summary>
    public SslClientAuthenticationOptions? Tls { get; init; }

    /// <summary>
    /// The interval of heartbeats: 60 s by default, zero to ask for none, up to 65,535 s in whole seconds. The smaller of this and what the broker
    /// proposes is taken, where zero counts as no wish: there are none when neither wants any. Each side sends something at least every half
    /// of it, and is given up when nothing came from it for twice as long.
    /// </summary>
    public TimeSpan RequestedHeartbeat { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>The largest frame in bytes, its envelope included: 131,072 by default, 4,096 to 16,777,216. The broker may ask for less.</summary>
    public int RequestedFrameMax { get; init; } = 131_072;

    /// <summary>How many channels may be open at a time: 2,047 by default, 1 to 65,535. The broker may ask for less.</summary>
    public int RequestedChannelMax { get; init; } = 2047;

    /// <summary>How long one attempt may take, from looking up the name to the open virtual host: 30 s by default, 1 ms to 1 day.</summary>
    public TimeSpan ConnectTimeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>What the broker shows the connection as, beside its address; null, the default, for nothing.</summary>
    public string? ConnectionName { get; init; }

    /// <summary>
    /// What else the client says about itself; none by default. A value is of a type that a field of a table can have. A key that the library
    /// sets (product, version, platform, capabilities, connection_name) is replaced by the one given here.
    /// </summary>
    public IReadOnlyDictionary<string, object?> ClientProperties { get; init; } = new Dictionary<string, object?>();

    /// <summary>Who writes to the socket where a publish does not say: a background writer by default.</summary>
    public FrameWriting Writing { get; init; }

    /// <summary>
    /// How many bytes may wait to be sent on a channel before further publishes wait: 1,048,576 by default, 65,536 and more. The message that reaches it is
    /// let through, however large it is.
    /// </summary>
    public long MaxUnsentBytes { get; init; } = 1 << 20;

    /// <summary>
    /// From how many bytes of body on an object is not gathered before it is sent, but measured and then sent in pieces as it is serialized:
    /// 1,048,576 by default, 4,096 and more.
    /// </summary>
    public long StreamAbove { get; init; } = 1 << 20;

    /// <summary>How large the body of a delivery may be in bytes: 134,217,728 by default, the largest that RabbitMQ takes as it is set up. At least 0.</summary>
    public long MaxBodySize { get; init; } = 1 << 27;

    /// <summary>What serializes objects: a serializer with its default options by default.</summary>
    public AmqpBody Body { get; init; } = DefaultBody.Instance;

    /// <summary>What happens when the connection is lost: it is made again by default.</summary>
    public AmqpRecovery Recovery { get; init; } = AmqpRecovery.Default;

    /// <summary>Reads a URI, as in <c>amqps://user:password@host:5671/virtual%20host?heartbeat=20</c>, by RabbitMQ's specification of them.</summary>
    /// <remarks>
    /// What is absent is as it is by default; a slash alone, as in <c>amqp://host/</c>, is no virtual host, as in RabbitMQ.Client and unlike in the specification:
    /// for the one with the empty name, set <see cref="VirtualHost"/>. Parameters are heartbeat (seconds), connection_timeout (milliseconds), channel_max, frame_max (bytes), auth_mechanism (plain
    /// or external), and with amqps cacertfile, certfile and keyfile (PEM files, read at once), verify (verify_peer, unless it says
    /// verify_none, with which anyone may be the broker) and server_name_indication.
    /// </remarks>
    /// <exception cref="FormatException">It is no such URI, names a parameter that there is not, or a file that cannot be read: the message says what it may be.</exception>
    public static AmqpConnectionOptions Parse(string uri)
    {
        ArgumentNullException.ThrowIfNull(uri);
        return AmqpUri.Parse(uri);
    }

    /// <inheritdoc cref="Parse(string)"/>
    public static AmqpConnectionOptions Parse(Uri uri)
    {
        ArgumentNullException.ThrowIfNull(uri);
        return AmqpUri.Parse(uri.OriginalString);
    }

    /// <summary>Where the connection goes, and as whom; never the password.</summary>
    public override string ToString() =>
        $"{(Tls is null ? "amqp" : "amqps")} to {string.Join(", ", Endpoints)}, virtual host '{VirtualHost}', {(Authentication == AmqpAuthentication.Plain ? $"user '{UserName}'" : "user of the client's certificate")}";

    // Made when it is needed: parsing a URI does not need a serializer.
    private static class DefaultBody
    {
        public static AmqpBody Instance { get; } = new(new Serializer());
    }
}
