using Wire.Format;
using Wire.Messages;
using Wire.Types;

namespace Wire.Contracts;

/// <summary>The enclosing layouts of the one that is being adapted, for recursive layouts.</summary>
internal sealed record AdaptContext(TypeRegistry Registry, AdaptContext? Above, Shape? Shape, ValueSerializer? Serializer)
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

    /// <summary>
    /// Makes what takes elements that exist already, of a type that it is given, where a layout says nothing of them; null where all values
    /// are in the bytes.
    /// </summary>
    public Func<Type, ValueSerializer>? Given { get; init; }

    /// <summary>Returns the same layouts, for skipping a value in them.</summary>
    public Skipper.Levels? Levels() => Shape is null ? null : new Skipper.Levels(Shape, Above?.Levels());

    /// <summary>Makes a context for a value of which only the layouts are known.</summary>
    public static AdaptContext Around(TypeRegistry registry, Skipper.Levels? levels) =>
        new(registry, levels is null ? null : Around(registry, levels.Above), levels?.Shape, null);

    /// <summary>Returns the value serializer of a type that reads the layout so many levels up; null when there is none.</summary>
    public ValueSerializer? Up(int levels, ValueSerializer own)
    {
        AdaptContext? level = this;
        for (int i = 0; i < levels; i++)
        {
            level = level?.Above;
        }

        // Where a part is read alone, the layouts around it have no adapted serializer.
        return level is { Serializer: null, Shape: { } shape } ? own.Adapt(shape, level.Above!)
            : level?.Serializer?.Type == own.Type ? level.Serializer
            : null;
    }
}
