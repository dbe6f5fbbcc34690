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
            Line($"protected override bool FitsFlat() => {string.Join(" && ", slots.Select(i => $"Flat({i}, out _f{i})"))};");
        }

        // They are compiled into the code for a whole message, and into that for a part of one.
        Method($"private int WriteFlat(ref {Output} output, ref byte start, int room, {Parameter})", WriteFlat, isInlined: true);
        Method($"private int ReadFlat(ref {Input} input, ref byte start, int room, {Parameter})", ReadFlat, isInlined: true);
        Method($"public override int Write(ref {Output} output, ref byte start, int room, ref byte variable)", () =>
        {
            Owner();
            Line($"return WriteFlat(ref output, ref start, room, {Argument});");
        });
        Method($"public override int Read(ref {Input} input, ref byte start, int room, ref byte variable)", () =>
        {
            Owner();
            Line($"return ReadFlat(ref input, ref start, room, {Argument});");
        });
        if (!type.IsValueType)
        {
            Messages(names.Of(type));
        }
    }

    private void Messages(string own)
    {
        Method("protected override int WriteMessage(ref byte destination, int room, object value, byte tag, object known)", () =>
        {
            Line("int head = Head;");
            Line("room -= head;");
            Line($"ref byte start = ref BeginOutput(ref destination, room, head, tag, known, out {Output} output);");
            Line($"int size = WriteFlat(ref output, ref start, room, {Unsafe}.As<{own}>(value));");
            Line("return EndOutput(room, head, size);");
        });
        Method($"protected override object ReadMessage(ref byte source, int length, {Session} session, ref int unread)", () =>
        {
            Line($"if (!BeginInput(ref source, length, session, out {Input} input, out object made)) return null;");
            Line($"int size = ReadFlat(ref input, ref Behind(ref source, Head), length - Head, {Unsafe}.As<{own}>(made));");
            Line("return EndInput(length, size, ref unread) ? made : null;");
        });
    }

    private void WriteFlat()
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
        Line("if (room < 0) return room;");
        Line("ref byte at = ref start;");
        Each(null, Store, i =>
        {
            CodedMember member = members[i];
            if (member.HasSlot)
            {
                Line($"int n{i} = _f{i}.Write(ref output, ref at, room, ref Untyped(ref {Access(member)}));");
                Line($"if (n{i} < 0) return Below(n{i});");
                Line($"room -= n{i};");
                Line($"at = ref Behind(ref at, n{i});");
            }
            else
            {
                string value = member.Way.Kind == MemberKind.Text ? $"t{i}" : Access(member);
                Line($"at = ref Behind(ref at, {member.Way.Kind}(ref at, {value}));");
            }
        });
        Line("return Between(ref start, ref at);");
    }

    private void ReadFlat()
    {
        Line($"room -= {members.Sum(LeastOf)};");
        Line("if (room < 0) return -1;");
        Line("ref byte at = ref start;");
        Each(null, (i, offset) => Line($"{Access(members[i])} = Load<{TypeOf(members[i])}>(ref at, {offset});"), i =>
        {
            CodedMember member = members[i];
            string state = member.Way.Kind == MemberKind.Nullable ? "" : "ref input, ";
            Line(member.HasSlot
                ? $"int n{i} = _f{i}.Read(ref input, ref at, room, ref Untyped(ref {Access(member)}));"
                : $"int n{i} = {member.Way.Kind}({state}ref at, room, out {TypeOf(member)} v{i});");
            Line($"if (n{i} < 0) return n{i};");
            if (!member.HasSlot)
            {
                Line($"{Access(member)} = v{i};");
            }

            Line($"room -= n{i};");
            Line($"at = ref Behind(ref at, {(member.HasSlot ? "" : "1 + ")}n{i});");
        });
        Line("return Between(ref start, ref at);");
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
