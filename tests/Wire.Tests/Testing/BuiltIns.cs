using System.Reflection;

namespace Wire.Tests.Testing;

/// <summary>
/// The library's own table of built-in types. It is internal, and read through reflection in this one place: the tests
/// that ask whether something is missing have to ask the table itself, all others see the public surface only.
/// </summary>
internal static class BuiltIns
{
    private static readonly Type Table = typeof(Serializer).Assembly.GetType("Wire.BuiltInTypes", throwOnError: true)!;

    /// <summary>The types with a tag.</summary>
    public static Type[] Types { get; } = [.. (IEnumerable<Type>)Table.GetProperty("All", BindingFlags.Public | BindingFlags.Static)!.GetValue(null)!];

    /// <summary>The types without a tag, and definitions of generic types, that the library knows by name.</summary>
    public static Type[] Families { get; } =
    [
        .. (IEnumerable<Type>)typeof(Serializer).Assembly.GetType("Wire.Families", throwOnError: true)!
            .GetProperty("Definitions", BindingFlags.Public | BindingFlags.Static)!.GetValue(null)!,
    ];

    /// <summary>The type or family that a type is tested as.</summary>
    public static Type Definition(Type type) => type.IsGenericType ? type.GetGenericTypeDefinition() : type;
}
