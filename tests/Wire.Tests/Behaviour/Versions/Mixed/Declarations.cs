namespace Wire.Tests.Behaviour.Versions.Mixed;

/// <summary>A member of an enum in one release.</summary>
internal sealed record EnumMember(string Name, string WireName, long Value);

/// <summary>An enum in one release.</summary>
internal sealed record EnumDeclaration(string Name, Type Underlying, bool IsFlags, EnumMember[] Members);

/// <summary>A member in one release. Its name in payloads is that of the row in the table.</summary>
internal sealed record MemberDeclaration(string Name, string WireName, Form Form);

/// <summary>The kinds of types that have members.</summary>
internal enum TypeKind
{
    Class,
    Abstract,
    Sealed,
    Struct,
}

/// <summary>A type in one release.</summary>
/// <param name="Id">The name in the first release, which tells types apart over all of them.</param>
/// <param name="Name">The name in this one.</param>
/// <param name="Kind">What it is.</param>
/// <param name="Base">The <paramref name="Id"/> of its base class.</param>
/// <param name="Members">Its own members.</param>
internal sealed record TypeDeclaration(string Id, string Name, TypeKind Kind, string? Base, MemberDeclaration[] Members);

/// <summary>The types of one release.</summary>
internal sealed record Declarations(
    int Release, IReadOnlyDictionary<string, EnumDeclaration> Enums, IReadOnlyDictionary<string, TypeDeclaration> Types)
{
    /// <summary>The members of a type with those of its bases, each with its class.</summary>
    public IEnumerable<(TypeDeclaration Class, MemberDeclaration Member)> AllMembers(string id)
    {
        for (string? current = id; current is not null; current = Types[current].Base)
        {
            foreach (MemberDeclaration member in Types[current].Members)
            {
                yield return (Types[current], member);
            }
        }
    }

    /// <summary>The types of which a variable of a type may hold values.</summary>
    public TypeDeclaration[] Fitting(string id) =>
    [
        .. Types.Values.Where(type => type.Kind != TypeKind.Abstract && IsA(type.Id, id))
            .OrderBy(type => type.Id, StringComparer.Ordinal),
    ];

    private bool IsA(string id, string wanted) => id == wanted || (Types[id].Base is { } parent && IsA(parent, wanted));
}
