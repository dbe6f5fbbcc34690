using Wire.Format;

namespace Wire.Documents;

/// <summary>Reads what a value is, at its position in a payload that has been parsed.</summary>
internal ref struct NodeReader
{
    private readonly DocumentIndex _index;
    private ByteCursor _in;

    public NodeReader(PayloadDocument document, Layout position, int start, int open)
    {
        _index = document.Index;
        _in = document.CursorAt(start);
        Tag = -1;
        Layout = position;
        while (Enter())
        {
        }

        if (_index.IsOpenAt(open, start))
        {
            End = _index.OpenValues[open].End;
        }
    }

    /// <summary>Gets the layout behind tags; null where there is none.</summary>
    public Layout? Layout { get; private set; }

    public PayloadType? Type { get; private set; }

    public PayloadKind Kind { get; private set; }

    /// <summary>Gets the tag of a scalar's type, or that of arrays.</summary>
    public byte Code { get; private set; }

    /// <summary>Gets the number of the object that is referred to, or of a union's case; the tag of an array's elements.</summary>
    public int Number { get; private set; }

    /// <summary>Gets the position of the tag; -1 for none.</summary>
    public int Tag { get; private set; }

    public int Content { get; private set; }

    public int End { get; private set; }

    // Goes one step on; false when the value is known.
    private bool Enter()
    {
        Layout layout = Layout!;
        Content = _in.At;
        if (layout.FixedSize > 0)
        {
            return Is(
                layout.Code switch
                {
                    ShapeCode.Members => PayloadKind.Members,
                    ShapeCode.Fixed => PayloadKind.Opaque,
                    _ => PayloadKind.Scalar,
                },
                layout.Code == ShapeCode.Enum ? layout.Element!.Code : layout.Code,
                layout.FixedSize);
        }

        switch (layout.Code)
        {
            case ShapeCode.Nullable:
                if (_in.ReadByte() == 0)
                {
                    return Is(PayloadKind.Null);
                }

                Layout = layout.Element;
                return true;
            case ShapeCode.Tagged:
                return EnterTagged(layout);
            case ShapeCode.Sequence:
                uint count = _in.ReadVarUInt32();
                return Is(PayloadKind.Sequence, Code, count * layout.ElementFixedSize);
            case ShapeCode.Array:
                count = _in.ReadBounds(0, int.MaxValue, out _);
                return Is(PayloadKind.Array, Code, count * layout.ElementFixedSize);
            case ShapeCode.Set:
                return Is(PayloadKind.Set);
            case ShapeCode.Map:
                return Is(PayloadKind.Map);
            case ShapeCode.Members:
                return Is(PayloadKind.Members);
            case ShapeCode.Union:
                Number = (int)_in.ReadVarUInt32();
                Content = _in.At;
                return Is(PayloadKind.Union, Code, layout.Members[Number].Layout.FixedSize);
            case ShapeCode.Framed:
                return Framed();
            default:
                return Scalar(layout.Code);
        }
    }

    private bool EnterTagged(Layout position)
    {
        int start = _in.At;
        if (Tag < 0)
        {
            Tag = start;
            if (_index.TryFindChain(start, out TagChain chain))
            {
                // Going through all of its tags each time would take quadratic time where many refer to it.
                (Type, Layout) = (chain.Type, chain.Position);
                _in.Skip(chain.Last - start);
                return true;
            }
        }

        byte tag = _in.ReadByte();

        switch (tag)
        {
            case Format.Tag.Null:
                return Is(PayloadKind.Null);
            case Format.Tag.Reference:
                Number = (int)_in.ReadVarUInt32();
                return Is(PayloadKind.Reference);
            case Format.Tag.Declared:
                Layout = position.Element;
                return true;
            case Format.Tag.Definition:
                Type = _index.TypeAt(start);
                _in.Skip(Type.Length - 1);
                Layout = Type.Layout;
                return true;
            case Format.Tag.Vector:
                Code = tag;
                Number = _in.ReadByte();
                Layout = Layout.Vector((byte)Number);
                return true;
            case Format.Tag.Object:
                Layout = null;
                return Is(PayloadKind.Members);
            case Format.Tag.Defined or >= Format.Tag.FirstShortIdentifier:
                uint id = tag == Format.Tag.Defined ? _in.ReadVarUInt32() : tag - (uint)Format.Tag.FirstShortIdentifier;
                Type = _index.TypeOf(id);
                Layout = Type.Layout;
                return true;
            default:
                Layout = null;
                Content = _in.At;
                return TagTypes.FixedSizeOf(tag) is > 0 and int size ? Is(PayloadKind.Scalar, tag, size) : Scalar(tag);
        }
    }

    private bool Scalar(byte tag)
    {
        if (tag == Format.Tag.String && _in.ReadTextHead(out bool isWide) is var length)
        {
            return length is null ? Is(PayloadKind.Null) : Is(PayloadKind.Scalar, tag, isWide ? 2L * length.Value : length.Value);
        }

        Scalars.Skip(ref _in, tag);
        return Is(PayloadKind.Scalar, tag);
    }

    private bool Framed()
    {
        uint length = _in.ReadVarUInt32();
        if (_index.HasReferences)
        {
            _in.ReadVarUInt32();
        }

        Content = _in.At;
        return Is(PayloadKind.Opaque, Code, length);
    }

    private bool Is(PayloadKind kind, byte code = 0, long size = 0)
    {
        Kind = kind;
        Code = code;
        _in.Skip(size);
        End = _in.At;
        return false;
    }
}
