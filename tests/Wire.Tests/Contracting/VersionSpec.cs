namespace Wire.Tests.Contracting;

/// <summary>The kinds of variables in generated types.</summary>
public enum VarKind
{
    Leaf,
    Enum,
    Struct,
    Class,
    Nullable,
    Array,
    List,
    Set,
    Map,
    Interface,
    Immutable,
    Tuple,
}

/// <summary>The declared type of a variable in generated types.</summary>
/// <param name="Kind">The kind.</param>
/// <param name="Leaf">The type of .NET, where it is one.</param>
/// <param name="Element">The element, or the first of a pair.</param>
/// <param name="Value">The second of a pair.</param>
public sealed record VarSpec(VarKind Kind, Type? Leaf = null, VarSpec? Element = null, VarSpec? Value = null)
{
    /// <summary>The name of a tuple's first element; null for none.</summary>
    public string? First { get; init; }

    /// <summary>The name of a tuple's second element; null for none.</summary>
    public string? Second { get; init; }

    /// <summary>The names of the elements of tuples in it, in the order of the compiler.</summary>
    public IEnumerable<string?> Names => (Kind == VarKind.Tuple ? new[] { First, Second } : [])
        .Concat(Element?.Names ?? [])
        .Concat(Value?.Names ?? []);

    /// <summary>Whether it is a value type.</summary>
    public bool IsValue => Kind switch
    {
        VarKind.Leaf => Leaf!.IsValueType,
        VarKind.Enum or VarKind.Struct or VarKind.Nullable or VarKind.Immutable or VarKind.Tuple => true,
        _ => false,
    };

    public override string ToString() => Kind switch
    {
        VarKind.Leaf => Leaf!.Name,
        VarKind.Nullable => $"{Element}?",
        VarKind.Map or VarKind.Tuple => $"{Kind}({Element} {First}, {Value} {Second})",
        VarKind.Enum or VarKind.Struct or VarKind.Class => Kind.ToString(),
        _ => $"{Kind}({Element})",
    };
}

/// <summary>A field of a generated type.</summary>
/// <param name="Name">The name in C#.</param>
/// <param name="Given">The name by [WireName]; null for none.</param>
/// <param name="Type">The declared type.</param>
/// <param name="InBase">True if the base class declares it.</param>
public sealed record FieldSpec(string Name, string? Given, VarSpec Type, bool InBase)
{
    /// <summary>The name that stands for it in payloads, as long as no other class has it.</summary>
    public string Plain => Given ?? Name;

    public override string ToString() => $"{(InBase ? "base " : "")}{Name}{(Given is null ? "" : $"[{Given}]")}: {Type}";
}

/// <summary>An enum.</summary>
public sealed record EnumSpec(Type Underlying, IReadOnlyList<(string Name, string? Given, int Value)> Members)
{
    public override string ToString()
    {
        IEnumerable<string> members = Members.Select(m => $"{m.Name}{(m.Given is null ? "" : $"[{m.Given}]")} = {m.Value}");
        return $"enum {Underlying.Name} ({string.Join(", ", members)})";
    }
}

/// <summary>A version of four types: a root with a base class, a class and a struct in it, and an enum.</summary>
public sealed record VersionSpec(
    IReadOnlyList<FieldSpec> Root, IReadOnlyList<FieldSpec> Class, IReadOnlyList<FieldSpec> Struct, EnumSpec Enum, bool IsClassSealed)
{
    public override string ToString() => string.Join(
        Environment.NewLine,
        $"root ({string.Join("; ", Root)})",
        $"{(IsClassSealed ? "sealed " : "")}class ({string.Join("; ", Class)})",
        $"struct ({string.Join("; ", Struct)})",
        Enum.ToString());
}
