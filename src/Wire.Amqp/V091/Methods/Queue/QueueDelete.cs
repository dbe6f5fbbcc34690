namespace Wire.Amqp.V091;

/// <summary>queue.delete: deletes a queue with its messages.</summary>
public struct QueueDelete : IMethod<QueueDelete>
{
    /// <summary>The queue; empty for the one that was declared last on this channel.</summary>
    public AmqpString Queue;

    /// <summary>Whether it stays when it has consumers.</summary>
    public bool IfUnused;

    /// <summary>Whether it stays when it has messages.</summary>
    public bool IfEmpty;

    /// <summary>Whether the broker leaves out its reply.</summary>
    public bool NoWait;

    /// <inheritdoc/>
    public static MethodId Id => MethodId.QueueDelete;

    static void IMethod<QueueDelete>.Arguments<TArguments>(ref QueueDelete method, ref TArguments arguments)
    {
        ushort reserved1 = 0;
        arguments.Number(ref reserved1);
        arguments.ShortString(ref method.Queue);
        arguments.Bit(ref method.IfUnused);
        arguments.Bit(ref method.IfEmpty);
        arguments.Bit(ref method.NoWait);
    }
}

/// <summary>queue.delete-ok: the queue is gone.</summary>
public struct QueueDeleteOk : IMethod<QueueDeleteOk>
{
    /// <summary>How many messages were deleted.</summary>
    public uint MessageCount;

    /// <inheritdoc/>
    public static MethodId Id => MethodId.QueueDeleteOk;

    static void IMethod<QueueDeleteOk>.Arguments<TArguments>(ref QueueDeleteOk method, ref TArguments arguments)
    {
        arguments.Number(ref method.MessageCount);
    }
}
