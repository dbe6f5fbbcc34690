using Wire.Format;
using Wire.Types;

namespace Wire.Slots;

/// <summary>The enclosing layouts of the one that is being adapted, for recursive layouts.</summary>
/// <param name="Registry">The registry of the types.</param>
/// <param name="Above">The enclosing layout; null in the outermost context, which has no layout itself.</param>
/// <param name="Serializer">What reads the enclosing layout; null for the fields of a union's case, and in the outermost context.</param>
internal sealed record AdaptContext(TypeRegistry Registry, AdaptContext? Above, ValueSerializer? Serializer)
{
    private readonly SchemaDifferences? _differences;

    /// <summary>The collection of what differs; null when nobody asks for it.</summary>
    public SchemaDifferences? Differences
    {
        get => Above is null ? _differences : Above.Differences;
        init => _differences = value;
    }

    /// <summary>In the outermost context: the writer's name of the type, for messages; null when there is none.</summary>
    public string? WriterName { get; init; }

    /// <summary>Gets, in the outermost context, whether the payload names the type, so that it is not known by its members alone.</summary>
    public bool IsNamed { get; init; }

    /// <summary>Gets, in the outermost context, whether a part is read alone: its layout may lead to those around it.</summary>
    public bool IsPart { get; init; }

    /// <summary>
    /// Makes what takes elements that exist already, of a type that it is given, where a layout says nothing of them; null where all values
    /// are in the bytes.
    /// </summary>
    public Func<Type, ValueSerializer>? Given { get; init; }

    /// <summary>Returns the value serializer of a type that reads the layout to which a recursion leads; null when there is none.</summary>
    public ValueSerializer? Target(Shape recursion, ValueSerializer own)
    {
        AdaptContext level = this;
        int left = recursion.Size;
        for (; left > 0 && level.Above is { } above; left--)
        {
            level = above;
        }

        if (level.Serializer is { } there)
        {
            return left == 0 && there.Type == own.Type ? there : null;
        }

        // Where a part is read alone, the layouts around it have no adapted serializer.
        return (level.Above is not null || level.IsPart) && recursion.Resolved is { Code: not ShapeCode.Recursion } target
            ? own.Adapt(target, level.Above ?? level)
            : null;
    }
}
