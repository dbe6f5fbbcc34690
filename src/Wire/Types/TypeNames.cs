using System.Buffers;
using System.Reflection;
using System.Text;

namespace Wire;

/// <summary>
/// How types are named in manifests: the full name and the assembly's simple name, without version, culture or token.
/// Types that the library knows need no assembly, and so do types with a <see cref="WireNameAttribute"/>.
/// </summary>
internal static class TypeNames
{
    private const string Reserved = "[],+*&\\";

    private static readonly SearchValues<char> ReservedCharacters = SearchValues.Create(Reserved);

    /// <summary>The name of a type, with its generic arguments.</summary>
    public static string Of(Type type)
    {
        var text = new StringBuilder();
        string? assembly = Append(text, type);
        return assembly is null ? text.ToString() : text.Append(", ").Append(assembly).ToString();
    }

    /// <summary>The name of a type that is no array and no constructed generic type: what the filter judges.</summary>
    public static string OfDefinition(Type type) =>
        Definition(type) is var (name, assembly) && assembly is null ? name : $"{name}, {assembly}";

    private static string? Append(StringBuilder text, Type type)
    {
        if (type.IsArray)
        {
            string? assembly = Append(text, type.GetElementType()!);
            text.Append('[').Append(type.IsSZArray ? "" : type.GetArrayRank() == 1 ? "*" : new string(',', type.GetArrayRank() - 1)).Append(']');
            return assembly;
        }

        (string name, string? home) = Definition(type.IsGenericType ? type.GetGenericTypeDefinition() : type);
        text.Append(name);
        if (type.IsConstructedGenericType)
        {
            text.Append('[').AppendJoin(',', type.GetGenericArguments().Select(argument => $"[{Of(argument)}]")).Append(']');
        }

        return home;
    }

    private static (string Name, string? Assembly) Definition(Type type)
    {
        if (type.GetCustomAttribute<WireNameAttribute>(inherit: false) is { } alias)
        {
            if (string.IsNullOrWhiteSpace(alias.Name) || alias.Name.AsSpan().ContainsAny(ReservedCharacters))
            {
                throw new UnsupportedTypeException(type, $"its [WireName(\"{alias.Name}\")] is empty or has one of the characters {Reserved}.");
            }

            // The arity stays part of the name, as the grammar of type names wants it.
            return (type.IsGenericTypeDefinition ? $"{alias.Name}`{type.GetGenericArguments().Length}" : alias.Name, null);
        }

        string name = type.FullName ?? throw new UnsupportedTypeException(type, "it has no full name.");
        bool known = BuiltInTypes.IsNamed(type) || (type.IsEnum && type.Assembly == typeof(object).Assembly);
        return (name, known ? null : type.Assembly.GetName().Name);
    }
}
