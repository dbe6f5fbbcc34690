namespace Wire.Fuzz.Mutation;

/// <content>Manifests, and the shapes in them (docs/format.md, clauses 5 and 6).</content>
internal sealed partial class LayoutReader
{
    private const int MaxShapeDepth = 32;

    /// <summary>A shape: its code, what it is made of, and its number where it has one.</summary>
    private sealed record Form(byte Code, Form? First = null, Form? Second = null, uint Number = 0)
    {
        public List<Form> Members { get; } = [];
    }

    /// <summary>The shapes with members around a value, the innermost first.</summary>
    private sealed record Levels(Form Form, Levels? Above);

    private void Definition(int tag)
    {
        uint id = _isNumbered ? Number(PartKind.Identifier) : (uint)_manifests.Count;
        int field = _at;
        uint length = Varint();
        int start = _at;
        int end = Checked(length);
        _layout.Add(new Sized(LengthCode.Varint, field, start, end));
        int behind = _isNumbered ? end + sizeof(uint) : end;
        _layout.Add(PartKind.Definition, tag, behind);
        if (_isNumbered)
        {
            _layout.AddCheck(id, start, end);
        }

        _manifests[id] = null;
        uint header = Varint();
        if ((header & 1) == 0)
        {
            int name = _at;
            Take(header >> 1);
            _layout.Add(new Sized(LengthCode.Name, start, name, _at));
            _layout.Add(PartKind.TypeName, name, _at);
        }

        byte flags = Byte();
        _layout.Add(PartKind.Flags, _at - 1, _at);
        if ((flags & 1) != 0)
        {
            _manifests[id] = Shape(0);
        }

        _at = behind;
        Body(id);
    }

    private Form Shape(int depth)
    {
        if (depth > MaxShapeDepth)
        {
            throw new EndOfStreamException();
        }

        int start = _at;
        byte code = Byte();
        Form form;
        switch (code)
        {
            case 0x40 or 0x41 or 0x43 or 0x49:
                form = new Form(code, Shape(depth + 1));
                break;
            case 0x46:
                // No shape behind it means that no layout is agreed on.
                form = _at < _end && _input[_at] == 0 ? new Form(code) : new Form(code, Shape(depth + 1));
                _at += form.First is null ? 1 : 0;
                break;
            case 0x42:
                Form key = Shape(depth + 1);
                form = new Form(code, key, Shape(depth + 1));
                break;
            case 0x44 or 0x4A:
                form = new Form(code);
                for (uint count = Number(PartKind.Count); count > 0; count--)
                {
                    Name();
                    form.Members.Add(Shape(depth + 1));
                }

                break;
            case 0x4B:
                // Its values lie like the integer.
                form = Shape(depth + 1);
                for (uint count = Number(PartKind.Count); count > 0; count--)
                {
                    Name();
                    int value = _at;
                    while (Byte() >= 0x80)
                    {
                    }

                    _layout.Add(PartKind.Fixed, value, _at);
                }

                break;
            case 0x45 or 0x48:
                form = new Form(code, Number: Varint());
                break;
            default:
                form = new Form(code);
                break;
        }

        _layout.Add(PartKind.Shape, start, _at);
        return form;
    }

    // The name of a member, a case or a value of an enum.
    private void Name()
    {
        int field = _at;
        uint length = Varint();
        int name = _at;
        Take(length);
        _layout.Add(new Sized(LengthCode.Varint, field, name, _at));
        _layout.Add(PartKind.MemberName, name, _at);
    }
}
