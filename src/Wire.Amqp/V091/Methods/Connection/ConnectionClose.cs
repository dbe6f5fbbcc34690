namespace Wire.Amqp.V091;

/// <summary>connection.close: either side ends the connection, and sends nothing behind it.</summary>
public struct ConnectionClose : IMethod<ConnectionClose>
{
    /// <summary>Why, for programs: 200 when nothing is wrong.</summary>
    public ushort ReplyCode;

    /// <summary>Why, for people.</summary>
    public AmqpString ReplyText;

    /// <summary>The class of the method that was at fault; 0 when it was none.</summary>
    public ushort ClassId;

    /// <summary>The method that was at fault, within its class; 0 when it was none.</summary>
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
