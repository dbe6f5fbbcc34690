using Wire.Format;

namespace Wire.Contracting;

/// <summary>Makes the schemas of a contract's types from its words: the same that payloads have.</summary>
internal sealed class ContractShapes(ContractTypes types)
{
    // More than a schema has levels: the words of a damaged text may lead in a circle.
    private const int MaxDepth = 128;

    private readonly List<string> _above = [];
    private int _depth;

    /// <summary>Computes the fingerprint of a type's schema.</summary>
    public uint Fingerprint(ContractType type) => Manifests.Fingerprint.Compute("", Build(type).Encode());

    /// <summary>Builds the schema of a type's own values.</summary>
    public Shape Build(ContractType type) => type.Kind switch
    {
        ContractKind.Enum => Enum(type, ContractWords.TagOf(type.Underlying!)!.Value),
        ContractKind.Struct when type.Members.Count == 0 => Shape.Empty,
        ContractKind.Class or ContractKind.Struct => Level(type.Key, () => Shape.FromMembers(Members(type.Members))),
        ContractKind.Union => Level(type.Key, () => Shape.Union(
            [.. type.Cases.Select(one => new ShapeMember(one.Name, Level("", () => Shape.FromMembers(Members(one.Fields)))))])),
        _ => Replace(type.Layout!, type.Parts),
    };

    private static Shape Enum(ContractType type, byte integer)
    {
        if (type.Constants.Count == 0)
        {
            return Shape.BuiltIn(integer);
        }

        if (!EnumMember.IsInteger(integer))
        {
            throw new FormatException($"'{type.Underlying}' is not the integer type of an enum with names");
        }

        ulong most = EnumMember.MaxBits(integer);
        return Shape.Enum(
            integer, [.. type.Constants.Select(constant => new EnumMember(constant.Name, (ulong)(UInt128)constant.Value & most))]);
    }

    /// <summary>Builds the schema of a variable.</summary>
    public Shape Build(ContractVariable variable)
    {
        if (types.IsTagged(variable.Type))
        {
            ContractType? type = types.Find(variable.Type);
            return type is { Kind: not ContractKind.Collection } || TagsAlone(types, variable.Type) ? Shape.TaggedOnly
                : Shape.Tagged(Exact(variable.Type));
        }

        Shape value = types.Find(variable.Type) is { } known ? Inline(known) : Shape.BuiltIn(ContractWords.TagOf(variable.Type)!.Value);
        return variable.MayBeNull && variable.Type != ContractWords.NameOf(Tag.String) ? Shape.Nullable(value) : value;
    }

    /// <summary>Returns whether objects of a type have a tag of their own: built-in types, and one-dimensional arrays of them.</summary>
    public static bool TagsAlone(ContractTypes types, string type) =>
        types.Find(type) is null && (types.ElementOf(type) is not { } element
            || (!(element.MayBeNull && !types.IsTagged(element.Type) && element.Type != ContractWords.NameOf(Tag.String))
                && types.Find(element.Type) is null
                && ContractWords.TagOf(element.Type) is not null));

    private Shape Exact(string type)
    {
        if (types.LayoutOf(type) is null)
        {
            return types.Find(type) is { Kind: ContractKind.Class } known ? Build(known)
                : throw new FormatException($"'{type}' has no layout");
        }

        (Shape layout, IReadOnlyList<ContractVariable> parts) = types.LayoutOf(type)!.Value;
        return Replace(layout, parts);
    }

    private Shape Inline(ContractType type)
    {
        int at = type.Kind is ContractKind.Struct or ContractKind.Union ? _above.LastIndexOf(type.Key) : -1;
        return at >= 0 ? Shape.Recursion(_above.Count - 1 - at) : Build(type);
    }

    private ShapeMember[] Members(IEnumerable<ContractMember> members) =>
        [.. members.Select(member => new ShapeMember(
            member.Name, member.IsBase ? Exact(member.Variable.Type) : Build(member.Variable)))];

    private Shape Replace(Shape layout, IReadOnlyList<ContractVariable> parts)
    {
        if (++_depth > MaxDepth)
        {
            throw new FormatException("a layout contains itself without end");
        }

        Shape replaced = layout.Code switch
        {
            ShapeCode.Recursion => Build(parts[layout.Size]),
            ShapeCode.Nullable => Shape.Nullable(Replace(layout.Element!, parts)),
            ShapeCode.Sequence => Shape.Sequence(Replace(layout.Element!, parts)),
            ShapeCode.Set => Shape.Set(Replace(layout.Element!, parts)),
            ShapeCode.Array => Shape.Array(Replace(layout.Element!, parts)),
            ShapeCode.Map => Shape.Map(Replace(layout.Element!, parts), Replace(layout.Value!, parts)),
            ShapeCode.Tagged when layout.Element!.Code != ShapeCode.None => Shape.Tagged(Replace(layout.Element!, parts)),
            ShapeCode.Members => Shape.FromMembers(
                [.. layout.Members.Select(member => new ShapeMember(member.Name, Replace(member.Shape, parts)))]),
            _ => layout,
        };
        _depth--;
        return replaced;
    }

    private Shape Level(string key, Func<Shape> describe)
    {
        if (++_depth > MaxDepth)
        {
            throw new FormatException($"'{key}' contains itself without end");
        }

        _above.Add(key);
        Shape shape = describe();
        _above.RemoveAt(_above.Count - 1);
        _depth--;
        return shape;
    }
}
