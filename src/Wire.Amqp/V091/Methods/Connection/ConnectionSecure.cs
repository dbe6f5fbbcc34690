namespace Wire.Amqp.V091;

/// <summary>connection.secure: the server asks for more, where its SASL mechanism takes several steps.</summary>
public struct ConnectionSecure : IMethod<ConnectionSecure>
{
    /// <summary>What the mechanism asks: any bytes.</summary>
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
    /// <summary>What the mechanism answers: any bytes.</summary>
    public AmqpString Response;

    /// <inheritdoc/>
    public static MethodId Id => MethodId.ConnectionSecureOk;

    static void IMethod<ConnectionSecureOk>.Arguments<TArguments>(ref ConnectionSecureOk method, ref TArguments arguments)
    {
        arguments.LongString(ref method.Response);
    }
}
