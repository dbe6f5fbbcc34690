namespace Wire.Amqp.V091;

/// <summary>tx.commit: ends the transaction: what was published and acknowledged in it counts, and another begins.</summary>
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
