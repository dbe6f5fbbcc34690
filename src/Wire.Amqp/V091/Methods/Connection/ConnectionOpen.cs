namespace Wire.Amqp.V091;

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
