namespace Wire.Generator.Parsing;

/// <content>The code for flat messages, whose room is taken once for all values of fixed size and text.</content>
internal sealed partial class MemberPrinter
{
    private const string Output = "global::Wire.FlatOutput";
    private const string Input = "global::Wire.FlatInput";
    private const string Session = "global::Wire.DeserializerSession";

    // The bytes in front of the characters of text.
    private const int TextHeader = 2;

    private void Flat()
    {
        int[] slots = [.. Enumerable.Range(0, members.Count).Where(i => members[i].HasSlot)];
        if (slots.Length > 0)
        {
            Line("");
            Line($"protected override bool FitsFlat() => {string.Join(" && ", slots.Select(FlatQuestion))};");
        }

        Method($"public override int Write(ref {Output} output, ref byte start, int room, ref byte variable)", () =>
        {
            Owner();
            int tail = WriteFlat("room", i => $"Below(n{i})");
            Line($"return {Size(tail)};");
        });
        Method($"public override int Read(ref {Input} input, ref byte start, int room, ref byte variable)", () =>
        {
            Owner();
            int tail = ReadFlat("-1", i => $"n{i}");
            Line($"return {Size(tail)};");
        });
        if (!type.IsValueType)
        {
            Messages(names.Of(type));
            Objects(names.Of(type));
        }
    }

    private string FlatQuestion(int index) => ways[index] switch
    {
        null => $"Flat({index}, out _f{index})",
        { Code: null, Element: var element } => $"Memory<{element}>({index}, out _f{index})",
        _ => $"Nested({index}, out _f{index}, out _c{index})",
    };

    private void Messages(string own)
    {
        Method("protected override int WriteMessage(ref byte destination, int length, object value, byte tag, object known)", () =>
        {
            Line("int head = Head;");
            Line("int room = length - head;");
            Line($"{Output} output = BeginOutput(known);");
            Line($"{own} owner = {Unsafe}.As<{own}>(value);");
            int tail = WriteFlat(
                "Missing(length, room)", i => $"Fail(length, n{i})", "ref byte start = ref Behind(ref destination, head);");
            Line($"return EndOutput(ref destination, ref start, head + {Size(tail)}, tag);");
        });
        Method($"protected override object ReadMessage(ref byte source, int length, {Session} session, ref int unread)", () =>
        {
            Line($"if (!BeginInput(ref source, length, session, out {Input} input, out object made)) return null;");
            Line($"{own} owner = {Unsafe}.As<{own}>(made);");
            Line("int room = length - Head;");
            Line("ref byte start = ref Behind(ref source, Head);");
            Line("int behind = room;");
            int tail = ReadFlat("null", _ => "null");
            Line($"return EndInput(behind - {Size(tail)}, ref unread) ? made : null;");
        });
    }

    // Objects of the class where exactly it is declared: of a member, and of elements.
    private void Objects(string own)
    {
        const string Part = "global::Wire.FlatPart part";
        const string Item = "global::Wire.FlatPart item";
        Method($"public int WriteNested(ref {Output} output, {Part}, ref byte before, int room, {own} owner)", () =>
        {
            Line("int lead = Begin(ref output, part, ref before, room, owner);");
            Line("if (lead <= 0) return lead < 0 ? lead : 1;");
            Line("room -= lead;");
            Line("ref byte start = ref Behind(ref before, lead);");
            int tail = WriteFlat("room", i => $"Below(n{i})");
            Line($"return lead + {Size(tail)};");
        }, isInlined: true);
        Method($"public int ReadNested(ref {Input} input, {Part}, ref byte before, int room, ref {own} variable)", () =>
        {
            Line("int lead = Begin(ref input, part, ref before, room);");
            Line("if (lead < 0) return lead;");
            Line("if (lead == 0)");
            Open();
            Line("variable = null;");
            Line("return 1;");
            Close();
            Line("room -= lead;");
            Line("ref byte start = ref Behind(ref before, lead);");
            Line($"{own} owner = {Unsafe}.As<{own}>(Make(part));");
            int tail = ReadFlat("-1", i => $"n{i}");
            Line("variable = owner;");
            Line($"return lead + {Size(tail)};");
        }, isInlined: true);
        Method($"public int WriteAll(ref {Output} output, {Part}, ref byte start, int room, object value, bool isList)", () =>
        {
            Line($"int lead = Begin(part, ref start, room, value, isList, out {Item}, out global::System.Span<{own}> values);");
            Line("if (lead <= 0) return lead < 0 ? lead : 1;");
            Values("Write", "output", "");
        });
        Method($"public int ReadAll(ref {Input} input, {Part}, ref byte start, int room, ref byte variable, bool isList)", () =>
        {
            Line($"int lead = Begin(part, ref start, room, isList, out {Item}, out object made, out global::System.Span<{own}> values);");
            Line("if (lead < 0) return lead;");
            Values("Read", "input", "ref ", $"{Unsafe}.As<byte, object>(ref variable) = made;");
        });

        void Values(string way, string state, string by, string? last = null)
        {
            Line("room -= lead;");
            Line("ref byte at = ref Behind(ref start, lead);");
            Line("for (int i = 0; i < values.Length; i++)");
            Open();
            Line($"int size = {way}Nested(ref {state}, item, ref at, room, {by}values[i]);");
            Line("if (size < 0) return size;");
            Line("room -= size;");
            Line("at = ref Behind(ref at, size);");
            Close();
            if (last is not null)
            {
                Line(last);
            }

            Line("return Between(ref start, ref at);");
        }
    }

    private static string Text(bool value) => value ? "true" : "false";

    // The position is in front of the members of fixed size at the end.
    private string Size(int tail) => _runs.Last() == 0 ? $"{tail}" : $"(Between(ref start, ref at) + {tail})";

    // What is behind the room is not referred to.
    private int WriteFlat(string missing, Func<int, string> fail, string? begin = null)
    {
        var room = new List<string> { $"{members.Sum(RoomOf)}" };
        for (int i = 0; i < members.Count; i++)
        {
            // Another thread may change it meanwhile.
            if (members[i].Way.Kind == MemberKind.Text)
            {
                Line($"string t{i} = {Access(members[i])};");
                room.Add($"RoomOf(ref output, t{i})");
            }
        }

        Line($"room -= {string.Join(" + ", room)};");
        Line($"if (room < 0) return {missing};");
        if (begin is not null)
        {
            Line(begin);
        }

        Line("ref byte at = ref start;");
        return Each(null, Store, i =>
        {
            CodedMember member = members[i];
            if (member.HasSlot)
            {
                Line($"int n{i} = " + ways[i] switch
                {
                    null => $"_f{i}.Write(ref output, ref at, room, ref Untyped(ref {Access(member)}));",
                    { Code: null } => $"Memory(_f{i}, ref at, room, {Access(member)});",
                    { Element: null } => $"_c{i}.WriteNested(ref output, _f{i}, ref at, room, {Access(member)});",
                    { IsList: var isList } => $"_c{i}.WriteAll(ref output, _f{i}, ref at, room, {Access(member)}, {Text(isList)});",
                });
                Line($"if (n{i} < 0) return {fail(i)};");
                Line($"room -= n{i};");
                Line($"at = ref Behind(ref at, n{i});");
            }
            else
            {
                string value = member.Way.Kind == MemberKind.Text ? $"t{i}" : Access(member);
                Line($"at = ref Behind(ref at, {member.Way.Kind}(ref at, {value}));");
            }
        });
    }

    private int ReadFlat(string missing, Func<int, string> fail)
    {
        Line($"room -= {members.Sum(LeastOf)};");
        Line($"if (room < 0) return {missing};");
        Line("ref byte at = ref start;");
        return Each(null, (i, offset) => Line($"{Access(members[i])} = Load<{TypeOf(members[i])}>(ref at, {offset});"), i =>
        {
            CodedMember member = members[i];
            string state = member.Way.Kind == MemberKind.Nullable ? "" : "ref input, ";
            Line($"int n{i} = " + ways[i] switch
            {
                _ when !member.HasSlot => $"{member.Way.Kind}({state}ref at, room, out {TypeOf(member)} v{i});",
                null or { Code: null } => $"_f{i}.Read(ref input, ref at, room, ref Untyped(ref {Access(member)}));",
                { Element: null } => $"_c{i}.ReadNested(ref input, _f{i}, ref at, room, ref {Access(member)});",
                { IsList: var isList } =>
                    $"_c{i}.ReadAll(ref input, _f{i}, ref at, room, ref Untyped(ref {Access(member)}), {Text(isList)});",
            });
            Line($"if (n{i} < 0) return {fail(i)};");
            if (!member.HasSlot)
            {
                Line($"{Access(member)} = v{i};");
            }

            Line($"room -= n{i};");
            Line($"at = ref Behind(ref at, {(member.HasSlot ? "" : "1 + ")}n{i});");
        });
    }

    // The parts that have their own code take their own room.
    private static int RoomOf(CodedMember member) => member.Way.Kind switch
    {
        MemberKind.Fixed => member.Way.Size,
        MemberKind.Nullable => 1 + member.Way.Size,
        MemberKind.Text => TextHeader,
        _ => 0,
    };

    private static int LeastOf(CodedMember member) => member.HasSlot ? 0 : member.Way.Kind == MemberKind.Fixed ? member.Way.Size : 1;
}
