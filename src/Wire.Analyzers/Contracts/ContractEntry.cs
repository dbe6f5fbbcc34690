namespace Wire.Analyzers.Contracts;

/// <summary>A class or struct of a contract.</summary>
internal sealed class ContractEntry
{
    private readonly Dictionary<string, string> _members = new(StringComparer.Ordinal);

    /// <summary>Gets or sets the assembly that is a part of the type's name; null where the program gives the name.</summary>
    public string? Assembly { get; set; }

    /// <summary>Gets the members by their names in payloads, each with its type in words.</summary>
    public IReadOnlyDictionary<string, string> Members => _members;

    /// <summary>Adds a member.</summary>
    public void Add(string name, string type) => _members[name] = type;
}
