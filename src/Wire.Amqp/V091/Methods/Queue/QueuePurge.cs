namespace Wire.Amqp.V091;

/// <summary>queue.purge: deletes the messages of a queue that are ready.</summary>
public struct QueuePurge : IMethod<QueuePurge>
{
    /// <summary>The queue; empty for the one that was declared last on this channel.</summary>
    public AmqpString Queue;

    /// <summary>Whether the broker leaves out its reply.</summary>
    public bool NoWait;

    /// <inheritdoc/>
    public static MethodId Id => MethodId.QueuePurge;

    static void IMethod<QueuePurge>.Arguments<TArguments>(ref QueuePurge method, ref TArguments arguments)
    {
        ushort reserved1 = 0;
        arguments.Number(ref reserved1);
        arguments.ShortString(ref method.Queue);
        arguments.Bit(ref method.NoWait);
    }
}

/// <summary>queue.purge-ok: the messages are gone.</summary>
public struct QueuePurgeOk : IMethod<QueuePurgeOk>
{
    /// <summary>How many messages were deleted.</summary>
    public uint MessageCount;

    /// <inheritdoc/>
    public static MethodId Id => MethodId.QueuePurgeOk;

    static void IMethod<QueuePurgeOk>.Arguments<TArguments>(ref QueuePurgeOk method, ref TArguments arguments)
    {
        arguments.Number(ref method.MessageCount);
    }
}
