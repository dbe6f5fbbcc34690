using System.Globalization;

namespace Wire.Generator.Tests.Invented;

/// <summary>The types of members: whatever can be written behind a name of the batch, within each other.</summary>
/// <param name="random">What they depend on.</param>
/// <param name="all">The types of the batch.</param>
internal sealed class TypeExpressions(Random random, List<InventedType> all)
{
    private const string Collections = "global::System.Collections";

    /// <summary>Returns a type, as in code, for a member of a type; for the argument of an attribute where that is null.</summary>
    /// <param name="owner">The type with the member.</param>
    /// <param name="depth">In how many others it is.</param>
    public string Any(InventedType? owner, int depth = 0)
    {
        if (owner is { IsSmall: true })
        {
            return Small(owner);
        }

        if (depth > 2)
        {
            return random.Next(2) == 0 ? Pick(Words.Scalars) : "string";
        }

        return random.Next(100) switch
        {
            < 22 => Pick(Words.Scalars),
            < 29 => $"{Pick(Words.Scalars)}?",
            < 39 => Maybe("string", owner),
            < 44 => Of(TypeForm.Enum, owner) ?? "int",
            < 46 => $"{Of(TypeForm.Enum, owner) ?? "int"}?",
            < 58 => Maybe(Class(owner), owner),
            < 63 => Struct(owner),
            < 66 => $"{Struct(owner)}?",
            < 72 => Array(owner, depth),
            < 78 => $"{Collections}.Generic.{List(owner, depth)}",
            < 82 => $"{Collections}.{Pick(Words.Maps)}<{Key(owner)}, {Any(owner, depth + 1)}>",
            < 85 => Immutable(owner, depth),
            < 89 => Tuple(owner, depth),
            < 91 => $"{Collections}.Generic.KeyValuePair<{Any(owner, depth + 1)}, {Any(owner, depth + 1)}>",
            < 93 => owner is null || random.Next(2) == 0 ? "object" : "dynamic",
            < 95 => Of(TypeForm.Interface, owner) ?? "object",
            < 96 => Pick(Words.Others),
            < 98 when owner is { IsGeneric: true } => Parameter(owner),
            _ => Generic(owner, depth) ?? "string",
        };
    }

    // What may be in a flat message.
    private string Small(InventedType owner)
    {
        InventedType[] smaller = [.. all.Where(type => type.IsSmall && type.Index < owner.Index)];
        string type = random.Next(20) switch
        {
            < 9 => Pick(Words.Scalars),
            < 12 => $"{Pick(Words.Scalars)}?",
            < 17 => "string?",
            < 18 => Of(TypeForm.Enum, owner) ?? "int",
            _ => smaller.Length == 0 ? "int" : Pick(smaller).With(),
        };
        return random.Next(20) switch
        {
            0 => $"{type}[]",
            1 => $"{Collections}.Generic.List<{type}>",
            _ => type,
        };
    }

    /// <summary>Returns a type for a parameter with a constraint.</summary>
    /// <param name="constraint">The constraint.</param>
    /// <param name="owner">The type with the member.</param>
    /// <param name="depth">In how many others it is.</param>
    public string For(string constraint, InventedType? owner, int depth) => constraint switch
    {
        "" => Any(owner, depth),
        "struct" => random.Next(2) == 0 ? Pick(Words.Scalars) : Struct(owner),
        "unmanaged" => random.Next(2) == 0 ? Pick(Words.Scalars) : Of(TypeForm.Enum, owner) ?? "int",
        "class" => random.Next(2) == 0 ? "string" : Class(owner),
        "new()" => random.Next(2) == 0 ? Pick(Words.Scalars) : $"{Collections}.Generic.List<{Any(owner, depth + 1)}>",
        _ => Pick(Words.Keys),
    };

    /// <summary>Returns a generic type of the batch with arguments; null where there is none.</summary>
    /// <param name="owner">The type with the member.</param>
    /// <param name="depth">In how many others it is.</param>
    public string? Generic(InventedType? owner, int depth)
    {
        InventedType[] fitting =
        [
            .. all.Where(type => type.IsGeneric && IsNamed(type)
                && (owner is not ({ IsGeneric: true } or { IsStruct: true }) || type.Index < owner.Index)),
        ];
        return fitting.Length == 0 ? null : With(Pick(fitting), owner, depth);
    }

    /// <summary>Returns a type of the batch with arguments, if it takes any.</summary>
    /// <param name="type">The type.</param>
    /// <param name="owner">The type with the member.</param>
    /// <param name="depth">In how many others it is.</param>
    public string With(InventedType type, InventedType? owner, int depth) =>
        type.With([.. type.Parameters.Select(parameter => For(parameter.Constraint, owner, depth + 1))]);

    private static bool IsNamed(InventedType type) => !type.IsPrivate && (type.Outer is null || IsNamed(type.Outer));

    private T Pick<T>(T[] from) => from[random.Next(from.Length)];

    private string Maybe(string type, InventedType? owner) => owner is not null && random.Next(2) == 0 ? $"{type}?" : type;

    private string Class(InventedType? owner) =>
        (random.Next(3) == 0 ? Of(TypeForm.Record, owner) : null) ?? Of(TypeForm.Class, owner) ?? "string";

    private string Struct(InventedType? owner) =>
        (random.Next(3) == 0 ? Of(TypeForm.RecordStruct, owner) : null) ?? Of(TypeForm.Struct, owner) ?? "int";

    private string? Of(TypeForm form, InventedType? owner)
    {
        InventedType[] fitting =
        [
            .. all.Where(type => type.Form == form && !type.IsGeneric && IsNamed(type)
                && (owner is not { IsStruct: true } || !type.IsStruct || type.Index < owner.Index)),
        ];
        return fitting.Length == 0 ? null : Pick(fitting).With();
    }

    private string Array(InventedType? owner, int depth)
    {
        string ranks = Pick(["[]", "[]", "[]", "[][]", "[,]", "[][,]"]);
        return (owner is { IsStruct: true, IsGeneric: false } && random.Next(4) == 0 ? owner.With() : Any(owner, depth + 1)) + ranks;
    }

    private string List(InventedType? owner, int depth)
    {
        string name = Pick(Words.Lists);
        return $"{name}<{(name.Contains("Set", StringComparison.Ordinal) ? Key(owner) : Any(owner, depth + 1))}>";
    }

    private string Immutable(InventedType? owner, int depth)
    {
        string name = Pick(Words.Immutables);
        return $"{Collections}.Immutable.{name}<{(name.Contains("Set", StringComparison.Ordinal) ? Key(owner) : Any(owner, depth + 1))}>";
    }

    private string Key(InventedType? owner) => random.Next(4) == 0 ? Of(TypeForm.Enum, owner) ?? "int" : Pick(Words.Keys);

    private string Tuple(InventedType? owner, int depth)
    {
        int count = random.Next(12) == 0 ? 9 : random.Next(2, 4);
        bool isNamed = owner is not null && random.Next(2) == 0;
        string[] parts =
        [
            .. Enumerable.Range(0, count).Select(i =>
                Any(owner, depth + 1) + (isNamed ? string.Create(CultureInfo.InvariantCulture, $" P{i}") : "")),
        ];
        return random.Next(5) == 0 && !isNamed && count < 8
            ? $"global::System.Tuple<{string.Join(", ", parts)}>"
            : $"({string.Join(", ", parts)})";
    }

    private string Parameter(InventedType owner)
    {
        (string name, string constraint) = Pick(owner.Parameters);
        return random.Next(4) switch
        {
            0 => $"{Collections}.Generic.List<{name}>",
            1 => $"{name}[]",
            2 when constraint.Length == 0 || constraint is "struct" or "unmanaged" => $"{name}?",
            _ => name,
        };
    }
}
