using Wire.Amqp.V091.Methods;

namespace Wire.Amqp.V091;

/// <summary>exchange.declare: creates an exchange, or checks that it is as described.</summary>
public struct ExchangeDeclare : IMethod<ExchangeDeclare>
{
    /// <summary>Its name.</summary>
    public AmqpString Exchange;

    /// <summary>Its type: direct, fanout, topic, headers, or one of a plugin.</summary>
    public AmqpString Type;

    /// <summary>True if it is only checked for existence, not created.</summary>
    public bool Passive;

    /// <summary>True if it survives a restart of the broker.</summary>
    public bool Durable;

    /// <summary>True if it is deleted when its last binding is removed (an extension of RabbitMQ).</summary>
    public bool AutoDelete;

    /// <summary>True if only exchanges may publish to it (an extension of RabbitMQ).</summary>
    public bool Internal;

    /// <summary>True if the broker leaves out its reply.</summary>
    public bool NoWait;

    /// <summary>Further arguments for its type.</summary>
    public FieldTable Arguments;

    /// <inheritdoc/>
    public static MethodId Id => MethodId.ExchangeDeclare;

    static void IMethod<ExchangeDeclare>.Arguments<TArguments>(ref ExchangeDeclare method, ref TArguments arguments)
    {
        arguments.Ticket();
        arguments.ShortString(ref method.Exchange);
        arguments.ShortString(ref method.Type);
        arguments.Bit(ref method.Passive);
        arguments.Bit(ref method.Durable);
        arguments.Bit(ref method.AutoDelete);
        arguments.Bit(ref method.Internal);
        arguments.Bit(ref method.NoWait);
        arguments.Table(ref method.Arguments);
    }
}

/// <summary>exchange.declare-ok: the exchange exists.</summary>
public struct ExchangeDeclareOk : IMethod<ExchangeDeclareOk>
{
    /// <inheritdoc/>
    public static MethodId Id => MethodId.ExchangeDeclareOk;
}

/// <summary>exchange.delete: deletes an exchange.</summary>
public struct ExchangeDelete : IMethod<ExchangeDelete>
{
    /// <summary>The exchange.</summary>
    public AmqpString Exchange;

    /// <summary>True if it is kept if it has bindings.</summary>
    public bool IfUnused;

    /// <summary>True if the broker leaves out its reply.</summary>
    public bool NoWait;

    /// <inheritdoc/>
    public static MethodId Id => MethodId.ExchangeDelete;

    static void IMethod<ExchangeDelete>.Arguments<TArguments>(ref ExchangeDelete method, ref TArguments arguments)
    {
        arguments.Ticket();
        arguments.ShortString(ref method.Exchange);
        arguments.Bit(ref method.IfUnused);
        arguments.Bit(ref method.NoWait);
    }
}

/// <summary>exchange.delete-ok: the exchange has been deleted.</summary>
public struct ExchangeDeleteOk : IMethod<ExchangeDeleteOk>
{
    /// <inheritdoc/>
    public static MethodId Id => MethodId.ExchangeDeleteOk;
}

/// <summary>exchange.bind: lets an exchange route to another one (an extension of RabbitMQ).</summary>
public struct ExchangeBind : IMethod<ExchangeBind>
{
    /// <summary>The exchange that messages are routed to.</summary>
    public AmqpString Destination;

    /// <summary>The exchange that they come from.</summary>
    public AmqpString Source;

    /// <summary>The key by which messages are routed.</summary>
    public AmqpString RoutingKey;

    /// <summary>True if the broker leaves out its reply.</summary>
    public bool NoWait;

    /// <summary>Further arguments for the type of the source.</summary>
    public FieldTable Arguments;

    /// <inheritdoc/>
    public static MethodId Id => MethodId.ExchangeBind;

    static void IMethod<ExchangeBind>.Arguments<TArguments>(ref ExchangeBind method, ref TArguments arguments)
    {
        arguments.Ticket();
        arguments.ShortString(ref method.Destination);
        arguments.ShortString(ref method.Source);
        arguments.ShortString(ref method.RoutingKey);
        arguments.Bit(ref method.NoWait);
        arguments.Table(ref method.Arguments);
    }
}

/// <summary>exchange.bind-ok: the exchanges are bound (an extension of RabbitMQ).</summary>
public struct ExchangeBindOk : IMethod<ExchangeBindOk>
{
    /// <inheritdoc/>
    public static MethodId Id => MethodId.ExchangeBindOk;
}

/// <summary>exchange.unbind: undoes exchange.bind (an extension of RabbitMQ).</summary>
public struct ExchangeUnbind : IMethod<ExchangeUnbind>
{
    /// <summary>The exchange that messages are routed to.</summary>
    public AmqpString Destination;

    /// <summary>The exchange that they come from.</summary>
    public AmqpString Source;

    /// <summary>The key by which messages are routed.</summary>
    public AmqpString RoutingKey;

    /// <summary>True if the broker leaves out its reply.</summary>
    public bool NoWait;

    /// <summary>Further arguments for the type of the source.</summary>
    public FieldTable Arguments;

    /// <inheritdoc/>
    public static MethodId Id => MethodId.ExchangeUnbind;

    static void IMethod<ExchangeUnbind>.Arguments<TArguments>(ref ExchangeUnbind method, ref TArguments arguments)
    {
        arguments.Ticket();
        arguments.ShortString(ref method.Destination);
        arguments.ShortString(ref method.Source);
        arguments.ShortString(ref method.RoutingKey);
        arguments.Bit(ref method.NoWait);
        arguments.Table(ref method.Arguments);
    }
}

/// <summary>
/// exchange.unbind-ok: the exchanges are no longer bound (an extension of RabbitMQ, which has given it the number 51).
/// </summary>
public struct ExchangeUnbindOk : IMethod<ExchangeUnbindOk>
{
    /// <inheritdoc/>
    public static MethodId Id => MethodId.ExchangeUnbindOk;
}
