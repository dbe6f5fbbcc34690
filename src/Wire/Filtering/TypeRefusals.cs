using Wire.Errors;
using Wire.Resolution;
using Wire.Runtime;

namespace Wire.Filtering;

/// <summary>The messages about refused types: why, and which line of the program would allow them.</summary>
internal static class TypeRefusals
{
    private const string OneNameEach =
        "Give each a [WireName] or an alias of its own, or let SerializerOptions.TypeFilter allow only one of them.";

    private const int MaxArity = 64;
    private const int MaxShownName = 200;

    /// <summary>Makes the error for a type that no rule allows.</summary>
    /// <param name="fullName">The type's full name, as the payload has it.</param>
    /// <param name="assembly">The simple name of its assembly; null when the payload has none.</param>
    public static TypeRefusedException NotAllowed(string fullName, string? assembly)
    {
        DefinedType? definition = Definition(Key(fullName, assembly), assembly);
        return assembly is null && definition is null && !IsOfFramework(SpaceOf(fullName))
            ? NoAlias(fullName)
            : Advice.IsSecret(fullName)
            ? new(
                Key(fullName, assembly),
                "it holds a secret, which does not belong in a payload that others may read or keep.",
                "No rule allows it. Write what a reader needs of it as a type of your own.")
            : new(Key(fullName, assembly), "nothing in the program allows it.", Remedy(fullName, assembly, definition))
            {
                IsOnlyUnknown = true,
            };
    }

    /// <summary>
    /// Makes the message about a type that no rule allows in a variable of a base class, or in place of the requested type.
    /// </summary>
    /// <param name="refused">The error, of a type that is neither generic nor an array.</param>
    /// <param name="variable">The type of the variable; at the root, the requested type.</param>
    /// <param name="isRoot">True at the root.</param>
    public static TypeRefusedException In(TypeRefusedException refused, Type variable, bool isRoot)
    {
        string key = refused.FullTypeName;
        int comma = key.IndexOf(", ", StringComparison.Ordinal);
        (string fullName, string? assembly) = comma < 0 ? (key, null) : (key[..comma], key[(comma + 2)..]);
        if (variable == typeof(object) || Definition(key, assembly) is not { } definition)
        {
            return refused;
        }

        Type above = variable.IsConstructedGenericType ? variable.GetGenericTypeDefinition() : variable;
        return definition.DerivesFrom(above)
            ? IsOfFramework(variable.Namespace) ? refused
                : new(key, refused.Reason, Remedy(fullName, assembly, definition, variable)) { IsOnlyUnknown = true }
            : !isRoot ? refused
            : new(
                key,
                $"the program has asked for a {variable}, and nothing else allows {fullName}.",
                $"Ask for {fullName}. Or, if payloads may hold either, ask for object or a common base, and allow both. "
                + Remedy(fullName, assembly, definition));
    }

    /// <summary>Makes the error for a type that a rule allows, and that its assembly does not have.</summary>
    public static WireFormatException Missing(string key) => new(
        WireFormatError.TypeNotFound,
        $"The payload names the type '{key}', which is allowed, but which this program does not have. " +
        $"If it was renamed or moved, add SerializerOptions.TypeAliases.Redirect(\"{key}\", its new type).");

    /// <summary>Makes the error for a type that a rule allows by its name, and whose assembly is not there.</summary>
    public static WireFormatException NotLoaded(string key, string assembly) => new(
        WireFormatError.TypeNotFound,
        $"The payload names the type '{key}', which is allowed by its name, but its assembly {assembly} is not loaded, and nothing that " +
        "is loaded refers to it. If the program has it, load it first, or give the type itself to WireTypeFilter.Allow. If it was " +
        $"renamed or moved, add SerializerOptions.TypeAliases.Redirect(\"{key}\", its new type).");

    /// <summary>Makes the error for a name that payloads may have and that means two types.</summary>
    public static TypeRefusedException Shared(string key, Type one, Type other) =>
        new(key, $"it is the name of {Whole(one)} and of {Whole(other)}, and payloads may have both.", OneNameEach);

    /// <summary>Says that a name means two types.</summary>
    public static string SharedBy(string key, Type one, Type other) =>
        $"'{key}' is the name in payloads of {Whole(one)} and of {Whole(other)}: one would be read as the other. {OneNameEach}";

    /// <summary>Makes the error for a type that a rule denies.</summary>
    public static TypeRefusedException Denied(string name) => new(
        name,
        "SerializerOptions.TypeFilter denies it.",
        "A deny rule wins over every allow rule: remove that rule if payloads may have the type.");

    /// <summary>Makes the error for a type that is a known way to run code.</summary>
    public static TypeRefusedException Gadget(string name) => new(
        name,
        "it is known to run code that an attacker chooses.",
        "No rule for an assembly, a namespace or a base class allows it. Write a type of your own instead, by a surrogate.");

    public static string Key(string fullName, string? assembly) => assembly is null ? fullName : $"{fullName}, {assembly}";

    private static string Whole(Type type) => $"{type} of {AssemblyIdentity.NameOf(type.Assembly)}";

    private static TypeRefusedException NoAlias(string name)
    {
        // The number of arguments of a generic type is added to the program's name, which is never longer.
        int end = name.IndexOf('`', StringComparison.Ordinal);
        string given = name[..Math.Min(end < 0 ? name.Length : end, MaxShownName)];
        return new(
            name,
            "the writer gave this name to a type by SerializerOptions.TypeAliases or [WireName], and no type of this program has it.",
            $"Give your type of the same meaning the same name, with SerializerOptions.TypeAliases.Alias(its type, \"{given}\") or " +
            $"[WireName(\"{given}\")].");
    }

    private static IEnumerable<AssemblyTypes> OfProgram() =>
        ProgramAssemblies.All().Where(place => !place.IsDynamic && !place.IsFramework);

    // The metadata of the type in the program's assemblies.
    private static DefinedType? Definition(string key, string? assembly) => OfProgram()
        .Where(place => assembly is null || place.Name == assembly)
        .SelectMany(place => place.Find(key, WireTypes.None))
        .FirstOrDefault();

    // The line must compile: Allow<T>() takes no static class or open generic type, and typeof no type without a name in source or private
    // to another type.
    private static string Remedy(string fullName, string? assembly, DefinedType? definition, Type? variable = null)
    {
        // Perhaps a copy of the writer's type, for which a rule would not help.
        if (definition is null && assembly is not null && OfProgram().FirstOrDefault(place => place.TokenOf(fullName) != 0) is { } copy)
        {
            return $"This program has a type of that name in {copy.Name}. If it is the one, give it the same [WireName] on both sides, " +
                $"or add SerializerOptions.TypeAliases.Redirect(\"{Key(fullName, assembly)}\", its type).";
        }

        string ownName = definition?.FullName ?? fullName;
        string? space = SpaceOf(ownName);
        if (InSource(ownName[(space is null ? 0 : space.Length + 1)..]) is { } name && definition is not { IsPrivate: true })
        {
            bool isArgument = !name.Contains('<', StringComparison.Ordinal) && definition is not { IsStatic: true };
            return Allow(isArgument ? $"<{name}>()" : $"(typeof({name}))", variable);
        }

        return ownName.Contains('<', StringComparison.Ordinal)
            ? "The compiler made it for an anonymous type or a lambda, so code cannot name it. Use a record or class of your own " +
                "instead, and allow that in SerializerOptions.TypeFilter."
            : Allow(
                space is not null && !IsOfFramework(space) ? $"Namespace(\"{space}\")" : $"Assembly(Assembly.Load(\"{assembly}\"))",
                variable);
    }

    private static string Allow(string what, Type? variable) =>
        $"If payloads may have it, allow it in SerializerOptions.TypeFilter, for example by WireTypeFilter.Default.Allow{what}"
        + (variable is null ? ""
            : $", or by .AllowDerivedFrom<{variable.CSharpName()}>() with all that "
                + $"{(variable.IsInterface ? "implement" : "derive from")} {variable}")
        + ". Or add it to SerializerOptions.KnownTypes.";

    private static bool IsOfFramework(string? space) => space?.Split('.')[0] is "System" or "Microsoft";

    private static string? SpaceOf(string fullName)
    {
        int inner = fullName.IndexOf('+', StringComparison.Ordinal);
        int dot = (inner < 0 ? fullName : fullName[..inner]).LastIndexOf('.');
        return dot <= 0 ? null : fullName[..dot];
    }

    // Outer`1+Inner`2 is Outer<>.Inner<,>; null when the name is not valid in source.
    private static string? InSource(string name)
    {
        string[] parts = name.Split('+');
        for (int i = 0; i < parts.Length; i++)
        {
            string[] halves = parts[i].Split('`');
            int arity = 0;
            if (halves.Length > 2
                || !IsIdentifier(halves[0])
                || (halves.Length == 2 && !(int.TryParse(halves[1], out arity) && arity is > 0 and <= MaxArity)))
            {
                return null;
            }

            parts[i] = arity == 0 ? halves[0] : $"{halves[0]}<{new string(',', arity - 1)}>";
        }

        return string.Join('.', parts);
    }

    private static bool IsIdentifier(string text) =>
        text.Length > 0 && (char.IsLetter(text[0]) || text[0] == '_') && text.All(c => char.IsLetterOrDigit(c) || c == '_');
}
