using Wire.RabbitMQ.Types;

namespace Wire.RabbitMQ.Consuming;

/// <summary>Finds the handler of an object by its type.</summary>
internal sealed class HandlerTable
{
    private readonly TypeTable<MessageHandler> _handlers = new();
    private readonly List<Func<MessageHandler, MessageHandler>> _around = [];

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

    /// <summary>Adds what stands around all handlers, inside of what was added before; before the first lookup.</summary>
    public void AddAround(Func<object, MessageContext, MessageHandler, Task> middleware) =>
        _around.Add(next => (message, context) => middleware(message, context, next));

    /// <summary>The handler for a type, with what stands around it; null when there is none.</summary>
    public MessageHandler? Find(Type type) => _handlers.Find(type);

    /// <summary>Puts what stands around handlers around them. Called once, before the first lookup.</summary>
    public void Complete()
    {
        foreach (Func<MessageHandler, MessageHandler> around in Enumerable.Reverse(_around))
        {
            _handlers.ReplaceAll(around);
        }
    }
}
