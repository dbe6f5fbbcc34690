namespace Wire.Amqp.V091;

/// <summary>tx.select: makes the channel transactional.</summary>
public struct TxSelect : IMethod<TxSelect>
{
    /// <inheritdoc/>
    public static MethodId Id => MethodId.TxSelect;
}

/// <summary>tx.select-ok: the channel is transactional.</summary>
public struct TxSelectOk : IMethod<TxSelectOk>
{
    /// <inheritdoc/>
    public static MethodId Id => MethodId.TxSelectOk;
}
