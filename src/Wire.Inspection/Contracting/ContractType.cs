using Wire.Format;

namespace Wire.Contracting;

/// <summary>The kinds of types in a contract.</summary>
internal enum ContractKind
{
    /// <summary>A class that is written member by member.</summary>
    Class,

    /// <summary>A value type that is written member by member.</summary>
    Struct,

    /// <summary>An enum.</summary>
    Enum,

    /// <summary>A union of several cases.</summary>
    Union,

    /// <summary>An interface or class without a layout of its own: its variables hold objects of other types.</summary>
    Abstract,

    /// <summary>A reference type whose layout is part of what declares it, as that of a list.</summary>
    Collection,

    /// <summary>A value type with a layout of another kind.</summary>
    Value,

    /// <summary>A reference type with a layout of another kind in a manifest of its own, as that of a surrogate.</summary>
    Custom,
}

/// <summary>One type of a contract: all that its evolution depends on.</summary>
/// <param name="Key">The type in words of C#: how other lines of the text name it.</param>
/// <param name="Kind">The kind.</param>
internal sealed record ContractType(string Key, ContractKind Kind)
{
    /// <summary>The name in payloads.</summary>
    public string Name { get; init; } = Key;

    /// <summary>The names by which it is read too.</summary>
    public IReadOnlyList<string> Former { get; init; } = [];

    /// <summary>The keys of the classes and interfaces of the contract that its objects fit.</summary>
    public IReadOnlyList<string> Bases { get; init; } = [];

    /// <summary>The identifier of a known type; null for another.</summary>
    public int? KnownAs { get; init; }

    /// <summary>Gets whether payloads have it as their root.</summary>
    public bool IsRoot { get; init; }

    /// <summary>Gets whether a variable of the type holds no objects of others.</summary>
    public bool IsClosed { get; init; }

    /// <summary>Gets whether a surrogate is written for it.</summary>
    public bool IsReplaced { get; init; }

    /// <summary>Gets whether an enum's values are combinations of bits.</summary>
    public bool IsFlags { get; init; }

    /// <summary>Gets whether it is a value tuple, whose members are in the order of its elements.</summary>
    public bool IsTuple => Key.StartsWith('(');

    /// <summary>Gets whether it is a class or interface.</summary>
    public bool IsReference { get; init; }

    /// <summary>The members, in the order of their names.</summary>
    public IReadOnlyList<ContractMember> Members { get; init; } = [];

    /// <summary>The cases of a union.</summary>
    public IReadOnlyList<ContractCase> Cases { get; init; } = [];

    /// <summary>The integer type of an enum; null for another type.</summary>
    public string? Underlying { get; init; }

    /// <summary>The named values of an enum.</summary>
    public IReadOnlyList<ContractConstant> Constants { get; init; } = [];

    /// <summary>The layout of a collection, value or custom type; the numbers of recursions in it are those of parts.</summary>
    public Shape? Layout { get; init; }

    /// <summary>The variables in the layout.</summary>
    public IReadOnlyList<ContractVariable> Parts { get; init; } = [];

    /// <summary>The fingerprint of the schema.</summary>
    public uint Fingerprint { get; init; }

    /// <summary>Gets whether its layout stands in a manifest of its own wherever an object of it is written.</summary>
    public bool HasOwnManifest => IsReference && Kind is not (ContractKind.Abstract or ContractKind.Collection);

    /// <summary>Gets whether the text has a fingerprint of it.</summary>
    public bool HasFingerprint => Kind is not (ContractKind.Abstract or ContractKind.Collection or ContractKind.Value);
}
