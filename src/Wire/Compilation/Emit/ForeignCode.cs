using Wire.Format;
using Wire.Types;

namespace Wire.Compilation.Emit;

/// <summary>
/// Decides whether to compile code for a foreign schema. An attacker can invent schemas, and compiling one takes longer than reading
/// thousands of values by reflection. So a schema must be repeated, in enough bytes to pay for it. Thread-safe; concurrent counts may be
/// lost.
/// </summary>
/// <param name="schema">The writer's schema.</param>
/// <param name="all">The serializer's budget of compilations.</param>
internal sealed class ForeignCode(Shape schema, ForeignCompilations all)
{
    // The number of values that shows a repeated sender.
    private const int Messages = 4;

    private readonly long _price = ForeignCompilations.PriceOf(schema);
    private object? _lastMessage;
    private int _messages;
    private long _paid;

    /// <summary>The writer's schema.</summary>
    public Shape Schema => schema;

    /// <summary>Gets whether it will be compiled.</summary>
    public bool IsCompiled { get; private set; }

    /// <summary>Returns whether to compile the code now, before a value is read.</summary>
    public bool IsWorthCompiling()
    {
        if (!IsCompiled && (!all.CompilesAtAll || (_messages >= Messages && _paid >= _price && all.TryTake())))
        {
            IsCompiled = true;
        }

        return IsCompiled;
    }

    /// <summary>Counts a value that has been read by reflection: only bytes that arrived count.</summary>
    public void Count(DeserializerSession session)
    {
        object message = session.Message;
        if (!ReferenceEquals(_lastMessage, message))
        {
            _lastMessage = message;
            _messages++;
        }

        // The least number of bytes of a value: inner values with their own schemas count for those.
        _paid += schema.MinSize;
    }
}
