using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace Wire.Runtime;

/// <summary>The rows of native code as they stand in C#, and the names of types in them, without namespaces.</summary>
[RequiresUnreferencedCode(TrimmingAdvice.Inside)]
internal static class NativeNames
{
    private const string Rows = "Wire.WireRow";

    /// <summary>Returns whether a row can name a type.</summary>
    public static bool Has(Type type) =>
        type.HasElementType ? Has(type.GetElementType()!)
        : !IsHidden(type) && Array.TrueForAll(type.GetGenericArguments(), argument => !argument.IsValueType || Has(argument));

    /// <summary>Returns the row of a type.</summary>
    public static string RowFor(Type type) =>
        Nullable.GetUnderlyingType(type) is { } value ? RowFor(value)
        : type.IsSZArray ? $"WireRow.Array<{ArgumentOf(type.GetElementType()!)}>()"
        : type.IsArray ? $"WireRow.Array<{NameOf(type)}, {NameOf(type.GetElementType()!)}>()"
        : type.IsEnum ? type.GetEnumUnderlyingType() == typeof(int)
            ? $"WireRow.Enum<{NameOf(type)}>()"
            : $"WireRow.Enum<{NameOf(type)}, {NameOf(type.GetEnumUnderlyingType())}>()"
        : type.IsGenericType && RowOf(type.GetGenericTypeDefinition(), type.GetGenericArguments()) is { } row ? row
        : type.IsValueType ? $"WireRow.Struct<{NameOf(type)}>()"
        : $"WireRow.Class<{NameOf(type)}>()";

    /// <summary>Returns the row of a generic type of .NET that has one of its own; null for any other.</summary>
    public static string? RowOf(Type definition, Type[] arguments)
    {
        if (!FrameworkAssemblies.Contains(definition.Assembly) || typeof(ITuple).IsAssignableFrom(definition) || definition.IsNested)
        {
            return null;
        }

        string name = definition.Name[(definition.IsInterface ? 1 : 0)..definition.Name.IndexOf('`')];
        return Array.Exists(
            typeof(NativeNames).Assembly.GetType(Rows, throwOnError: true)!.GetMethods(),
            method => method.Name == name && method.GetGenericArguments().Length == arguments.Length)
            ? $"WireRow.{name}<{ArgumentsOf(arguments)}>()"
            : null;
    }

    /// <summary>Returns the name of a type.</summary>
    public static string NameOf(Type type)
    {
        // The ranks of arrays of arrays stand from the outermost in.
        string ranks = "";
        for (; type.IsArray; type = type.GetElementType()!)
        {
            ranks += $"[{new string(',', type.GetArrayRank() - 1)}]";
        }

        return (Nullable.GetUnderlyingType(type) is { } value ? $"{NameOf(value)}?" : NameOf(type, type.GetGenericArguments())) + ranks;
    }

    // A nested type has the arguments of those around it too.
    private static string NameOf(Type type, ReadOnlySpan<Type> arguments)
    {
        int tick = type.Name.IndexOf('`');
        int around = type.DeclaringType?.GetGenericArguments().Length ?? 0;
        string name = tick < 0 ? type.Name : $"{type.Name[..tick]}<{ArgumentsOf(arguments[around..].ToArray())}>";
        return type.DeclaringType is { } outer ? $"{NameOf(outer, arguments[..around])}.{name}" : name;
    }

    private static string ArgumentsOf(Type[] types) => string.Join(", ", types.Select(ArgumentOf));

    // The code of object is that of every class.
    private static string ArgumentOf(Type type) => !type.IsValueType && (!Has(type) || IsPrivate(type)) ? "object" : NameOf(type);

    private static bool IsPrivate(Type type) => type.IsNestedPrivate || type.IsNestedFamily || type.IsNestedFamANDAssem
        || (type.HasElementType ? IsPrivate(type.GetElementType()!) : type.DeclaringType is { } outer && IsPrivate(outer));

    private static bool IsHidden(Type type) =>
        type.Name.Contains('<')
        || (!(type.IsGenericType ? type.GetGenericTypeDefinition() : type).IsVisible
            && (FrameworkAssemblies.Contains(type.Assembly) || type.Assembly == typeof(NativeNames).Assembly))
        || (type.DeclaringType is { } outer && IsHidden(outer));
}
