namespace Wire.Amqp.V091;

/// <summary>tx.rollback: ends the transaction: what was published and acknowledged in it is forgotten, and another begins.</summary>
public struct TxRollback : IMethod<TxRollback>
{
    /// <inheritdoc/>
    public static MethodId Id => MethodId.TxRollback;
}

/// <summary>tx.rollback-ok: the transaction has been rolled back.</summary>
public struct TxRollbackOk : IMethod<TxRollbackOk>
{
    /// <inheritdoc/>
    public static MethodId Id => MethodId.TxRollbackOk;
}
