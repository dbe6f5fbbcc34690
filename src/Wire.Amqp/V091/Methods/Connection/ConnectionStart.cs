namespace Wire.Amqp.V091;

/// <summary>connection.start: the server begins: what it is, and how a client can prove who it is.</summary>
public struct ConnectionStart : IMethod<ConnectionStart>
{
    /// <summary>The major version of the protocol: 0.</summary>
    public byte VersionMajor;

    /// <summary>The minor version of the protocol: 9.</summary>
    public byte VersionMinor;

    /// <summary>What the server says about itself: product, version, capabilities and so on.</summary>
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

/// <summary>connection.start-ok: the client chooses how it proves who it is.</summary>
public struct ConnectionStartOk : IMethod<ConnectionStartOk>
{
    /// <summary>What the client says about itself: product, version, capabilities and so on.</summary>
    public FieldTable ClientProperties;

    /// <summary>One of the SASL mechanisms that the server named.</summary>
    public AmqpString Mechanism;

    /// <summary>What the mechanism has to say first: any bytes.</summary>
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
