using System.Collections.Concurrent;

namespace Wire.RabbitMQ.Consuming;

/// <summary>Handles a message, whatever it was registered as.</summary>
internal delegate Task MessageHandler(object message, MessageContext context);

/// <summary>
/// Finds the handler of an object by its type: the one of its class, of the nearest base class, of the most derived interface (of several
/// that have nothing to do with each other the one that was added first), and last the one of <see cref="object"/>.
/// </summary>
internal sealed class HandlerTable
{
    private readonly List<(Type Type, MessageHandler Handler)> _handlers = [];
    private readonly ConcurrentDictionary<Type, MessageHandler?> _found = new();

    /// <summary>Gets the count.</summary>
    public int Count => _handlers.Count;

    /// <summary>Adds a handler, before the first lookup.</summary>
    public void Add(Type type, MessageHandler handler)
    {
        if (Nullable.GetUnderlyingType(type) is { } underlying)
        {
            throw new ArgumentException($"No message has the type {type}: handle {underlying}.");
        }

        if (FindExact(type) is not null)
        {
            throw new ArgumentException($"There is already a handler for {type}: each message goes to one handler.");
        }

        _handlers.Add((type, handler));
    }

    /// <summary>The handler for a type; null when there is none.</summary>
    public MessageHandler? Find(Type type) =>
        _found.TryGetValue(type, out MessageHandler? handler) ? handler : _found.GetOrAdd(type, Search);

    private MessageHandler? Search(Type type)
    {
        for (Type? each = type; each is not null && each != typeof(object); each = each.BaseType)
        {
            if (FindExact(each) is { } handler)
            {
                return handler;
            }
        }

        (Type Type, MessageHandler Handler)[] interfaces =
            [.. _handlers.Where(each => each.Type.IsInterface && each.Type.IsAssignableFrom(type))];
        foreach ((Type candidate, MessageHandler handler) in interfaces)
        {
            if (!interfaces.Any(other => other.Type != candidate && candidate.IsAssignableFrom(other.Type)))
            {
                return handler;
            }
        }

        return FindExact(typeof(object));
    }

    private MessageHandler? FindExact(Type type) => _handlers.Find(each => each.Type == type).Handler;
}
