namespace Wire.Contracting;

/// <summary>A member of a type in a contract, or a field of a union's case.</summary>
/// <param name="Name">The name in payloads.</param>
/// <param name="Variable">The declared type.</param>
internal sealed record ContractMember(string Name, ContractVariable Variable)
{
    /// <summary>Gets whether C# requires a value of it.</summary>
    public bool IsRequired { get; init; }

    /// <summary>Gets whether it is the state of a .NET base class, which lies in place.</summary>
    public bool IsBase { get; init; }

    /// <summary>The names of the base class that declares it, the current one first; empty for a member of the type itself.</summary>
    public IReadOnlyList<string> DeclaredIn { get; init; } = [];

    /// <summary>Gets the name without the class that qualifies it.</summary>
    public string PlainName => Name.IndexOf('@', StringComparison.Ordinal) is > 0 and var at ? Name[..at] : Name;

    /// <summary>Gets the class that qualifies the name; null for none.</summary>
    public string? Class => Name.IndexOf('@', StringComparison.Ordinal) is > 0 and var at ? Name[(at + 1)..] : null;
}

/// <summary>A case of a union.</summary>
internal sealed record ContractCase(string Name, IReadOnlyList<ContractMember> Fields);

/// <summary>A named value of an enum.</summary>
internal sealed record ContractConstant(string Name, Int128 Value);
