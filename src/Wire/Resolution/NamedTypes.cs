using Wire.Format;
using Wire.Runtime;

namespace Wire.Resolution;

/// <summary>The types that stand in payloads by their names without an assembly: those with a tag, and others of .NET.</summary>
internal static class NamedTypes
{
    /// <summary>Gets the others, which the initializer of the module hands down.</summary>
    public static INamedTypes Others { get; set; } = null!;

    /// <summary>Finds a type by its name without an assembly.</summary>
    public static Type? FindByName(string fullName) => TagTypes.FindByName(fullName) ?? Others.FindByName(fullName);

    /// <summary>Returns whether the library knows this type, or the definition of this generic type, by its name alone.</summary>
    public static bool IsNamed(Type definition) =>
        (definition.OwnName() is { } name && TagTypes.FindByName(name) == definition) || Others.IsNamed(definition);
}
