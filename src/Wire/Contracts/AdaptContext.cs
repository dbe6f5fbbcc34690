using Wire.Format;
using Wire.Messages;
using Wire.Types;

namespace Wire.Contracts;

/// <summary>The enclosing layouts of the one that is being adapted, for recursive layouts.</summary>
internal sealed record AdaptContext(TypeRegistry Registry, AdaptContext? Above, Shape? Shape, ValueSerializer? Serializer)
{
    /// <summary>In the outermost context: the type that the payload's manifest names; null when it names none.</summary>
    public Type? Named { get; init; }

    /// <summary>In the outermost context: true if generic arguments and elements are named with it.</summary>
    public bool NamesParts { get; init; }

    /// <summary>
    /// Says whether the payload names the type of a value: a named type stays the same even if its members change, while any other is
    /// identified by its members alone.
    /// </summary>
    public bool Names(Type type) => Above is not null ? Above.Names(type)
        : Named is not null && (Named == type || (NamesParts && IsPart(Named, type)));

    private static bool IsPart(Type whole, Type part) => whole == part
        || (whole.HasElementType && IsPart(whole.GetElementType()!, part))
        || (whole.IsGenericType && Array.Exists(whole.GetGenericArguments(), argument => IsPart(argument, part)));

    /// <summary>Returns the same layouts, for skipping a value in them.</summary>
    public Skipper.Levels? Levels() => Shape is null ? null : new Skipper.Levels(Shape, Above?.Levels());

    /// <summary>Makes a context for a value of which only the layouts are known.</summary>
    public static AdaptContext Around(TypeRegistry registry, Skipper.Levels? levels) =>
        new(registry, levels is null ? null : Around(registry, levels.Above), levels?.Shape, null);

    public ValueSerializer? Up(int levels, Type type)
    {
        AdaptContext? level = this;
        for (int i = 0; i < levels; i++)
        {
            level = level?.Above;
        }

        return level?.Serializer?.Type == type ? level.Serializer : null;
    }
}
