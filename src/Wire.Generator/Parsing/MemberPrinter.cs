using System.Text;
using Microsoft.CodeAnalysis;

namespace Wire.Generator.Parsing;

/// <summary>Prints the class that writes and reads the members of one type.</summary>
/// <param name="names">The names of types.</param>
/// <param name="accessors">What reaches the fields.</param>
/// <param name="type">The type.</param>
/// <param name="members">Its members.</param>
/// <param name="ways">How they are written in flat messages, where not by a virtual method.</param>
internal sealed partial class MemberPrinter(
    TypeNames names, FieldAccessors accessors, INamedTypeSymbol type, List<CodedMember> members, InPlace?[] ways)
{
    private const string Unsafe = "global::System.Runtime.CompilerServices.Unsafe";

    private const string Writer = "global::Wire.WireWriter";
    private const string Reader = "global::Wire.WireReader";

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

        Method($"protected override void Write(ref {Writer} writer, ref byte variable)", () =>
        {
            Owner();
            Window("writer", Write);
        });
        Read();
        Flat();
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
                Line($"private global::Wire.FlatPart _f{i};");
            }

            if (ways[i]?.Code is { } code)
            {
                Line($"private {code} _c{i};");
            }
        }

        Line("");
    }

    // Of several of fixed size one behind the other, the first stands for all that cannot be refused.
    private bool HasNumber(int index) => members[index].Way is not (MemberKind.Fixed, _, false) || _runs[index] == index;

    private static int[] RunsOf(List<CodedMember> members)
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
        CodedMember member = members[index];
        string question = member.Way.Kind switch
        {
            MemberKind.Fixed => $"Fixed<{TypeOf(member)}>",
            MemberKind.Nullable => $"Nullable<{names.Of(((INamedTypeSymbol)member.Field.Type).TypeArguments[0])}>",
            MemberKind.Text => "Text",
            _ => $"Value<{TypeOf(member)}>",
        };
        string number = HasNumber(index) ? $"_m{index}" : "int _";
        string slot = member.HasSlot ? $", out _s{index}" : "";
        string size = member.Way.Size > 0 ? $"{member.Way.Size}, " : "";
        string name = member.Given is { } given ? $", {FieldAccessors.Quoted(given)}" : "";
        string owner = $"typeof({names.Of(member.Owner)})";
        return $"{question}({index}, {owner}, {FieldAccessors.Quoted(member.Field.MetadataName)}, {size}out {number}{slot}{name})";
    }

    private void Read()
    {
        string own = names.Of(type);
        Method($"protected override void Read(ref {Reader} reader, ref byte variable)", () =>
        {
            Owner();
            Line($"ReadMembers(ref reader, {Argument});");
        });
        Method($"private void ReadMembers(ref {Reader} reader, {Parameter})", () => Window("reader", ReadMembers), isInlined: true);
        if (!type.IsValueType)
        {
            Method($"protected override object ReadObject(ref {Reader} reader)", () =>
            {
                Line("object made = Create(ref reader);");
                Line($"ReadMembers(ref reader, {Unsafe}.As<{own}>(made));");
                Line("return made;");
            });
        }
    }

    private void Window(string state, Action print)
    {
        Line($"ref byte at = ref Begin(ref {state});");
        print();
        Line($"End(ref {state}, ref at);");
    }

    // The struct, or the object, as a parameter and an argument.
    private string Parameter => $"{(type.IsValueType ? "ref " : "")}{names.Of(type)} owner";

    private string Argument => type.IsValueType ? "ref owner" : "owner";

    private void Owner()
    {
        string own = names.Of(type);
        Line(type.IsValueType
            ? $"ref {own} owner = ref {Unsafe}.As<byte, {own}>(ref variable);"
            : $"{own} owner = {Unsafe}.As<byte, {own}>(ref variable);");
    }

    private void Write() => Each("writer", Store, i =>
    {
        CodedMember member = members[i];
        string value = (member.Way.Kind == MemberKind.Part ? "ref " : "") + Access(member);
        Line($"at = ref {member.Way.Kind}(ref writer, ref at, {Slot(i)}{value}, _m{i});");
    });

    private void ReadMembers() => Each(
        "reader",
        (i, offset) => Line(
            $"{Access(members[i])} = Load<{TypeOf(members[i])}>"
            + $"(ref reader, ref at, {offset}, {(HasNumber(i) ? $"_m{i}" : "0")});"),
        i =>
        {
            CodedMember member = members[i];
            bool isInPlace = member.Way.Kind == MemberKind.Part;
            string target = isInPlace ? $"ref {Access(member)}" : $"out {TypeOf(member)} v{i}";
            Line($"at = ref {member.Way.Kind}(ref reader, ref at, {Slot(i)}_m{i}, {target});");
            if (!isInPlace)
            {
                Line($"{Access(member)} = v{i};");
            }
        });

    private string Slot(int index) => members[index].HasSlot ? $"_s{index}, " : "";

    private void Store(int index, int offset) => Line($"Store(ref at, {offset}, {Access(members[index])});");

    // Of members of fixed size one behind the other, there is one check of the window for all, where there is one. Returns the size of
    // those at the end, behind which the position does not go where there is no window.
    private int Each(string? state, Action<int, int> printFixed, Action<int> printOther)
    {
        int offset = 0;
        for (int i = 0; i < members.Count; i++)
        {
            int run = _runs[i];
            if (run < 0)
            {
                printOther(i);
                continue;
            }

            if (run == i)
            {
                offset = 0;
                if (state is not null)
                {
                    Line($"at = ref Ensure(ref {state}, ref at, {SizeOf(run)}, _m{run});");
                }
            }

            printFixed(i, offset);
            offset += members[i].Way.Size;
            if (i + 1 < members.Count ? _runs[i + 1] != run : state is not null)
            {
                Line($"at = ref Behind(ref at, {offset});");
            }
        }

        return _runs.Last() < 0 ? 0 : offset;
    }

    private int SizeOf(int run) => members.Where((_, i) => _runs[i] == run).Sum(member => member.Way.Size);

    private string Access(CodedMember member) =>
        $"{accessors.For(member.Owner, member.Field)}({(type.IsValueType ? "ref " : "")}owner)";

    private string TypeOf(CodedMember member) => names.Of(member.Field.Type);

    private void Method(string head, Action print, bool isInlined = false)
    {
        Line("");
        if (isInlined)
        {
            Line("[global::System.Runtime.CompilerServices.MethodImpl(256)]");
        }

        Line(head);
        Open();
        print();
        Close();
    }

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
