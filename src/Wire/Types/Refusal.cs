namespace Wire;

/// <summary>What is said of refused types: why, and which line of the program would allow them.</summary>
internal static class Refusal
{
    private const int MaxArity = 64;

    /// <summary>The error for a type that nothing allows.</summary>
    /// <param name="fullName">The type's full name, as the payload has it.</param>
    /// <param name="assembly">The simple name of its assembly; null when the payload has none.</param>
    public static TypeRefusedException NotAllowed(string fullName, string? assembly) => new(
        Key(fullName, assembly),
        "nothing in the program allows it.",
        $"If payloads may create it, add it to SerializerOptions.TypeFilter, for example {Advice(fullName, assembly)}, or to SerializerOptions.KnownTypes.");

    /// <summary>The error for a type that a rule denies.</summary>
    public static TypeRefusedException Denied(string name) => new(
        name,
        "SerializerOptions.TypeFilter denies it.",
        "A rule that denies wins over all that allow: take the rule away if payloads may have the type.");

    /// <summary>The error for a type that research knows as a way to run code.</summary>
    public static TypeRefusedException Gadget(string name) => new(
        name,
        "it is known to run code that an attacker chooses.",
        "No assembly, namespace or base class allows it. Write a type of your own instead, by a surrogate.");

    public static string Key(string fullName, string? assembly) => assembly is null ? fullName : $"{fullName}, {assembly}";

    // A line that compiles: Allow<T>() takes no static class and no open generic type, and typeof no type that has no name in the
    // source, or one that is private to another.
    private static string Advice(string fullName, string? assembly)
    {
        DefinedType? definition = AppDomain.CurrentDomain.GetAssemblies()
            .Where(place => !place.IsDynamic)
            .Select(AssemblyTypes.Of)
            .Where(place => !place.IsFramework && (assembly is null || place.Name == assembly))
            .Select(place => place.Find(Key(fullName, assembly)))
            .FirstOrDefault(found => found is not null);
        string ownName = definition?.FullName ?? fullName;
        string? space = SpaceOf(ownName);
        if (InSource(ownName[(space is null ? 0 : space.Length + 1)..]) is { } name && definition is not { IsPrivate: true })
        {
            return name.Contains('<', StringComparison.Ordinal) || definition is { IsStatic: true } ? $"TypeFilter.Default.Allow(typeof({name}))" : $"TypeFilter.Default.Allow<{name}>()";
        }

        return space is not null && space.Split('.')[0] is not ("System" or "Microsoft")
            ? $"TypeFilter.Default.AllowNamespace(\"{space}\")"
            : $"TypeFilter.Default.AllowAssembly(Assembly.Load(\"{assembly}\"))";
    }

    private static string? SpaceOf(string fullName)
    {
        int inner = fullName.IndexOf('+', StringComparison.Ordinal);
        int dot = (inner < 0 ? fullName : fullName[..inner]).LastIndexOf('.');
        return dot <= 0 ? null : fullName[..dot];
    }

    // Outer`1+Inner`2 is Outer<>.Inner<,>; null when it is no name that source can have.
    private static string? InSource(string name)
    {
        string[] parts = name.Split('+');
        for (int i = 0; i < parts.Length; i++)
        {
            string[] halves = parts[i].Split('`');
            int arity = 0;
            if (halves.Length > 2 || !IsIdentifier(halves[0]) || (halves.Length == 2 && !(int.TryParse(halves[1], out arity) && arity is > 0 and <= MaxArity)))
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
