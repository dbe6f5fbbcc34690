using System.Globalization;
using System.Text;

namespace Wire.Generator.Tests.Fuzzing;

/// <summary>Prints types of all kinds with random members, and a context with a row for each.</summary>
internal sealed class RandomTypes
{
    private const string Context = "Messages";

    private static readonly string[] Scalars =
    [
        "bool", "byte", "sbyte", "short", "ushort", "char", "int", "uint", "long", "ulong", "float", "double", "decimal", "nint", "nuint",
        "System.Guid", "System.DateTime", "System.DateTimeOffset", "System.TimeSpan", "System.DateOnly", "System.TimeOnly", "System.Half",
        "System.Int128", "System.UInt128", "System.Text.Rune", "System.Numerics.Complex",
    ];

    private static readonly string[] Underlying = ["byte", "sbyte", "short", "ushort", "int", "uint", "long", "ulong"];

    private static readonly string[] Keywords = ["class", "event", "int", "record", "required", "await", "namespace"];

    private readonly Random _random;
    private readonly List<Declared> _types = [];
    private readonly List<string> _enums = [];
    private readonly HashSet<string> _roots = [];
    private readonly StringBuilder _text = new();
    private int _members;

    /// <summary>Prints them.</summary>
    /// <param name="seed">What decides.</param>
    /// <param name="count">How many.</param>
    public RandomTypes(int seed, int count)
    {
        _random = new Random(seed);
        for (int i = 0; i < count / 8; i++)
        {
            Enum(i);
        }

        // Classes may refer to those behind them.
        for (int i = 0; i < count; i++)
        {
            _types.Add(Declare(i));
        }

        for (int i = 0; i < count; i++)
        {
            Print(i);
        }

        IEnumerable<string> roots = _types.Where(type => type.Parameter is null).Select(type => type.Name)
            .Concat(_roots).Order(StringComparer.Ordinal);
        Source = $"[Wire.WireContext]\n{string.Concat(roots.Select(root => $"[Wire.WireType(typeof({root}))]\n"))}"
            + $"public partial class {Context} : Wire.WireTypes;\n{_text}";
    }

    /// <summary>Gets the source.</summary>
    public string Source { get; }

    private void Enum(int number)
    {
        string type = Pick(Underlying);
        string values = string.Join(", ", Enumerable.Range(0, 1 + _random.Next(4)).Select(i => $"V{i} = {i * 40}"));
        _text.Append(CultureInfo.InvariantCulture, $"namespace Kinds {{ public enum E{number} : {type} {{ {values} }} }}\n");
        _enums.Add($"global::Kinds.E{number}");
    }

    private Declared Declare(int number)
    {
        string space = Pick("", "Shop", "Shop.Deep");
        string kind = Pick("class", "class", "class", "sealed class", "abstract class", "struct", "struct", "readonly struct", "record",
            "sealed record", "record struct");
        string? parameter = _random.Next(5) == 0 ? Pick("T", "F0", "TItem", "owner", "at") : null;
        string? outer = _random.Next(6) == 0 ? $"Outer{number}" : null;
        string name = $"global::{(space.Length > 0 ? space + "." : "")}{(outer is null ? "" : outer + ".")}T{number}";
        return new Declared(number, name, space, kind, parameter, outer);
    }

    private void Print(int number)
    {
        Declared type = _types[number];
        Declared? parent = type.IsStruct ? null : _types.Take(number).Where(each => each.CanBeBaseOf(type)).OrderBy(_ => _random.Next())
            .FirstOrDefault(_ => _random.Next(2) == 0);
        type.Base = parent;
        bool hasParameters = type.Kind.Contains("record", StringComparison.Ordinal) && _random.Next(2) == 0;
        string constructor = "";
        if (hasParameters)
        {
            type.Parameters = [.. Enumerable.Range(0, 1 + _random.Next(4)).Select(_ => $"P{_members++}")];
            constructor = $"({string.Join(", ", type.Parameters.Select(name => $"{Type(type, 1)} {name}"))})";
        }

        string open = type.Parameter is null ? "" : $"<{type.Parameter}>";
        string heritage = parent is null ? ""
            : $" : {Closed(parent, type)}{(hasParameters ? Defaults(parent) : "")}";
        if (type.Space.Length > 0)
        {
            _text.Append(CultureInfo.InvariantCulture, $"namespace {type.Space} {{ ");
        }

        if (type.Outer is not null)
        {
            _text.Append(CultureInfo.InvariantCulture, $"public static class {type.Outer} {{ ");
        }

        _text.Append(CultureInfo.InvariantCulture, $"public {type.Kind} T{number}{open}{constructor}{heritage}\n{{\n");
        if (!type.IsStruct && !hasParameters)
        {
            string call = parent is null ? "" : $" : base{Defaults(parent)}";
            bool hasOther = _random.Next(3) == 0 && !type.Kind.Contains("record", StringComparison.Ordinal);
            _text.Append(CultureInfo.InvariantCulture, $"    {(hasOther ? "protected" : "public")} T{number}(){call} {{ }}\n");
        }

        int members = _random.Next(20) == 0 ? 60 : _random.Next(9);
        for (int i = 0; i < members; i++)
        {
            Member(type);
        }

        _text.Append('}').Append(' ', type.Outer is null ? 0 : 1).Append(type.Outer is null ? "" : "}").Append(type.Space.Length > 0 ? " }" : "")
            .Append('\n');
    }

    // Behind each is a field.
    private void Member(Declared owner)
    {
        string name = _random.Next(12) == 0 ? $"@{Pick(Keywords)}_{_members++}" : $"M{_members++}";
        string attribute = _random.Next(15) switch
        {
            0 => $"[Wire.WireName(\"given {_members}\")] ",
            1 => "[Wire.IgnoreMember] ",
            _ => "",
        };
        string access = Pick("public", "public", "private", "internal", owner.IsStruct ? "private" : "protected");
        string type = Type(owner, 0);
        bool isFixed = owner.Kind == "readonly struct";
        string member = _random.Next(6) switch
        {
            0 => $"{access} readonly {type} {name};",
            1 => $"public {type} {name} {{ get; init; }}",
            2 => $"{access} {type} {name} {{ get; }}",
            3 when !isFixed => $"public {type} {name} {{ get; {(owner.IsStruct ? "private" : "protected")} set; }}",
            _ => $"{access} {(isFixed ? "readonly " : "")}{type} {name};",
        };
        _text.Append(CultureInfo.InvariantCulture, $"    {attribute}{member}\n");
        if (_random.Next(10) == 0)
        {
            _text.Append(CultureInfo.InvariantCulture, $"    public static int S{_members++}; public int P{_members++} => {_members};\n");
        }
    }

    private string Type(Declared owner, int depth)
    {
        int choice = _random.Next(depth > 1 ? 10 : 24);
        return choice switch
        {
            < 5 => Pick(Scalars),
            5 => _enums.Count > 0 ? Pick([.. _enums]) : "int",
            6 => "string",
            7 => owner.Parameter ?? "string",
            8 or 9 => Other(owner),
            10 => $"{Pick(Scalars)}?",
            11 => "object",
            12 => $"{Type(owner, depth + 1)}[]",
            13 => $"{Type(owner, depth + 1)}[][]",
            14 or 15 => $"System.Collections.Generic.List<{Type(owner, depth + 1)}>",
            16 => $"System.Collections.Generic.Dictionary<{Pick("int", "string", "System.Guid")}, {Type(owner, depth + 1)}>",
            17 => $"System.Collections.Generic.HashSet<{Pick("int", "string", "long")}>",
            18 => $"({Type(owner, depth + 1)} First, {Type(owner, depth + 1)} Second)",
            19 => $"System.Collections.Generic.KeyValuePair<{Pick("int", "string")}, {Type(owner, depth + 1)}>",
            20 => $"System.Collections.Generic.IReadOnlyList<{Pick("int", "string")}>",
            21 => $"System.Collections.Immutable.ImmutableList<{Pick("int", "string")}>",
            _ => Other(owner),
        };
    }

    // A struct holds those in front of it alone, so that none holds itself.
    private string Other(Declared owner)
    {
        Declared other = owner.IsStruct
            ? _types[_random.Next(owner.Number + 1)]
            : _types[_random.Next(_types.Count)];
        return other == owner && owner.IsStruct ? "int" : Closed(other, owner) + (other.IsStruct && _random.Next(4) == 0 ? "?" : "");
    }

    private string Closed(Declared other, Declared owner)
    {
        if (other.Parameter is null)
        {
            return other.Name;
        }

        string argument = Pick("int", "string", "System.Guid", owner.Parameter is null ? "byte" : "string");
        string closed = $"{other.Name}<{argument}>";
        _roots.Add(closed);
        return closed;
    }

    private static string Defaults(Declared type) => $"({string.Join(", ", type.Parameters.Select(name => $"{name}: default"))})";

    private string Pick(params ReadOnlySpan<string> all) => all[_random.Next(all.Length)];

    private sealed record Declared(int Number, string Name, string Space, string Kind, string? Parameter, string? Outer)
    {
        public bool IsStruct { get; } = Kind.EndsWith("struct", StringComparison.Ordinal);

        public Declared? Base { get; set; }

        // Those of its primary constructor.
        public string[] Parameters { get; set; } = [];

        private bool IsRecord { get; } = Kind.Contains("record", StringComparison.Ordinal);

        public bool CanBeBaseOf(Declared other) =>
            !IsStruct && !other.IsStruct && IsRecord == other.IsRecord && !Kind.StartsWith("sealed", StringComparison.Ordinal);
    }
}
