using System.Text;
using Microsoft.CodeAnalysis;
using Wire.Analyzers.Symbols;

namespace Wire.Generator.Parsing;

/// <summary>
/// Prints the classes that write and read the members of types, where all fields are declared in these sources and can be named. Elsewhere
/// Wire reads them as it does without a generator.
/// </summary>
internal sealed class MemberCodes(Origins origins, TypeNames names)
{
    private const string Unsafe = "global::System.Runtime.CompilerServices.Unsafe";

    private readonly List<string> _classes = [];
    private readonly Dictionary<string, string?> _names = [];
    private readonly FieldAccessors _accessors = new(names);

    /// <summary>Gets the classes.</summary>
    public string[] Classes => [.. _classes, .. _accessors.Classes];

    /// <summary>Prints the class for a type and returns its name; null where the sources do not show all its fields.</summary>
    public string? For(INamedTypeSymbol type)
    {
        // Names of the elements of tuples make another symbol, and no other type.
        string own = names.Of(type);
        if (!_names.TryGetValue(own, out string? known))
        {
            known = Print(type);
            _names.Add(own, known);
        }

        return known;
    }

    private string? Print(INamedTypeSymbol type)
    {
        if (MembersOf(type) is not { Count: > 0 } members)
        {
            return null;
        }

        string name = $"MemberCode{_classes.Count}";
        _classes.Add(new Printer(names, _accessors, type, members).Print(name));
        return name;
    }

    private List<Member>? MembersOf(INamedTypeSymbol type)
    {
        var members = new SortedDictionary<string, Member>(StringComparer.Ordinal);
        for (INamedTypeSymbol? current = type;
            current is not { SpecialType: SpecialType.System_Object or SpecialType.System_ValueType };
            current = current.BaseType)
        {
            if (current is null || origins.Of(current) != Origin.Own || !names.HasWhole(current)
                || !FieldAccessors.CanHave(current.OriginalDefinition)
                || current.HasAttribute("System.Runtime.CompilerServices.InlineArrayAttribute"))
            {
                return null;
            }

            foreach (WrittenMember member in WrittenMember.Of(current))
            {
                if (member is not { Field: { IsVolatile: false, RefKind: RefKind.None } field, IsBuffer: false }
                    || !names.HasWhole(field.Type) || members.ContainsKey(NameOf(member)))
                {
                    return null;
                }

                members.Add(NameOf(member), new Member(current, field));
            }
        }

        return [.. members.Values];
    }

    // Only the order matters here.
    private static string NameOf(WrittenMember member) => member.Given?.Name() ?? member.Face.Name;

    private sealed record Member(INamedTypeSymbol Owner, IFieldSymbol Field)
    {
        public (MemberKind Kind, int Size, bool CanFail) Way { get; } = MemberKinds.Of(Field.Type);

        public bool HasSlot => Way.Kind is MemberKind.Value or MemberKind.Part;
    }

    private sealed class Printer(TypeNames names, FieldAccessors accessors, INamedTypeSymbol type, List<Member> members)
    {
        // So many bytes are asked for at once, as emitted code does.
        private const int MaxRun = 1 << 12;

        private readonly StringBuilder _text = new();

        // The first of the members of fixed size that are asked for at once; negative for one of another size.
        private readonly int[] _runs = RunsOf(members);
        private int _depth;

        public string Print(string name)
        {
            Line($"private sealed class {name} : global::Wire.MemberCode");
            Open();
            Fields();
            Line($"protected override bool Fits(int count) => count == {members.Count}");
            for (int i = 0; i < members.Count; i++)
            {
                Line($"    && {Question(i)}{(i == members.Count - 1 ? ";" : "")}");
            }

            Line("");
            Method("Write", "Writer", Write);
            Line("");
            Method("Read", "Reader", Read);
            _depth--;
            _text.Append('}');
            return _text.ToString();
        }

        private void Fields()
        {
            for (int i = 0; i < members.Count; i++)
            {
                if (HasNumber(i))
                {
                    Line($"private int _m{i};");
                }

                if (members[i].HasSlot)
                {
                    Line($"private global::Wire.ValueSerializer<{TypeOf(members[i])}> _s{i};");
                }
            }

            Line("");
        }

        // Of several of fixed size one behind the other, the first stands for all that cannot be refused.
        private bool HasNumber(int index) => members[index].Way is not (MemberKind.Fixed, _, false) || _runs[index] == index;

        private static int[] RunsOf(List<Member> members)
        {
            var runs = new int[members.Count];
            int size = 0;
            for (int i = 0; i < runs.Length; i++)
            {
                size += members[i].Way.Size;
                bool goesOn = i > 0 && runs[i - 1] >= 0 && size <= MaxRun;
                runs[i] = members[i].Way.Kind != MemberKind.Fixed ? -1 : goesOn ? runs[i - 1] : i;
                size = goesOn ? size : members[i].Way.Size;
            }

            return runs;
        }

        private string Question(int index)
        {
            Member member = members[index];
            string question = member.Way.Kind switch
            {
                MemberKind.Fixed => $"Fixed<{TypeOf(member)}>",
                MemberKind.Nullable => $"Nullable<{names.Of(((INamedTypeSymbol)member.Field.Type).TypeArguments[0])}>",
                MemberKind.Text => "Text",
                _ => $"Value<{TypeOf(member)}>",
            };
            string number = HasNumber(index) ? $"_m{index}" : "_";
            string slot = member.HasSlot ? $", out _s{index}" : "";
            string owner = $"typeof({names.Of(member.Owner)})";
            return $"{question}({index}, {owner}, {FieldAccessors.Quoted(member.Field.MetadataName)}, out {number}{slot})";
        }

        private void Method(string name, string kind, Action members)
        {
            string state = kind == "Writer" ? "writer" : "reader";
            Line($"protected override void {name}(ref global::Wire.Wire{kind} {state}, ref byte variable)");
            Open();
            string own = names.Of(type);
            Line(type.IsValueType
                ? $"ref {own} owner = ref {Unsafe}.As<byte, {own}>(ref variable);"
                : $"{own} owner = {Unsafe}.As<byte, {own}>(ref variable);");
            Line($"ref byte at = ref Begin(ref {state});");
            members();
            Line($"End(ref {state}, ref at);");
            Close();
        }

        private void Write()
        {
            for (int i = 0; i < members.Count;)
            {
                Member member = members[i];
                if (member.Way.Kind == MemberKind.Fixed)
                {
                    i = Run(i, "writer", (each, _, offset) => Line($"Store(ref at, {offset}, {Access(each)});"));
                    continue;
                }

                string value = (member.Way.Kind == MemberKind.Part ? "ref " : "") + Access(member);
                Line($"at = ref {member.Way.Kind}(ref writer, ref at, {Slot(i)}{value}, _m{i});");
                i++;
            }
        }

        private void Read()
        {
            for (int i = 0; i < members.Count;)
            {
                Member member = members[i];
                if (member.Way.Kind == MemberKind.Fixed)
                {
                    i = Run(
                        i,
                        "reader",
                        (each, index, offset) => Line(
                            $"{Access(each)} = Load<{TypeOf(each)}>"
                            + $"(ref reader, ref at, {offset}, {(HasNumber(index) ? $"_m{index}" : "0")});"));
                    continue;
                }

                bool isInPlace = member.Way.Kind == MemberKind.Part;
                string target = isInPlace ? $"ref {Access(member)}" : $"out {TypeOf(member)} v{i}";
                Line($"at = ref {member.Way.Kind}(ref reader, ref at, {Slot(i)}_m{i}, {target});");
                if (!isInPlace)
                {
                    Line($"{Access(member)} = v{i};");
                }

                i++;
            }
        }

        private string Slot(int index) => members[index].HasSlot ? $"_s{index}, " : "";

        // One check of the window for all.
        private int Run(int start, string state, Action<Member, int, int> print)
        {
            int end = start, size = 0;
            for (; end < members.Count && _runs[end] == start; end++)
            {
                size += members[end].Way.Size;
            }

            Line($"at = ref Ensure(ref {state}, ref at, {size}, _m{start});");
            int offset = 0;
            for (int i = start; i < end; i++)
            {
                print(members[i], i, offset);
                offset += members[i].Way.Size;
            }

            Line($"at = ref Behind(ref at, {size});");
            return end;
        }

        private string Access(Member member) =>
            $"{accessors.For(member.Owner, member.Field)}({(type.IsValueType ? "ref " : "")}owner)";

        private string TypeOf(Member member) => names.Of(member.Field.Type);

        private void Open()
        {
            Line("{");
            _depth++;
        }

        private void Close()
        {
            _depth--;
            Line("}");
        }

        private void Line(string text) => _text.Append(' ', text.Length == 0 ? 0 : _depth * 4).Append(text).Append('\n');
    }
}
