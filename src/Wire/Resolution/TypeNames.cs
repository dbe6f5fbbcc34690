using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Text;
using Wire.Runtime;

namespace Wire.Resolution;

/// <summary>
/// The names of types in manifests: the full name and the assembly's simple name, without version, culture or token. Types of .NET have no
/// assembly, which may change in the next release, nor do types named by an alias or a <see cref="WireNameAttribute"/>.
/// </summary>
[UnconditionalSuppressMessage("Trimming", "IL2026", Justification = TrimmingAdvice.Absent)]
internal static class TypeNames
{
    public const string Reserved = "[],+*&\\";

    /// <summary>The same, for messages.</summary>
    public const string ReservedInWords = "[ ] , + * & \\ (a dot is none of them)";

    /// <summary>The maximal length of a name, on both sides.</summary>
    public const int MaxLength = 16_384;

    /// <summary>
    /// The most parts that a name may have, on both sides: types, generic arguments and array ranks, as System.Reflection.Metadata counts
    /// them, for which a generic type counts two and a nested type one more than its outer type. Dictionaries nested five deep in keys and
    /// values take 94. More would cost a reader stack, and types, which the runtime keeps for ever.
    /// </summary>
    public const int MaxParts = 256;

    // Longer names are not even built: a type that contains another one twice doubles the length with each level.
    private const int MostParts = 1 << 14;

    /// <summary>The characters reserved by the grammar of type names.</summary>
    public static readonly SearchValues<char> ReservedCharacters = SearchValues.Create(Reserved);

    /// <summary>The name of a type, with its generic arguments.</summary>
    public static string GetName(Type type, TypeAliases aliases)
    {
        var text = new StringBuilder();
        string? assembly = Append(text, type, aliases);
        return assembly is null ? text.ToString() : text.Append(", ").Append(assembly).ToString();
    }

    /// <summary>
    /// The name of a type, and the reason why a reader would not resolve it to the type; null when it would. A reader has the same limits,
    /// and finds types of .NET by names without an assembly.
    /// </summary>
    /// <param name="type">The type.</param>
    /// <param name="aliases">The names that the options give.</param>
    /// <param name="given">The definitions in it to which a <see cref="WireNameAttribute"/> gives a name; null when there is none.</param>
    public static (string Name, string? Refusal) Judged(Type type, TypeAliases aliases, out List<Type>? given)
    {
        int parts = 0;
        given = null;
        string? refusal = RefusalOf(type, aliases, ref parts, ref given);
        if (parts >= MostParts)
        {
            return ($"{type.Name}[...]", TooLong("more", $"{MostParts} or more"));
        }

        string name = GetName(type, aliases);
        return (name, refusal ?? (name.Length > MaxLength || parts > MaxParts ? TooLong($"{name.Length}", $"{parts}") : null));
    }

    /// <summary>The name of a type that is neither an array nor a constructed generic type, as the filter sees it.</summary>
    public static string GetDefinitionName(Type type, TypeAliases aliases) =>
        Definition(type, aliases) is var (name, assembly) && assembly is null ? name : $"{name}, {assembly}";

    /// <summary>
    /// The name of a class beside those of its members, without an assembly, which tells it from the other bases of a type.
    /// </summary>
    public static string NameOfClass(Type type, TypeAliases aliases) =>
        Definition(type.IsConstructedGenericType ? type.GetGenericTypeDefinition() : type, aliases).Name;

    /// <summary>Returns whether a class has or had a name that stands beside a member.</summary>
    public static bool IsNameOfClass(string name, Type type, TypeAliases aliases)
    {
        Type definition = type.IsConstructedGenericType ? type.GetGenericTypeDefinition() : type;
        return aliases.HasName(definition, name)
            || ((definition.FullName == name || NameOfClass(definition, aliases) == name)
                && (aliases.Find(name, null) is not { } other || other == definition));
    }

    /// <summary>
    /// Returns whether two types are the same or copies of one, from assemblies of one name: the load context decides between copies.
    /// </summary>
    public static bool IsSame(Type type, Type other) =>
        type == other || (other.FullName is { } name && IsNamed(type, name, AssemblyIdentity.NameOf(other.Assembly)));

    /// <summary>Returns whether a type has a name of its own, in an assembly of a name.</summary>
    public static bool IsNamed(Type type, string fullName, string? assembly) =>
        type.OwnName() == fullName && AssemblyIdentity.NameOf(type.Home()) == assembly;

    private static string TooLong(string characters, string parts) =>
        $"its name has {characters} characters and {parts} parts; a payload allows {MaxLength} and {MaxParts}. "
        + "Give a type inside it an alias in SerializerOptions.TypeAliases, or put a class of your own around it.";

    private static string? RefusalOf(Type type, TypeAliases aliases, ref int parts, ref List<Type>? given)
    {
        parts++;
        if (parts >= MostParts || aliases.Find(type) is not null)
        {
            return null;
        }

        if (type.IsPointer || type.IsByRef || type.IsFunctionPointer)
        {
            return "a pointer or reference has no meaning outside its process.";
        }

        if (type.IsArray)
        {
            return RefusalOf(type.GetElementType()!, aliases, ref parts, ref given);
        }

        if (!type.IsConstructedGenericType)
        {
            return RefusalOfDefinition(type, aliases, ref parts, ref given);
        }

        // The definition counts as a part, unless the program gave it another name.
        parts++;
        string? refusal = RefusalOfDefinition(type.GetGenericTypeDefinition(), aliases, ref parts, ref given);
        foreach (Type argument in type.GetGenericArguments())
        {
            refusal ??= RefusalOf(argument, aliases, ref parts, ref given);
        }

        return refusal;
    }

    private static string? RefusalOfDefinition(Type type, TypeAliases aliases, ref int parts, ref List<Type>? given)
    {
        (string name, string? assembly) = Definition(type, aliases);
        parts += name.AsSpan().Count('+');
        if (assembly is not null)
        {
            return AssemblyIdentity.IsReadable(assembly)
                ? null
                : $"the name of its assembly, '{assembly}', has characters that the names in payloads cannot have.";
        }

        if (!IsOfFramework(type))
        {
            if (!NamedTypes.IsNamed(type) && aliases.Find(type) is null)
            {
                (given ??= []).Add(type);
            }

            return null;
        }

        return FrameworkTypes.HasNamesake(type)
            ? $"{type} is internal to {type.Assembly.GetName().Name} and has the same name as another type of .NET: it would come back " +
                "as that one. Write its name as text, or use a surrogate."
            : null;
    }

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
            text.Append('[').Append(type.IsSZArray ? "" : type.GetArrayRank() == 1 ? "*" : new string(',', type.GetArrayRank() - 1)).Append(
                ']');
            return assembly;
        }

        (string name, string? home) = Definition(type.IsGenericType ? type.GetGenericTypeDefinition() : type, aliases);
        if (aliases.Find(name, home) is { } other
            && other != type
            && other != (type.IsGenericType ? type.GetGenericTypeDefinition() : type))
        {
            throw new UnsupportedTypeException(
                type, $"its own name, '{name}', stands for {other} in SerializerOptions.TypeAliases: it would be read as that type. Give " +
                    "it an alias of its own there.");
        }

        text.Append(name);
        if (type.IsConstructedGenericType)
        {
            text.Append('[').AppendJoin(',', type.GetGenericArguments().Select(argument => $"[{GetName(argument, aliases)}]")).Append(']');
        }

        return home;
    }

    private static (string Name, string? Assembly) Definition(Type type, TypeAliases aliases)
    {
        if (aliases.Find(type) is { } alias)
        {
            return (alias, null);
        }

        WireNameAttribute? given = RuntimeFeature.IsDynamicCodeSupported
            ? type.GetCustomAttribute<WireNameAttribute>(inherit: false)
            : NativeType.Of(type).GivenName;
        if (given is not null)
        {
            // A parser of names passes over spaces in front.
            if (string.IsNullOrWhiteSpace(given.Name) || given.Name.Trim() != given.Name
                || given.Name.AsSpan().ContainsAny(ReservedCharacters))
            {
                throw new UnsupportedTypeException(
                    type,
                    $"its [WireName(\"{given.Name}\")] is empty, begins or ends with a space, or has one of the characters "
                        + $"{ReservedInWords}. Give it another name.");
            }

            if (!NameText.IsWellFormed(given.Name))
            {
                throw new UnsupportedTypeException(type, $"its [WireName(\"{given.Name}\")] {NameText.Malformed} Give it another name.");
            }

            // The arity stays part of the name, as the grammar of type names requires.
            string whole = type.IsGenericTypeDefinition ? $"{given.Name}`{type.GetGenericArguments().Length}" : given.Name;
            return NamedTypes.FindByName(whole) is null && typeof(object).Assembly.GetType(whole) is null
                ? (whole, null)
                : throw new UnsupportedTypeException(
                    type,
                    $"its [WireName(\"{given.Name}\")] is the name of a type of .NET and would be read as that. Give it another name.");
        }

        string name = type.OwnName() ?? throw new UnsupportedTypeException(type, "it has no full name.");
        return (
            name, NamedTypes.IsNamed(type) || FrameworkAssemblies.Contains(type.Home()) ? null : AssemblyIdentity.NameOf(type.Home()));
    }

    // Under its own .NET name, not a name that the library assigns.
    private static bool IsOfFramework(Type type) => FrameworkAssemblies.Contains(type.Home()) && !NamedTypes.IsNamed(type);
}
