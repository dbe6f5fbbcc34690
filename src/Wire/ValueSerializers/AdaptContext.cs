using Wire.Format;
using Wire.Types;

namespace Wire.ValueSerializers;

/// <summary>The layouts around the one that is being adapted, for those that contain themselves.</summary>
internal sealed record AdaptContext(TypeRegistry Registry, AdaptContext? Above, Shape? Shape, ValueSerializer? Serializer)
{
    /// <summary>Of the outermost: the type that the payload's manifest names; null when it names none.</summary>
    public Type? Named { get; init; }

    /// <summary>Of the outermost: whether generic arguments and elements are named with it.</summary>
    public bool NamesParts { get; init; }

    /// <summary>
    /// Says whether the payload says of which type a value is: what has a name is itself, whatever has become of its members, while
    /// anything else is known by its members alone.
    /// </summary>
    public bool Names(Type type) => Above is not null ? Above.Names(type)
        : Named is not null && (Named == type || (NamesParts && IsPart(Named, type)));

    private static bool IsPart(Type whole, Type part) => whole == part
        || (whole.HasElementType && IsPart(whole.GetElementType()!, part))
        || (whole.IsGenericType && Array.Exists(whole.GetGenericArguments(), argument => IsPart(argument, part)));

    /// <summary>The same layouts, for passing over a value among them.</summary>
    public Skipper.Levels? Levels() => Shape is null ? null : new Skipper.Levels(Shape, Above?.Levels());

    /// <summary>Layouts around a value of which nothing but the layouts is known.</summary>
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
