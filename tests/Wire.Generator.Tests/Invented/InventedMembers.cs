using System.Globalization;
using Microsoft.CodeAnalysis.CSharp;

namespace Wire.Generator.Tests.Invented;

/// <summary>Invents the members of types, and notes which of them leave a type without code.</summary>
/// <param name="random">What they depend on.</param>
/// <param name="expressions">Their types.</param>
internal sealed class InventedMembers(Random random, TypeExpressions expressions)
{
    private static readonly string[] LeavingOut =
        ["global::Wire.IgnoreMember", "global::System.Runtime.Serialization.IgnoreDataMember", "field: global::System.NonSerialized"];

    /// <summary>Adds a member to a type.</summary>
    /// <param name="type">The type.</param>
    public void Add(InventedType type)
    {
        switch (random.Next(40))
        {
            case 0:
                type.Members.Add($"public static {expressions.Any(null)} {NameFor(type)};");
                break;
            case 1:
                type.Members.Add($"private int {NameFor(type)} => 1;");
                break;
            case 2:
                Hide(type);
                break;
            case 3 when type.IsClass && random.Next(3) == 0:
                Unseen(type);
                break;
            case < 16 when !(type.IsReadOnly && type.Form == TypeForm.Record):
                Field(type);
                break;
            default:
                Property(type);
                break;
        }
    }

    /// <summary>Adds a parameter of a record to a type that has none of that name, and returns it.</summary>
    /// <param name="type">The record.</param>
    public string Positional(InventedType type)
    {
        string name = NameFor(type);
        string attribute = "";
        switch (random.Next(12))
        {
            case 0:
                attribute = $"[{LeavingOut[2]}] ";
                break;
            case 1:
                attribute = $"[property: {Renamed(type)}] ";
                break;
            default:
                type.Written.Add(name);
                break;
        }

        return $"{attribute}{expressions.Any(type)} {name}";
    }

    /// <summary>Returns a name that no member of a type and its base classes has, and notes it.</summary>
    /// <param name="type">The type.</param>
    public string NameFor(InventedType type)
    {
        string[] free = [.. Words.Members.Where(name => !type.Names.Contains(name) && name != type.Name)];
        string name = free.Length == 0 || random.Next(3) > 0
            ? string.Create(CultureInfo.InvariantCulture, $"{(random.Next(2) == 0 ? "_m" : "M")}{type.Names.Count}")
            : free[random.Next(free.Length)];
        type.Names.Add(name);
        return name;
    }

    /// <summary>Completes what the base classes have left open.</summary>
    /// <param name="type">The type.</param>
    public void Complete(InventedType type)
    {
        type.Members.AddRange(type.Pending.Select(declared => $"{declared} {{ get; set; }}"));
        foreach (string declared in type.Pending)
        {
            type.Written.Add(declared[(declared.LastIndexOf(' ') + 1)..]);
        }

        type.Pending.Clear();
    }

    // Two fields of one name leave a type without code.
    private void Hide(InventedType type)
    {
        string[] hidden = [.. type.Base?.Written.Where(name => type.Base.Names.Contains(name) && type.Written.Contains(name)) ?? []];
        if (hidden.Length > 0 && random.Next(3) == 0)
        {
            string name = hidden[random.Next(hidden.Length)];
            if (name != type.Name && type.Names.Add($"new {name}"))
            {
                type.Members.Add(random.Next(2) == 0 ? $"private new int {name};" : $"public new string? {name} {{ get; set; }}");
                type.Uncoded = "hidden";
            }
        }
    }

    private void Unseen(InventedType type)
    {
        string name = NameFor(type);
        switch (random.Next(3))
        {
            case 0:
                type.Members.Add($"private volatile int {name};");
                type.Written.Add(name);
                type.Uncoded = "volatile";
                break;
            case 1:
                type.Members.Add($"public event global::System.Action? {name};");
                type.Uncoded = "event";
                break;
            default:
                type.Members.Add($"[field: global::System.NonSerialized] public event global::System.Action? {name};");
                break;
        }
    }

    private void Field(InventedType type)
    {
        string attribute = Attribute(type, isField: true, out string name);
        string modifier = type.IsReadOnly || random.Next(4) == 0 ? "readonly " : "";
        string value = type.IsClass && random.Next(5) == 0 ? " = default!" : "";
        type.Members.Add($"{attribute}{Access(type)} {modifier}{expressions.Any(type)} {name}{value};");
    }

    private void Property(InventedType type)
    {
        string attribute = Attribute(type, isField: false, out string name);
        string access = Access(type);
        string[] forms = type.IsReadOnly
            ? ["{ get; }", "{ get; init; }", "{ get => field; init => field = value; }"]
            :
            [
                "{ get; set; }", "{ get; set; }", "{ get; init; }", "{ get; }", "{ get => field; set => field = value; }",
                "{ get; set => field = value; }", access == "private" ? "{ get; }" : "{ get; private set; }",
            ];
        string form = forms[random.Next(forms.Length)];
        string required = access == "public" && form is "{ get; set; }" or "{ get; init; }" && random.Next(8) == 0 ? "required " : "";
        string value = type.IsClass && random.Next(5) == 0 ? " = default!;" : "";
        type.Members.Add($"{attribute}{access} {required}{expressions.Any(type)} {name} {form}{value}");
    }

    private string Attribute(InventedType type, bool isField, out string name)
    {
        name = NameFor(type);
        switch (random.Next(24))
        {
            case 0:
                string leavingOut = LeavingOut[random.Next(LeavingOut.Length)];
                return $"[{(isField ? leavingOut.Replace("field: ", "", StringComparison.Ordinal) : leavingOut)}] ";
            case 1:
                return $"[{Renamed(type)}] ";
            default:
                type.Written.Add(name);
                return "";
        }
    }

    private string Renamed(InventedType type)
    {
        string name = string.Create(CultureInfo.InvariantCulture, $"{(char)('A' + random.Next(58))} ü\"{type.Names.Count}");
        type.Written.Add(name);
        return $"global::Wire.WireName({SymbolDisplay.FormatLiteral(name, quote: true)})";
    }

    private string Access(InventedType type)
    {
        string[] all = type.IsStruct
            ? ["public", "private", "internal"]
            : ["public", "public", "private", "internal", "protected", "protected internal", "private protected"];
        return all[random.Next(all.Length)];
    }
}
