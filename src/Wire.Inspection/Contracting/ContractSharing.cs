using Wire.Format;

namespace Wire.Contracting;

/// <summary>
/// Finds what a reader cannot find: an object that a member which it passes over shares with one that it reads. Where the first of the two
/// holds nothing but objects of its own type, the payload does not name that, and the other one may hold any.
/// </summary>
internal sealed class ContractSharing(ContractTypes writer, ContractNames reader)
{
    private HashSet<string>? _open;

    /// <summary>Finds a type whose objects may be shared so, and the variable that shares them; null where there is none.</summary>
    /// <param name="member">The member that the reader passes over.</param>
    public (string Type, string Variable)? Find(ContractMember member)
    {
        if (!writer.HasReferences)
        {
            return null;
        }

        _open ??= Reached(Roots(), areKept: true).Where(IsOpen).ToHashSet(StringComparer.Ordinal);
        foreach (string type in Reached([member.Variable], areKept: false).Where(IsUnnamed))
        {
            if (_open.FirstOrDefault(variable => Fits(type, variable)) is { } variable)
            {
                return (type, variable);
            }
        }

        return null;
    }

    private IEnumerable<ContractVariable> Roots() =>
        writer.All.Where(type => type.IsRoot && reader.Find(type) is not null).Select(type => new ContractVariable(type.Key, false));

    // The declared types of all variables behind some; those that are kept are the ones that the reader has too.
    private HashSet<string> Reached(IEnumerable<ContractVariable> variables, bool areKept)
    {
        var declared = new HashSet<string>(StringComparer.Ordinal);
        var entered = new HashSet<string>(StringComparer.Ordinal);
        var open = new Stack<ContractVariable>(variables);
        while (open.TryPop(out ContractVariable? variable))
        {
            if (!declared.Add(variable.Type))
            {
                continue;
            }

            foreach (string type in ObjectsIn(variable.Type).Where(entered.Add).ToArray())
            {
                foreach (ContractVariable inner in Inside(type, areKept))
                {
                    open.Push(inner);
                }
            }
        }

        return declared;
    }

    private IEnumerable<string> ObjectsIn(string variable) =>
        writer.All.Where(type => type.IsReference && Fits(type.Key, variable)).Select(type => type.Key).Prepend(variable);

    private IEnumerable<ContractVariable> Inside(string type, bool areKept)
    {
        if (writer.ElementOf(type) is { } element)
        {
            return [element];
        }

        if (writer.Find(type) is not { } known)
        {
            return [];
        }

        IEnumerable<ContractMember> members = areKept && reader.Find(known) is { } own && known.Members.Count > 0
            ? ContractPairs.Match(known.Members, own.Members, own).Both.Select(pair => pair.Written)
            : known.Members;
        return members.Concat(known.Cases.SelectMany(one => one.Fields)).Select(member => member.Variable).Concat(known.Parts);
    }

    private bool IsOpen(string type) => type == ContractWords.NameOf(Tag.Object)
        || writer.Find(type) is { Kind: ContractKind.Abstract } or { IsReference: true, IsClosed: false };

    private bool IsUnnamed(string type) => writer.Find(type) is { } known
        ? known is { IsClosed: true, HasOwnManifest: true } or { Kind: ContractKind.Collection }
        : writer.ElementOf(type) is not null && !ContractShapes.TagsAlone(writer, type);

    private bool Fits(string type, string variable) => variable == ContractWords.NameOf(Tag.Object)
        || (writer.Find(type) is { } known && known.Bases.Contains(variable))
        || (writer.Find(variable) is { Kind: ContractKind.Abstract, Layout: { } form } face && writer.LayoutOf(type) is var (layout, parts)
            && layout.Code == form.Code && parts.SequenceEqual(face.Parts));
}
