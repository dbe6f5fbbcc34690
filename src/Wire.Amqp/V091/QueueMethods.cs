using Wire.Amqp.V091.Methods;

namespace Wire.Amqp.V091;

/// <summary>queue.declare: creates a queue, or checks that it is as described.</summary>
public struct QueueDeclare : IMethod<QueueDeclare>
{
    /// <summary>Its name; empty to let the broker name it.</summary>
    public AmqpString Queue;

    /// <summary>True if it is only checked for existence, not created.</summary>
    public bool Passive;

    /// <summary>True if it survives a restart of the broker.</summary>
    public bool Durable;

    /// <summary>True if it belongs to this connection and goes with it.</summary>
    public bool Exclusive;

    /// <summary>True if it goes with its last consumer.</summary>
    public bool AutoDelete;

    /// <summary>True if the broker leaves out its reply.</summary>
    public bool NoWait;

    /// <summary>Further arguments for its type.</summary>
    public FieldTable Arguments;

    /// <inheritdoc/>
    public static MethodId Id => MethodId.QueueDeclare;

    static void IMethod<QueueDeclare>.Arguments<TArguments>(ref QueueDeclare method, ref TArguments arguments)
    {
        arguments.Ticket();
        arguments.ShortString(ref method.Queue);
        arguments.Bit(ref method.Passive);
        arguments.Bit(ref method.Durable);
        arguments.Bit(ref method.Exclusive);
        arguments.Bit(ref method.AutoDelete);
        arguments.Bit(ref method.NoWait);
        arguments.Table(ref method.Arguments);
    }
}

/// <summary>queue.declare-ok: the queue exists.</summary>
public struct QueueDeclareOk : IMethod<QueueDeclareOk>
{
    /// <summary>Its name.</summary>
    public AmqpString Queue;

    /// <summary>The number of messages that are ready in it.</summary>
    public uint MessageCount;

    /// <summary>The number of consumers that it has.</summary>
    public uint ConsumerCount;

    /// <inheritdoc/>
    public static MethodId Id => MethodId.QueueDeclareOk;

    static void IMethod<QueueDeclareOk>.Arguments<TArguments>(ref QueueDeclareOk method, ref TArguments arguments)
    {
        arguments.ShortString(ref method.Queue);
        arguments.Number(ref method.MessageCount);
        arguments.Number(ref method.ConsumerCount);
    }
}

/// <summary>queue.bind: lets an exchange route to a queue.</summary>
public struct QueueBind : IMethod<QueueBind>
{
    /// <summary>The queue; empty for the one that was declared last on this channel.</summary>
    public AmqpString Queue;

    /// <summary>The exchange.</summary>
    public AmqpString Exchange;

    /// <summary>The key by which the exchange routes.</summary>
    public AmqpString RoutingKey;

    /// <summary>True if the broker leaves out its reply.</summary>
    public bool NoWait;

    /// <summary>Further arguments for the type of the exchange.</summary>
    public FieldTable Arguments;

    /// <inheritdoc/>
    public static MethodId Id => MethodId.QueueBind;

    static void IMethod<QueueBind>.Arguments<TArguments>(ref QueueBind method, ref TArguments arguments)
    {
        arguments.Ticket();
        arguments.ShortString(ref method.Queue);
        arguments.ShortString(ref method.Exchange);
        arguments.ShortString(ref method.RoutingKey);
        arguments.Bit(ref method.NoWait);
        arguments.Table(ref method.Arguments);
    }
}

/// <summary>queue.bind-ok: the queue is bound.</summary>
public struct QueueBindOk : IMethod<QueueBindOk>
{
    /// <inheritdoc/>
    public static MethodId Id => MethodId.QueueBindOk;
}

/// <summary>queue.purge: deletes the messages of a queue that are ready.</summary>
public struct QueuePurge : IMethod<QueuePurge>
{
    /// <summary>The queue; empty for the one that was declared last on this channel.</summary>
    public AmqpString Queue;

    /// <summary>True if the broker leaves out its reply.</summary>
    public bool NoWait;

    /// <inheritdoc/>
    public static MethodId Id => MethodId.QueuePurge;

    static void IMethod<QueuePurge>.Arguments<TArguments>(ref QueuePurge method, ref TArguments arguments)
    {
        arguments.Ticket();
        arguments.ShortString(ref method.Queue);
        arguments.Bit(ref method.NoWait);
    }
}

/// <summary>queue.purge-ok: the messages have been deleted.</summary>
public struct QueuePurgeOk : IMethod<QueuePurgeOk>
{
    /// <summary>The number of messages that were deleted.</summary>
    public uint MessageCount;

    /// <inheritdoc/>
    public static MethodId Id => MethodId.QueuePurgeOk;

    static void IMethod<QueuePurgeOk>.Arguments<TArguments>(ref QueuePurgeOk method, ref TArguments arguments)
    {
        arguments.Number(ref method.MessageCount);
    }
}

/// <summary>queue.delete: deletes a queue with its messages.</summary>
public struct QueueDelete : IMethod<QueueDelete>
{
    /// <summary>The queue; empty for the one that was declared last on this channel.</summary>
    public AmqpString Queue;

    /// <summary>True if it stays when it has consumers.</summary>
    public bool IfUnused;

    /// <summary>True if it stays when it has messages.</summary>
    public bool IfEmpty;

    /// <summary>True if the broker leaves out its reply.</summary>
    public bool NoWait;

    /// <inheritdoc/>
    public static MethodId Id => MethodId.QueueDelete;

    static void IMethod<QueueDelete>.Arguments<TArguments>(ref QueueDelete method, ref TArguments arguments)
    {
        arguments.Ticket();
        arguments.ShortString(ref method.Queue);
        arguments.Bit(ref method.IfUnused);
        arguments.Bit(ref method.IfEmpty);
        arguments.Bit(ref method.NoWait);
    }
}

/// <summary>queue.delete-ok: the queue has been deleted.</summary>
public struct QueueDeleteOk : IMethod<QueueDeleteOk>
{
    /// <summary>The number of messages that were deleted.</summary>
    public uint MessageCount;

    /// <inheritdoc/>
    public static MethodId Id => MethodId.QueueDeleteOk;

    static void IMethod<QueueDeleteOk>.Arguments<TArguments>(ref QueueDeleteOk method, ref TArguments arguments)
    {
        arguments.Number(ref method.MessageCount);
    }
}

/// <summary>queue.unbind: undoes queue.bind.</summary>
public struct QueueUnbind : IMethod<QueueUnbind>
{
    /// <summary>The queue; empty for the one that was declared last on this channel.</summary>
    public AmqpString Queue;

    /// <summary>The exchange.</summary>
    public AmqpString Exchange;

    /// <summary>The key by which the exchange routes.</summary>
    public AmqpString RoutingKey;

    /// <summary>The further arguments that it was bound with.</summary>
    public FieldTable Arguments;

    /// <inheritdoc/>
    public static MethodId Id => MethodId.QueueUnbind;

    static void IMethod<QueueUnbind>.Arguments<TArguments>(ref QueueUnbind method, ref TArguments arguments)
    {
        arguments.Ticket();
        arguments.ShortString(ref method.Queue);
        arguments.ShortString(ref method.Exchange);
        arguments.ShortString(ref method.RoutingKey);
        arguments.Table(ref method.Arguments);
    }
}

/// <summary>queue.unbind-ok: the queue is no longer bound.</summary>
public struct QueueUnbindOk : IMethod<QueueUnbindOk>
{
    /// <inheritdoc/>
    public static MethodId Id => MethodId.QueueUnbindOk;
}
