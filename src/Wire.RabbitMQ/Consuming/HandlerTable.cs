using Wire.RabbitMQ.Types;

namespace Wire.RabbitMQ.Consuming;

/// <summary>Handles a message, whatever it was registered as.</summary>
internal delegate Task MessageHandler(object message, MessageContext context);

/// <summary>Finds the handler of an object by its type.</summary>
internal sealed class HandlerTable
{
    private readonly TypeTable<MessageHandler> _handlers = new();

    /// <summary>Gets the count.</summary>
    public int Count => _handlers.Count;

    /// <summary>Adds a handler, before the first lookup.</summary>
    public void Add(Type type, MessageHandler handler)
    {
        if (Nullable.GetUnderlyingType(type) is { } underlying)
        {
            throw new ArgumentException($"No message has the type {type}: handle {underlying}.");
        }

        if (!_handlers.TryAdd(type, handler))
        {
            throw new ArgumentException($"There is already a handler for {type}: each message goes to one handler.");
        }
    }

    /// <summary>The handler for a type; null when there is none.</summary>
    public MessageHandler? Find(Type type) => _handlers.Find(type);
}
