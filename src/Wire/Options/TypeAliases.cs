using System.Collections.Immutable;
using System.Diagnostics.CodeAnalysis;
using System.Reflection.Metadata;
using Wire.Errors;
using Wire.Format;
using Wire.Resolution;
using Wire.Runtime;

namespace Wire;

/// <summary>
/// The names that a program gives to types in payloads, without changing the types: an alias is written and read, a redirect is only read.
/// A type named here is allowed, with the declared types of its members, as if by <see cref="WireTypeFilter.Allow(Type)"/>. Immutable and
/// thread-safe; every method returns a new set.
/// </summary>
public sealed class TypeAliases
{
    // Null when there are none, as in most programs: creating the tables would compile their code.
    private readonly ImmutableDictionary<Type, string>? _names;
    private readonly ImmutableDictionary<string, Type>? _types;

    private TypeAliases(ImmutableDictionary<Type, string>? names, ImmutableDictionary<string, Type>? types)
    {
        _names = names;
        _types = types;
    }

    /// <summary>No aliases: the beginning of every set.</summary>
    public static TypeAliases None { get; } = new(null, null);

    internal IEnumerable<Type> Types => _types?.Values ?? [];

    /// <inheritdoc cref="Alias(Type, string)"/>
    /// <typeparam name="T">The type; it may be a constructed generic one.</typeparam>
    public TypeAliases Alias<T>(string name) => Alias(typeof(T), name);

    /// <summary>
    /// Gives a type the name by which it is written and read, like a <see cref="WireNameAttribute"/>, which it replaces. The name stands
    /// for the type in every assembly. Readers need the same alias.
    /// </summary>
    /// <param name="type">The type. To an open generic type's name, a backtick and the number of its arguments are added.</param>
    /// <param name="name">The name; not empty, without '[', ']', ',', '+', '*', '&amp;' and '\'.</param>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    /// <exception cref="ArgumentException">The type or the name has an alias or redirect already; the name is not well formed
    /// or is one of .NET; or the type is one that is never written by a name of its own: a built-in type, an array, a pointer.</exception>
    /// <example>
    /// <code>
    /// SerializerOptions options = SerializerOptions.Default with
    /// {
    ///     TypeAliases = TypeAliases.None.Alias(typeof(OrderPlaced), "Shop.OrderPlaced"),
    /// };
    /// </code>
    /// </example>
    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = TrimmingAdvice.Absent)]
    public TypeAliases Alias(Type type, string name)
    {
        CheckType(type);
        ArgumentNullException.ThrowIfNull(name);
        string whole = type.IsGenericTypeDefinition ? $"{name}`{type.GetGenericArguments().Length}" : name;
        if (name.Trim() != name
            || name.AsSpan().ContainsAny(TypeNames.ReservedCharacters)
            || !NameText.IsWellFormed(name)
            || Parse(whole) is not { AssemblyName: null } parsed
            || parsed.FullName != whole)
        {
            throw new ArgumentException(
                $"'{name}' is not a possible alias for {type}: it is empty, begins or ends with a space, or has half of a surrogate pair " +
                $"or one of the characters {TypeNames.ReservedInWords}. Give a name without an assembly, such as 'Shop.Order'.",
                nameof(name));
        }

        if (NamedTypes.FindByName(whole) is not null || typeof(object).Assembly.GetType(whole) is not null)
        {
            throw new ArgumentException($"'{name}' is not a possible alias for {type}: .NET has a type of this name.", nameof(name));
        }

        if (Find(type) is { } other)
        {
            throw new ArgumentException(
                $"{type} has the alias '{other}' already, and cannot have '{name}' too. Use Redirect for the names of older payloads.",
                nameof(type));
        }

        return new((_names ?? ImmutableDictionary<Type, string>.Empty).Add(type, whole), Add(whole, type, nameof(name)));
    }

    /// <summary>Reads an old name as a type that has been renamed or moved. The type is written by its current name.</summary>
    /// <param name="oldName">
    /// The old name: a full name such as <c>Shop.Order</c>, which then applies to every assembly, or a name with its assembly, as in
    /// <c>Shop.Order, Shop.Messages</c>, which takes precedence. For a generic type, the name of its definition with the backtick; nested
    /// types follow '+'. Version, culture and token are ignored.
    /// </param>
    /// <param name="now">The type; an open generic type when the old name is that of one.</param>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    /// <exception cref="ArgumentException">The old name is an alias or redirect already, is not well formed, is that of a
    /// built-in type, or has another number of generic arguments than the type; or the type is a built-in one, an array or a
    /// pointer.</exception>
    /// <example>
    /// <code>
    /// SerializerOptions options = SerializerOptions.Default with
    /// {
    ///     TypeAliases = TypeAliases.None.Redirect("Shop.Order, Shop.Messages", typeof(OrderPlaced)), // what old payloads say
    /// };
    /// </code>
    /// </example>
    public TypeAliases Redirect(string oldName, Type now)
    {
        ArgumentNullException.ThrowIfNull(oldName);
        CheckType(now);
        if (Parse(WithoutDetails(oldName)) is not { } parsed)
        {
            throw new ArgumentException(
                $"'{oldName}' is not the name of a type, such as 'Shop.Order' or 'Shop.Order, Shop.Messages'.", nameof(oldName));
        }

        string? assembly = parsed.AssemblyName?.Name is { } home && !FrameworkTypes.IsHome(home) ? home : null;
        if (assembly is null && NamedTypes.FindByName(parsed.FullName) is { } builtIn)
        {
            throw new ArgumentException($"'{oldName}' is the built-in type {builtIn}, which cannot be redirected.", nameof(oldName));
        }

        int arity = now.IsGenericTypeDefinition ? now.GetGenericArguments().Length : 0;
        if (Arity(parsed.FullName) != arity)
        {
            throw new ArgumentException(
                $"'{oldName}' has {Arity(parsed.FullName)} generic argument(s), and {now} takes {arity}.", nameof(now));
        }

        return new(_names, Add(Key(parsed.FullName, assembly), now, nameof(oldName)));
    }

    /// <summary>The names and the types that they stand for: for logs.</summary>
    public override string ToString() =>
        ShortList.Show((_types ?? ImmutableDictionary<string, Type>.Empty)
            .OrderBy(pair => pair.Key, StringComparer.Ordinal)
            .Select(pair => $"{pair.Key}: {pair.Value}"));

    /// <summary>The alias of a type.</summary>
    internal string? Find(Type type) => _names?.GetValueOrDefault(type);

    /// <summary>The type that goes by a name, or once went by it.</summary>
    internal Type? Find(string fullName, string? assembly) =>
        _types is null ? null
        : assembly is not null && _types.TryGetValue(Key(fullName, assembly), out Type? type) ? type
        : _types.GetValueOrDefault(fullName);

    /// <summary>Returns whether a name, in whatever assembly, is one that a type has or had.</summary>
    internal bool HasName(Type type, string fullName) => _types?.Any(
        pair => pair.Value == type && (pair.Key == fullName || pair.Key.StartsWith($"{fullName}, ", StringComparison.Ordinal))) == true;

    /// <summary>Gets the names by which a type is read but not written, in ordinal order.</summary>
    internal string[] NamesOf(Type type) => _types is null
        ? []
        : [.. _types.Where(pair => pair.Value == type && pair.Key != Find(type)).Select(pair => pair.Key).Order(StringComparer.Ordinal)];

    private static void CheckType(Type type)
    {
        ArgumentNullException.ThrowIfNull(type);
        if (type.HasElementType || type.IsGenericParameter || type.IsFunctionPointer || TagTypes.Contains(type)
            || (type.ContainsGenericParameters && !type.IsGenericTypeDefinition))
        {
            throw new ArgumentException(
                $"{type} cannot have a name of the program's: it is a built-in type, an array, a pointer or partly open.", nameof(type));
        }
    }

    private static TypeName? Parse(string name) =>
        TypeName.TryParse(name, out TypeName? parsed) && parsed.IsSimple ? parsed : null;

    // The text after the assembly's name is ignored, so it need not be a valid version, culture or token.
    private static string WithoutDetails(string name)
    {
        int assembly = name.IndexOf(',', StringComparison.Ordinal);
        int details = assembly < 0 ? -1 : name.IndexOf(',', assembly + 1);
        bool areDetails = details >= 0
            && Array.TrueForAll(name[(details + 1)..].Split(','), detail => detail.Contains('=', StringComparison.Ordinal));
        return areDetails ? name[..details] : name;
    }

    private static string Key(string fullName, string? assembly) => assembly is null ? fullName : $"{fullName}, {assembly}";

    // Outer types contribute their arguments: A`1+B`2 takes three.
    private static int Arity(string fullName) => fullName.Split('+').Sum(
        part =>
            int.TryParse(part[(part.LastIndexOf('`') + 1)..], out int count) && part.Contains('`', StringComparison.Ordinal) ? count : 0);

    private ImmutableDictionary<string, Type> Add(string key, Type type, string parameter) => _types?.GetValueOrDefault(key) is { } other
        ? throw new ArgumentException(
            $"'{key}' is read as {other} already, and cannot be read as {type} too. Leave out one of the two, or give it another name.",
            parameter)
        : (_types ?? ImmutableDictionary<string, Type>.Empty).Add(key, type);
}
