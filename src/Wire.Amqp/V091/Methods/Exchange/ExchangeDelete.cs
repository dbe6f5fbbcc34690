namespace Wire.Amqp.V091;

/// <summary>exchange.delete: deletes an exchange.</summary>
public struct ExchangeDelete : IMethod<ExchangeDelete>
{
    /// <summary>The exchange.</summary>
    public AmqpString Exchange;

    /// <summary>Whether it stays when something is bound to it.</summary>
    public bool IfUnused;

    /// <summary>Whether the broker leaves out its reply.</summary>
    public bool NoWait;

    /// <inheritdoc/>
    public static MethodId Id => MethodId.ExchangeDelete;

    static void IMethod<ExchangeDelete>.Arguments<TArguments>(ref ExchangeDelete method, ref TArguments arguments)
    {
        ushort reserved1 = 0;
        arguments.Number(ref reserved1);
        arguments.ShortString(ref method.Exchange);
        arguments.Bit(ref method.IfUnused);
        arguments.Bit(ref method.NoWait);
    }
}

/// <summary>exchange.delete-ok: the exchange is gone.</summary>
public struct ExchangeDeleteOk : IMethod<ExchangeDeleteOk>
{
    /// <inheritdoc/>
    public static MethodId Id => MethodId.ExchangeDeleteOk;
}
