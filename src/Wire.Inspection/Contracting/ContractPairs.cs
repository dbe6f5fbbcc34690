namespace Wire.Contracting;

/// <summary>The members of a writer's and a reader's type, in pairs, and those that are alone.</summary>
/// <param name="Both">The pairs.</param>
/// <param name="Written">Members of the writer alone.</param>
/// <param name="Own">Members of the reader alone.</param>
/// <param name="Ambiguous">Simple names that several of those on their own have, so that the schema is refused.</param>
internal sealed record ContractPairs(
    IReadOnlyList<(ContractMember Written, ContractMember Own)> Both,
    IReadOnlyList<ContractMember> Written,
    IReadOnlyList<ContractMember> Own,
    IReadOnlyList<string> Ambiguous)
{
    /// <summary>Matches members as a reader does: by their names, and then by the class that declares them.</summary>
    /// <param name="written">The members of the writer.</param>
    /// <param name="own">Those of the reader's type.</param>
    /// <param name="type">The reader's type.</param>
    public static ContractPairs Match(
        IReadOnlyList<ContractMember> written, IReadOnlyList<ContractMember> own, ContractType type)
    {
        if (IsTuple(type))
        {
            return MatchElements(written, own);
        }

        var both = new List<(ContractMember Written, ContractMember Own)>();
        var left = new List<ContractMember>();
        List<ContractMember> free = [.. own];
        foreach (ContractMember member in written)
        {
            int at = free.FindIndex(other => other.Name == member.Name);
            if (at >= 0)
            {
                both.Add((member, free[at]));
                free.RemoveAt(at);
            }
            else
            {
                left.Add(member);
            }
        }

        foreach (ContractMember member in left.Where(member => member.Class is not null).ToArray())
        {
            int at = free.FindIndex(other => other.PlainName == member.PlainName && IsIn(other, member.Class!, type));
            if (at >= 0)
            {
                both.Add((member, free[at]));
                free.RemoveAt(at);
                left.Remove(member);
            }
        }

        string[] ambiguous = [.. left.Select(member => member.PlainName).Intersect(free.Select(member => member.PlainName))];
        return new ContractPairs(both, left, free, ambiguous);
    }

    /// <summary>Returns whether a type is a value tuple, whose elements may have names.</summary>
    public static bool IsTuple(ContractType type) => type.Key.StartsWith('(');

    /// <summary>Returns the elements of a tuple by their places alone.</summary>
    public static ContractMember[] Unname(IEnumerable<ContractMember> elements) =>
        [.. elements.Select((element, i) => element with { Name = $"Item{i + 1}" })];

    // An element is that of its name, or of its place where the writer has no name for that.
    private static ContractPairs MatchElements(IReadOnlyList<ContractMember> written, IReadOnlyList<ContractMember> own)
    {
        var both = own
            .Select((element, i) => (
                Written: written.FirstOrDefault(other => other.Name == element.Name)
                    ?? written.FirstOrDefault(other => other.Name == $"Item{i + 1}"),
                Own: element))
            .Where(pair => pair.Written is not null)
            .ToArray();
        return new ContractPairs(
            both!, [.. written.Except(both.Select(pair => pair.Written!))], [.. own.Except(both.Select(pair => pair.Own))], []);
    }

    // Returns whether a name is one that the class of a member has or had.
    private static bool IsIn(ContractMember member, string name, ContractType type) => member.DeclaredIn.Count > 0
        ? member.DeclaredIn.Contains(name)
        : type.Former.Append(type.Name).Any(other => DefinitionOf(other) == name);

    // Without an assembly and without arguments.
    private static string DefinitionOf(string name) => name[..(name.IndexOfAny(['[', ',']) is >= 0 and var at ? at : name.Length)];
}
