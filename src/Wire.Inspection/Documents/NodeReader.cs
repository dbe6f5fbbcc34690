using Wire.Format;

namespace Wire.Documents;

/// <summary>Reads what a value is, at its position in a payload that has been parsed.</summary>
internal ref struct NodeReader
{
    private readonly DocumentIndex _index;
    private ByteCursor _in;
    private LayoutWalker _walker = new(WalkStops.All, null);

    public NodeReader(PayloadDocument document, Shape position, int start, int open)
    {
        _index = document.Index;
        _in = document.CursorAt(start);
        Tag = -1;
        _walker.GoTo(position, start);
        while (Enter(_walker.Next(ref _in)))
        {
        }

        if (_index.IsOpenAt(open, start))
        {
            End = _index.OpenValues[open].End;
        }
    }

    /// <summary>Gets the layout behind tags; null where there is none.</summary>
    public Shape? Layout { get; private set; }

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

    // False when the value is known.
    private bool Enter(WalkStep step)
    {
        Shape shape = _walker.Shape;
        Content = step is WalkStep.Fixed or WalkStep.Scalar ? _in.At : (int)_walker.Content;
        switch (step)
        {
            case WalkStep.Null:
                return Is(PayloadKind.Null, shape);
            case WalkStep.Reference:
                Number = (int)_walker.Number;
                Begin();
                return Is(PayloadKind.Reference, shape);
            case WalkStep.Level:
                return GoTo(_walker.Inside!);
            case WalkStep.Object:
                return EnterObject();
            case WalkStep.Fixed:
                return Is(
                    shape.Code switch
                    {
                        ShapeCode.Members => PayloadKind.Members,
                        ShapeCode.Fixed => PayloadKind.Opaque,
                        _ => PayloadKind.Scalar,
                    },
                    _walker.IsTagged ? null : shape,
                    shape.Code == ShapeCode.Enum ? shape.Element!.Code : shape.Code,
                    shape.FixedSize);
            case WalkStep.Parts when _walker.Union is { } union:
                Number = (int)_walker.Number;
                return Is(PayloadKind.Union, union, Code, shape.FixedSize);
            case WalkStep.Parts:
                return shape.Code switch
                {
                    ShapeCode.Sequence => Is(PayloadKind.Sequence, shape, Code, _walker.Count * shape.ElementFixedSize),
                    ShapeCode.Array => Is(PayloadKind.Array, shape, Code, _walker.Count * shape.ElementFixedSize),
                    ShapeCode.Set => Is(PayloadKind.Set, shape),
                    ShapeCode.Map => Is(PayloadKind.Map, shape),
                    _ => Is(PayloadKind.Members, shape),
                };
            case WalkStep.Framed:
                uint length = _in.ReadVarUInt32();
                if (_index.HasReferences)
                {
                    _in.ReadVarUInt32();
                }

                Content = _in.At;
                return Is(PayloadKind.Opaque, shape, Code, length);
            default:
                return Scalar(shape);
        }
    }

    private bool EnterObject()
    {
        int start = (int)_walker.TagStart;
        if (Begin() && _index.TryFindChain(start, out TagChain chain))
        {
            // Going through all of its tags each time would take quadratic time where many refer to it.
            Type = chain.Type;
            _in.GoTo(chain.Last);
            return GoTo(chain.Position);
        }

        if (_walker.Tag == Format.Tag.Vector)
        {
            (Code, Number) = (Format.Tag.Vector, (int)_walker.Number);
        }

        if (_walker.Inside is { } inside)
        {
            return GoTo(inside);
        }

        if (_walker.Tag == Format.Tag.Object)
        {
            return Is(PayloadKind.Members, null);
        }

        if (_walker.Tag == Format.Tag.Definition)
        {
            Type = _index.TypeAt(start);
            _in.GoTo(start + Type.Length);
        }
        else
        {
            Type = _index.TypeOf(ManifestContent.ReadIdentifier(ref _in, _walker.Tag));
        }

        return GoTo(Type.Layout!);
    }

    // Takes note of the first tag; false for others.
    private bool Begin()
    {
        bool isFirst = Tag < 0;
        if (isFirst)
        {
            Tag = (int)_walker.TagStart;
        }

        return isFirst;
    }

    private bool GoTo(Shape shape)
    {
        _walker.GoTo(shape, _in.At);
        return true;
    }

    private bool Scalar(Shape shape)
    {
        byte tag = shape.Code;
        Shape? layout = _walker.IsTagged ? null : shape;
        if (tag == Format.Tag.String && _in.ReadTextHead(out bool isWide) is var length)
        {
            return length is null ? Is(PayloadKind.Null, layout)
                : Is(PayloadKind.Scalar, layout, tag, isWide ? 2L * length.Value : length.Value);
        }

        Scalars.Skip(ref _in, tag);
        return Is(PayloadKind.Scalar, layout, tag);
    }

    private bool Is(PayloadKind kind, Shape? layout, byte code = 0, long size = 0)
    {
        Kind = kind;
        Layout = layout;
        Code = code;
        _in.Skip(size);
        End = _in.At;
        return false;
    }
}
