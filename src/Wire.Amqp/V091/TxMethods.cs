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

/// <summary>tx.commit: commits the transaction, and begins another.</summary>
public struct TxCommit : IMethod<TxCommit>
{
    /// <inheritdoc/>
    public static MethodId Id => MethodId.TxCommit;
}

/// <summary>tx.commit-ok: the transaction has been committed.</summary>
public struct TxCommitOk : IMethod<TxCommitOk>
{
    /// <inheritdoc/>
    public static MethodId Id => MethodId.TxCommitOk;
}

/// <summary>tx.rollback: rolls the transaction back, and begins another.</summary>
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
