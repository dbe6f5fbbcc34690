using Wire.Format;

namespace Wire.Compilation;

/// <summary>
/// Decides whether code is worth compiling that reads values of one writer's schema, which is not the program's own. A writer of payloads
/// up makes schemas up too, and to compile one takes longer than to read thousands of values by reflection. So it has to come again and
/// again, in bytes that have paid for it. Thread-safe; what threads count at once may be counted once.
/// </summary>
/// <param name="schema">The writer's schema.</param>
/// <param name="all">What may be compiled in all.</param>
internal sealed class ForeignCode(Shape schema, ForeignCompilations all)
{
    // As many as someone sends who continues sending it.
    private const int Messages = 4;

    private readonly long _price = ForeignCompilations.PriceOf(schema);
    private object? _lastMessage;
    private int _messages;
    private long _paid;

    /// <summary>The writer's schema.</summary>
    public Shape Schema => schema;

    /// <summary>Says whether it has been decided that it is compiled.</summary>
    public bool IsCompiled { get; private set; }

    /// <summary>Says whether the code for a value that is going to be read is to be compiled now.</summary>
    public bool IsWorthCompiling()
    {
        if (!IsCompiled && (!all.CompilesAtAll || (_messages >= Messages && _paid >= _price && all.TryTake())))
        {
            IsCompiled = true;
        }

        return IsCompiled;
    }

    /// <summary>Counts a value that has been read by reflection: what never came has paid for nothing.</summary>
    public void Count(DeserializerSession session)
    {
        object message = session.Message;
        if (!ReferenceEquals(_lastMessage, message))
        {
            _lastMessage = message;
            _messages++;
        }

        // What a value takes at least: what is inside of it, and has schemas of its own, pays for these.
        _paid += schema.MinSize;
    }
}
