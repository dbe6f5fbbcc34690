namespace Wire.Amqp.V091;

/// <summary>connection.blocked: the broker has run short of something and reads no more messages from this connection (an extension of RabbitMQ).</summary>
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
