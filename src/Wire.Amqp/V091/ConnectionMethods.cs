namespace Wire.Amqp.V091;

/// <summary>connection.start: the server introduces itself, and lists its authentication mechanisms.</summary>
public struct ConnectionStart : IMethod<ConnectionStart>
{
    /// <summary>The major version of the protocol: 0.</summary>
    public byte VersionMajor;

    /// <summary>The minor version of the protocol: 9.</summary>
    public byte VersionMinor;

    /// <summary>The server's description of itself: product, version, capabilities and so on.</summary>
    public FieldTable ServerProperties;

    /// <summary>The names of its SASL mechanisms, with spaces between them.</summary>
    public AmqpString Mechanisms;

    /// <summary>The locales of its texts, with spaces between them.</summary>
    public AmqpString Locales;

    /// <inheritdoc/>
    public static MethodId Id => MethodId.ConnectionStart;

    static void IMethod<ConnectionStart>.Arguments<TArguments>(ref ConnectionStart method, ref TArguments arguments)
    {
        arguments.Number(ref method.VersionMajor);
        arguments.Number(ref method.VersionMinor);
        arguments.Table(ref method.ServerProperties);
        arguments.LongString(ref method.Mechanisms);
        arguments.LongString(ref method.Locales);
    }
}

/// <summary>connection.start-ok: the client chooses an authentication mechanism.</summary>
public struct ConnectionStartOk : IMethod<ConnectionStartOk>
{
    /// <summary>The client's description of itself: product, version, capabilities and so on.</summary>
    public FieldTable ClientProperties;

    /// <summary>One of the SASL mechanisms that the server named.</summary>
    public AmqpString Mechanism;

    /// <summary>The first response of the mechanism: any bytes.</summary>
    public AmqpString Response;

    /// <summary>One of the locales that the server named.</summary>
    public AmqpString Locale;

    /// <inheritdoc/>
    public static MethodId Id => MethodId.ConnectionStartOk;

    static void IMethod<ConnectionStartOk>.Arguments<TArguments>(ref ConnectionStartOk method, ref TArguments arguments)
    {
        arguments.Table(ref method.ClientProperties);
        arguments.ShortString(ref method.Mechanism);
        arguments.LongString(ref method.Response);
        arguments.ShortString(ref method.Locale);
    }
}

/// <summary>connection.secure: the server asks for more, where its SASL mechanism takes several steps.</summary>
public struct ConnectionSecure : IMethod<ConnectionSecure>
{
    /// <summary>The challenge of the mechanism: any bytes.</summary>
    public AmqpString Challenge;

    /// <inheritdoc/>
    public static MethodId Id => MethodId.ConnectionSecure;

    static void IMethod<ConnectionSecure>.Arguments<TArguments>(ref ConnectionSecure method, ref TArguments arguments)
    {
        arguments.LongString(ref method.Challenge);
    }
}

/// <summary>connection.secure-ok: the client answers a challenge.</summary>
public struct ConnectionSecureOk : IMethod<ConnectionSecureOk>
{
    /// <summary>The response of the mechanism: any bytes.</summary>
    public AmqpString Response;

    /// <inheritdoc/>
    public static MethodId Id => MethodId.ConnectionSecureOk;

    static void IMethod<ConnectionSecureOk>.Arguments<TArguments>(ref ConnectionSecureOk method, ref TArguments arguments)
    {
        arguments.LongString(ref method.Response);
    }
}

/// <summary>connection.tune: the server proposes limits.</summary>
public struct ConnectionTune : IMethod<ConnectionTune>
{
    /// <summary>The highest number of a channel; 0 for no limit but that of the type.</summary>
    public ushort ChannelMax;

    /// <summary>The largest frame in bytes, its envelope included; 0 for no limit.</summary>
    public uint FrameMax;

    /// <summary>The seconds of silence after which a side may consider the other dead; 0 for no heartbeats.</summary>
    public ushort Heartbeat;

    /// <inheritdoc/>
    public static MethodId Id => MethodId.ConnectionTune;

    static void IMethod<ConnectionTune>.Arguments<TArguments>(ref ConnectionTune method, ref TArguments arguments)
    {
        arguments.Number(ref method.ChannelMax);
        arguments.Number(ref method.FrameMax);
        arguments.Number(ref method.Heartbeat);
    }
}

/// <summary>connection.tune-ok: the client sets the limits, none above the server's proposal.</summary>
public struct ConnectionTuneOk : IMethod<ConnectionTuneOk>
{
    /// <summary>The highest number of a channel; 0 for no limit but that of the type.</summary>
    public ushort ChannelMax;

    /// <summary>The largest frame in bytes, its envelope included; 0 for no limit.</summary>
    public uint FrameMax;

    /// <summary>The seconds of silence after which a side may consider the other dead; 0 for no heartbeats.</summary>
    public ushort Heartbeat;

    /// <inheritdoc/>
    public static MethodId Id => MethodId.ConnectionTuneOk;

    static void IMethod<ConnectionTuneOk>.Arguments<TArguments>(ref ConnectionTuneOk method, ref TArguments arguments)
    {
        arguments.Number(ref method.ChannelMax);
        arguments.Number(ref method.FrameMax);
        arguments.Number(ref method.Heartbeat);
    }
}

/// <summary>connection.open: the client opens a virtual host.</summary>
public struct ConnectionOpen : IMethod<ConnectionOpen>
{
    /// <summary>Its name.</summary>
    public AmqpString VirtualHost;

    /// <inheritdoc/>
    public static MethodId Id => MethodId.ConnectionOpen;

    static void IMethod<ConnectionOpen>.Arguments<TArguments>(ref ConnectionOpen method, ref TArguments arguments)
    {
        AmqpString reserved1 = default;
        bool reserved2 = false;
        arguments.ShortString(ref method.VirtualHost);
        arguments.ShortString(ref reserved1);
        arguments.Bit(ref reserved2);
    }
}

/// <summary>connection.open-ok: the connection is open.</summary>
public struct ConnectionOpenOk : IMethod<ConnectionOpenOk>
{
    /// <inheritdoc/>
    public static MethodId Id => MethodId.ConnectionOpenOk;

    static void IMethod<ConnectionOpenOk>.Arguments<TArguments>(ref ConnectionOpenOk method, ref TArguments arguments)
    {
        AmqpString reserved1 = default;
        arguments.ShortString(ref reserved1);
    }
}

/// <summary>connection.close: either side ends the connection, and sends nothing after it.</summary>
public struct ConnectionClose : IMethod<ConnectionClose>
{
    /// <summary>The reply code: 200 when nothing is wrong.</summary>
    public ushort ReplyCode;

    /// <summary>The reply text, for people.</summary>
    public AmqpString ReplyText;

    /// <summary>The class of the method that caused the error; 0 for none.</summary>
    public ushort ClassId;

    /// <summary>The method that caused the error, within its class; 0 for none.</summary>
    public ushort MethodId;

    /// <inheritdoc/>
    public static MethodId Id => V091.MethodId.ConnectionClose;

    static void IMethod<ConnectionClose>.Arguments<TArguments>(ref ConnectionClose method, ref TArguments arguments)
    {
        arguments.Number(ref method.ReplyCode);
        arguments.ShortString(ref method.ReplyText);
        arguments.Number(ref method.ClassId);
        arguments.Number(ref method.MethodId);
    }
}

/// <summary>connection.close-ok: the connection has ended.</summary>
public struct ConnectionCloseOk : IMethod<ConnectionCloseOk>
{
    /// <inheritdoc/>
    public static MethodId Id => MethodId.ConnectionCloseOk;
}

/// <summary>
/// connection.blocked: the broker is short of a resource and reads no more messages from this connection (an extension of RabbitMQ).
/// </summary>
public struct ConnectionBlocked : IMethod<ConnectionBlocked>
{
    /// <summary>Of what.</summary>
    public AmqpString Reason;

    /// <inheritdoc/>
    public static MethodId Id => MethodId.ConnectionBlocked;

    static void IMethod<ConnectionBlocked>.Arguments<TArguments>(ref ConnectionBlocked method, ref TArguments arguments)
    {
        arguments.ShortString(ref method.Reason);
    }
}

/// <summary>connection.unblocked: the broker reads messages again (an extension of RabbitMQ).</summary>
public struct ConnectionUnblocked : IMethod<ConnectionUnblocked>
{
    /// <inheritdoc/>
    public static MethodId Id => MethodId.ConnectionUnblocked;
}

/// <summary>connection.update-secret: the client replaces a secret that would expire (an extension of RabbitMQ).</summary>
public struct ConnectionUpdateSecret : IMethod<ConnectionUpdateSecret>
{
    /// <summary>The secret: any bytes.</summary>
    public AmqpString NewSecret;

    /// <summary>The reason, for the broker's log.</summary>
    public AmqpString Reason;

    /// <inheritdoc/>
    public static MethodId Id => MethodId.ConnectionUpdateSecret;

    static void IMethod<ConnectionUpdateSecret>.Arguments<TArguments>(ref ConnectionUpdateSecret method, ref TArguments arguments)
    {
        arguments.LongString(ref method.NewSecret);
        arguments.ShortString(ref method.Reason);
    }
}

/// <summary>connection.update-secret-ok: the secret has been replaced (an extension of RabbitMQ).</summary>
public struct ConnectionUpdateSecretOk : IMethod<ConnectionUpdateSecretOk>
{
    /// <inheritdoc/>
    public static MethodId Id => MethodId.ConnectionUpdateSecretOk;
}
