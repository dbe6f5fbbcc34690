using System.Buffers;
using System.Reflection;
using System.Text;

namespace Wire;

/// <summary>
/// How types are named in manifests: the full name and the assembly's simple name, without version, culture or token.
/// Types of .NET go without an assembly, which may be another one in the next release, and so do types that the program
/// named by an alias or a <see cref="WireNameAttribute"/>.
/// </summary>
internal static class TypeNames
{
    public const string Reserved = "[],+*&\\";

    /// <summary>The characters that the grammar of type names takes for itself.</summary>
    public static readonly SearchValues<char> ReservedCharacters = SearchValues.Create(Reserved);

    /// <summary>The name of a type, with its generic arguments.</summary>
    public static string Of(Type type, TypeAliases aliases)
    {
        var text = new StringBuilder();
        string? assembly = Append(text, type, aliases);
        return assembly is null ? text.ToString() : text.Append(", ").Append(assembly).ToString();
    }

    /// <summary>The name of a type that is no array and no constructed generic type: what the filter judges.</summary>
    public static string OfDefinition(Type type, TypeAliases aliases) =>
        Definition(type, aliases) is var (name, assembly) && assembly is null ? name : $"{name}, {assembly}";

    private static string? Append(StringBuilder text, Type type, TypeAliases aliases)
    {
        if (aliases.Find(type) is { } alias)
        {
            text.Append(alias);
            return null;
        }

        if (type.IsArray)
        {
            string? assembly = Append(text, type.GetElementType()!, aliases);
            text.Append('[').Append(type.IsSZArray ? "" : type.GetArrayRank() == 1 ? "*" : new string(',', type.GetArrayRank() - 1)).Append(']');
            return assembly;
        }

        (string name, string? home) = Definition(type.IsGenericType ? type.GetGenericTypeDefinition() : type, aliases);
        if (aliases.Find(name, home) is { } other && other != type && other != (type.IsGenericType ? type.GetGenericTypeDefinition() : type))
        {
            throw new UnsupportedTypeException(type, $"its own name, '{name}', stands for {other} in SerializerOptions.TypeAliases, so that it would be read as that. Give it an alias of its own there.");
        }

        text.Append(name);
        if (type.IsConstructedGenericType)
        {
            text.Append('[').AppendJoin(',', type.GetGenericArguments().Select(argument => $"[{Of(argument, aliases)}]")).Append(']');
        }

        return home;
    }

    private static (string Name, string? Assembly) Definition(Type type, TypeAliases aliases)
    {
        if (aliases.Find(type) is { } alias)
        {
            return (alias, null);
        }

        if (type.GetCustomAttribute<WireNameAttribute>(inherit: false) is { } given)
        {
            if (string.IsNullOrWhiteSpace(given.Name) || given.Name.AsSpan().ContainsAny(ReservedCharacters))
            {
                throw new UnsupportedTypeException(type, $"its [WireName(\"{given.Name}\")] is empty or has one of the characters {Reserved}.");
            }

            // The arity stays part of the name, as the grammar of type names wants it.
            return (type.IsGenericTypeDefinition ? $"{given.Name}`{type.GetGenericArguments().Length}" : given.Name, null);
        }

        string name = type.FullName ?? throw new UnsupportedTypeException(type, "it has no full name.");
        return (name, BuiltInTypes.IsNamed(type) || BuiltInFactory.IsFramework(type.Assembly) ? null : AssemblyIdentity.NameOf(type.Assembly));
    }
}
