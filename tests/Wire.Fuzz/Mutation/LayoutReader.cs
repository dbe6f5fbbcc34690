using System.Buffers.Binary;

namespace Wire.Fuzz.Mutation;

/// <summary>
/// Finds the parts of payloads by what docs/format.md says, and by nothing of the library: clauses 1, 3 to 9 and 11. Where an
/// input stops to make sense, so does the layout.
/// </summary>
internal sealed partial class LayoutReader
{
    private const int MaxDepth = 200;
    private const int MaxValues = 20_000;

    // The sizes of the values with the tags 0x10 to 0x29.
    private static readonly byte[] Sizes = [1, 1, 1, 2, 2, 4, 4, 8, 8, 16, 16, 8, 8, 2, 4, 8, 16, 2, 4, 16, 8, 10, 8, 4, 8, 16];

    private readonly byte[] _input;
    private readonly Layout _layout;
    private readonly Dictionary<uint, Form?> _manifests = [];
    private int _at;
    private int _end;
    private int _values;
    private int _depth;
    private bool _hasReferences;
    private bool _isNumbered;

    private LayoutReader(byte[] input) => (_input, _layout, _end) = (input, new Layout(input), input.Length);

    /// <summary>The size of the values with a tag; 0 when they differ.</summary>
    public static int SizeOf(byte tag) => tag is >= 0x10 and <= 0x29 ? Sizes[tag - 0x10] : 0;

    /// <summary>The parts of one payload.</summary>
    public static Layout OfPayload(byte[] input)
    {
        var reader = new LayoutReader(input);
        reader.TryPayload();
        return reader._layout;
    }

    /// <summary>The parts of messages of one session, each behind its length.</summary>
    public static Layout OfMessages(byte[] input)
    {
        var reader = new LayoutReader(input);
        for (int at = 0; input.Length - at >= sizeof(uint);)
        {
            int start = at + sizeof(uint);
            int end = (int)Math.Min(input.Length, start + (long)BinaryPrimitives.ReadUInt32LittleEndian(input.AsSpan(at)));
            reader._layout.Add(new Sized(LengthCode.Frame, at, start, end));
            reader._layout.Add(PartKind.Message, start, end);
            (reader._at, reader._end, reader._depth) = (start, end, 0);
            reader.TryPayload();
            at = end;
        }

        return reader._layout;
    }

    private void TryPayload()
    {
        try
        {
            byte header = Byte();
            _layout.Add(PartKind.Header, _at - 1, _at);
            _hasReferences = (header & 2) != 0;
            _isNumbered = (header & 4) != 0;
            if (!_isNumbered)
            {
                _manifests.Clear();
            }

            if ((header & ~6) == 0x10)
            {
                Tagged(null, null);
            }
        }
        catch (EndOfStreamException)
        {
            // What was found up to here is the layout.
        }
    }

    private void Tagged(Form? declared, Levels? above)
    {
        int start = _at;
        byte tag = Byte();
        _layout.Add(PartKind.Tag, start, _at);
        switch (tag)
        {
            case 0x00 or 0x2F:
                break;
            case 0x01:
                Number(PartKind.Reference);
                break;
            case 0x02:
                Definition(start);
                break;
            case 0x03 or >= 0x80:
                uint number = tag == 0x03 ? Number(PartKind.Identifier) : tag - 0x80u;
                _layout.Add(PartKind.Use, start, _at);
                Body(number);
                break;
            case 0x04 when declared is not null:
                Value(declared, above);
                break;
            case 0x05:
                // Elements of classes other than strings are tagged.
                byte element = Byte();
                _layout.Add(PartKind.Tag, _at - 1, _at);
                Value(new Form(0x41, element is 0x2B or 0x2C or 0x2E or 0x2F ? new Form(0x46) : BuiltInForm(element)), null);
                break;
            case >= 0x10 and < 0x2F:
                Value(new Form(tag), null);
                break;
            default:
                throw new EndOfStreamException();
        }

        _layout.Add(PartKind.Tagged, start, _at);
    }

    private static Form BuiltInForm(byte tag) => tag is >= 0x10 and <= 0x2F ? new Form(tag) : throw new EndOfStreamException();

    private void Body(uint manifest)
    {
        if (_manifests.GetValueOrDefault(manifest) is not { } form)
        {
            throw new EndOfStreamException();
        }

        Value(form, null);
    }

    private void Value(Form form, Levels? above)
    {
        if (++_depth > MaxDepth || ++_values > MaxValues)
        {
            throw new EndOfStreamException();
        }

        int start = _at;
        switch (form.Code)
        {
            case 0x40:
                if (Byte() == 1)
                {
                    Value(form.First!, above);
                }

                break;
            case 0x41:
                Elements(Number(PartKind.Count), form, above);
                break;
            case 0x42 or 0x49:
                Comparer(isPart: false);
                Elements(Number(PartKind.Count), form, above);
                break;
            case 0x43:
                uint count = 1;
                for (int rank = Byte(); rank > 0; rank--)
                {
                    count *= Number(PartKind.Count);
                    Take(sizeof(int));
                }

                Elements(count, form, above);
                break;
            case 0x44:
                Members(form, above);
                break;
            case 0x4A:
                uint chosen = Number(PartKind.Count);
                Form of = chosen < form.Members.Count ? form.Members[(int)chosen] : throw new EndOfStreamException();
                Members(of, new Levels(form, above));
                break;
            case 0x45:
                Levels? target = above;
                for (uint i = 0; i < form.Number; i++)
                {
                    target = target?.Above;
                }

                Value(target?.Form ?? throw new EndOfStreamException(), target.Above);
                break;
            case 0x46:
                Tagged(form.First, above);
                break;
            case 0x47:
                Frame();
                break;
            case 0x48:
                Take((int)form.Number);
                break;
            default:
                BuiltIn(form.Code);
                break;
        }

        _layout.Add(PartKind.Untagged, start, _at);
        _depth--;
    }

    private void Members(Form form, Levels? above)
    {
        var level = new Levels(form, above);
        foreach (Form member in form.Members)
        {
            Value(member, level);
        }
    }

    private void Elements(uint count, Form form, Levels? above)
    {
        for (uint i = 0; i < count; i++)
        {
            Value(form.First!, above);
            if (form.Second is not null)
            {
                Value(form.Second, above);
            }
        }
    }

    private void Frame()
    {
        int field = _at;
        uint length = Varint();
        if (_hasReferences)
        {
            Varint();
        }
        else
        {
            _layout.Add(new Sized(LengthCode.Varint, field, _at, Checked(length)));
        }

        Take(length);
    }

    private void BuiltIn(byte tag)
    {
        int start = _at;
        switch (tag)
        {
            case >= 0x10 and <= 0x29:
                Take(SizeOf(tag));
                _layout.Add(PartKind.Fixed, start, _at);
                break;
            case 0x2A or 0x2E:
                Text();
                break;
            case 0x2B:
                Take(1);
                Text();
                break;
            case 0x2C:
                Take(4 * sizeof(int));
                break;
            case 0x2D:
                uint length = Varint();
                _layout.Add(new Sized(LengthCode.Varint, start, _at, Checked(length)));
                Take(length);
                break;
            case 0x2F:
                break;
            default:
                throw new EndOfStreamException();
        }
    }

    private void Comparer(bool isPart)
    {
        int start = _at;
        switch (Byte())
        {
            case 0x10:
                Text();
                Take(sizeof(int));
                break;
            case 0x11:
                Tagged(null, null);
                break;
            case 0x12 when !isPart:
                Comparer(isPart: true);
                Comparer(isPart: true);
                break;
            case 0x13 or 0x14:
                Text();
                break;
        }

        _layout.Add(PartKind.Comparer, start, _at);
    }

    private void Text()
    {
        int field = _at;
        uint header = Varint();
        if (header == 0)
        {
            return;
        }

        int start = _at;
        Take(((header - 1) >> 1) * (((header - 1) & 1) + 1L));
        _layout.Add(new Sized(LengthCode.Text, field, start, _at));
        _layout.Add(PartKind.Text, start, _at);
    }

    private uint Number(PartKind kind)
    {
        int start = _at;
        uint number = Varint();
        _layout.Add(kind, start, _at);
        return number;
    }

    private uint Varint()
    {
        uint value = 0;
        for (int shift = 0; shift < 35; shift += 7)
        {
            byte part = Byte();
            value |= (uint)(part & 0x7F) << shift;
            if (part < 0x80)
            {
                return value;
            }
        }

        throw new EndOfStreamException();
    }

    private byte Byte()
    {
        Take(1);
        return _input[_at - 1];
    }

    private void Take(long size) => _at = Checked(size);

    private int Checked(long size) => size >= 0 && size <= _end - _at ? _at + (int)size : throw new EndOfStreamException();
}
