using Wire.Format;

namespace Wire.Contracting;

/// <summary>The types of one contract, and what their words mean.</summary>
internal sealed class ContractTypes
{
    private const string Vector = "[]";

    private readonly SortedDictionary<string, ContractType> _types = new(StringComparer.Ordinal);

    /// <summary>Gets whether the payloads have schemas.</summary>
    public bool IsTolerant { get; init; } = true;

    /// <summary>Gets whether the schemas have the names of enums.</summary>
    public bool HasEnumNames { get; init; } = true;

    /// <summary>The members without which a payload is refused.</summary>
    public MissingMembers Missing { get; init; }

    /// <summary>Gets whether members that a payload does not have stay as a constructor leaves them.</summary>
    public bool HasConstructors { get; init; }

    /// <summary>Gets whether an object with several references is written once.</summary>
    public bool HasReferences { get; init; }

    /// <summary>Gets the types in the order of the text: first those that have members or values, then the others.</summary>
    public IEnumerable<ContractType> All => _types.Values.OrderByDescending(type => type.HasFingerprint);

    /// <summary>Gets the number of types.</summary>
    public int Count => _types.Count;

    /// <summary>Adds a type; false when there is one of its key already.</summary>
    public bool TryAdd(ContractType type) => _types.TryAdd(type.Key, type);

    /// <summary>Replaces a type by itself with more known of it.</summary>
    public void Replace(ContractType type) => _types[type.Key] = type;

    /// <summary>Finds a type of the contract by its key; null for a built-in type or an array.</summary>
    public ContractType? Find(string key) => _types.GetValueOrDefault(key);

    /// <summary>Gets the variable of an array's elements; null for another type.</summary>
    public ContractVariable? ElementOf(string type) =>
        !_types.ContainsKey(type) && type.EndsWith(Vector, StringComparison.Ordinal) ? ContractVariable.Parse(type[..^2]) : null;

    /// <summary>Returns whether a text names a type that this contract can describe.</summary>
    public bool Knows(string type) => _types.ContainsKey(type) || ContractWords.TagOf(type) is not null
        || (ElementOf(type) is { } element && Knows(element.Type));

    /// <summary>Returns whether a variable takes an object with a tag in front of it.</summary>
    public bool IsTagged(string type) =>
        _types.TryGetValue(type, out ContractType? known) ? known.IsReference
        : ContractWords.TagOf(type) is not { } tag || tag is Tag.Uri or Tag.Version or Tag.Type or Tag.Object;

    /// <summary>
    /// Gets the layout of a variable that holds exactly its type, as a pattern over parts; null where that has no layout.
    /// </summary>
    public (Shape Layout, IReadOnlyList<ContractVariable> Parts)? LayoutOf(string type) =>
        _types.TryGetValue(type, out ContractType? known) ? known.Layout is { } layout ? (layout, known.Parts) : null
        : ElementOf(type) is { } element ? (Shape.Sequence(Shape.Recursion(0)), [element])
        : null;
}
