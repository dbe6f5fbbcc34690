namespace Wire.Amqp.V091;

/// <summary>connection.update-secret: the client replaces a secret that would expire (an extension of RabbitMQ).</summary>
public struct ConnectionUpdateSecret : IMethod<ConnectionUpdateSecret>
{
    /// <summary>The secret: any bytes.</summary>
    public AmqpString NewSecret;

    /// <summary>Why, for the log of the broker.</summary>
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
