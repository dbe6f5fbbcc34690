using System.Reflection.Metadata;
using Wire.Resolution;

namespace Wire.Contracting;

/// <summary>The types of a reader by the names that payloads have for them, old ones too.</summary>
internal sealed class ContractNames
{
    private readonly Dictionary<string, ContractType> _types = new(StringComparer.Ordinal);
    private readonly Dictionary<int, ContractType> _known = [];

    // Old names of definitions, and the names that they have now.
    private readonly Dictionary<string, string> _definitions = new(StringComparer.Ordinal);

    public ContractNames(ContractTypes reader)
    {
        foreach (ContractType type in reader.All)
        {
            _types[type.Name] = type;
            if (type.KnownAs is { } number)
            {
                _known[number] = type;
            }

            foreach (string former in type.Former)
            {
                _definitions.TryAdd(former, DefinitionOf(type.Name));
            }
        }
    }

    /// <summary>Finds the reader's type for a type that a payload names; null when it has none.</summary>
    public ContractType? Find(ContractType written) =>
        written.KnownAs is { } number ? _known.GetValueOrDefault(number)
        : _types.GetValueOrDefault(written.Name) ?? _types.GetValueOrDefault(Now(written.Name));

    /// <summary>Returns whether a type is one of .NET that every program reads by its name: the reader need not declare it.</summary>
    public bool IsOfDotNet(ContractType written) => written.Name == written.Key && IsOfDotNet(written.Key);

    // Types of .NET go by their words.
    private bool IsOfDotNet(string words)
    {
        (string definition, string[] arguments) = ContractWords.Split(words);
        string arity = arguments.Length == 0 ? "" : $"`{arguments.Length}";
        return (NamedTypes.FindByName(definition + arity) ?? NamedTypes.FindByName(ContractWords.Collections + definition + arity))
                is not null
            && Array.TrueForAll(arguments, IsKnown);
    }

    private bool IsKnown(string argument)
    {
        string type = argument.TrimEnd('?', '[', ']', ',', '*');
        return ContractWords.TagOf(type) is not null || _types.Values.Any(known => known.Key == type) || IsOfDotNet(type);
    }

    private string Now(string name)
    {
        if (_definitions.Count == 0 || !TypeName.TryParse(name, out TypeName? parsed))
        {
            return name;
        }

        string now = Rewrite(parsed, out string? assembly);
        return assembly is null ? now : $"{now}, {assembly}";
    }

    private string Rewrite(TypeName name, out string? assembly)
    {
        if (name.IsArray)
        {
            string element = Rewrite(name.GetElementType(), out assembly);
            int rank = name.GetArrayRank();
            return element + (name.IsSZArray ? "[]" : rank == 1 ? "[*]" : $"[{new string(',', rank - 1)}]");
        }

        TypeName definition = name.IsConstructedGenericType ? name.GetGenericTypeDefinition() : name;
        string full = definition.FullName;
        assembly = name.AssemblyName?.Name;
        if ((assembly is not null && _definitions.TryGetValue($"{full}, {assembly}", out string? now))
            || _definitions.TryGetValue(full, out now))
        {
            int at = now.IndexOf(", ", StringComparison.Ordinal);
            (full, assembly) = at < 0 ? (now, null) : (now[..at], now[(at + 2)..]);
        }

        if (!name.IsConstructedGenericType)
        {
            return full;
        }

        IEnumerable<string> arguments = name.GetGenericArguments().Select(argument =>
        {
            string text = Rewrite(argument, out string? home);
            return home is null ? $"[{text}]" : $"[{text}, {home}]";
        });
        return $"{full}[{string.Join(',', arguments)}]";
    }

    private static string DefinitionOf(string name)
    {
        if (!TypeName.TryParse(name, out TypeName? parsed) || !parsed.IsConstructedGenericType)
        {
            return name;
        }

        string full = parsed.GetGenericTypeDefinition().FullName;
        return parsed.AssemblyName?.Name is { } assembly ? $"{full}, {assembly}" : full;
    }
}
