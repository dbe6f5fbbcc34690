using Wire.Errors;
using Wire.Format;
using Wire.Messages;

namespace Wire.Documents;

/// <summary>
/// Walks once through a payload by its own manifests, checks it, and notes what is where. Values that are open are kept in a list and not
/// on the stack, which a payload could overflow.
/// </summary>
internal ref partial struct DocumentParser(ReadOnlySpan<byte> payload, Limits limits, PayloadDocumentSession? session)
{
    // Whoever reads a value goes through so many tags in front of it; where there are more, the last is noted.
    private const int FewTags = 8;

    private readonly ReadOnlySpan<byte> _payload = payload;
    private readonly ParserScratch _scratch = ParserScratch.Rent();
    private readonly Segments<Nest> _nests = new();
    private ByteCursor _in = new(payload, 0);
    private long _memory;
    private long _manifestBytes;
    private int _objects;
    private int _root;

    // Objects around the current value, those that it has begun itself, and the most of both.
    private int _level;
    private int _begun;
    private int _depth;
    private bool _tracking;
    private bool _isNumbered;

    // The type that the current value has named last.
    private PayloadType? _named;

    /// <summary>Gets the position at which parsing stopped.</summary>
    public readonly int At => _in.At;

    /// <summary>
    /// Gets whether values that are none, references that lead nowhere, and values that are cut are left to those who look at them.
    /// </summary>
    public bool IsTolerant { get; init; }

    /// <summary>Gets the position of the value that was begun last.</summary>
    public int LastValue { get; private set; }

    /// <summary>Gets whether a failure leaves the beginning of the payload. A tolerant parser always leaves it.</summary>
    public bool KeepsBeginning { get; init; }

    /// <summary>Parses the payload.</summary>
    /// <param name="failure">The reason why it cannot be walked through to its end; null when it can.</param>
    /// <returns>The payload, or as much of it as can be walked through; null where nothing of it is kept.</returns>
    public DocumentIndex? Parse(out WireFormatException? failure)
    {
        failure = null;
        try
        {
            session?.CheckOpen();
            Walk();
        }
        catch (WireFormatException exception)
        {
            failure = exception;
        }

        if (failure is null or { Error: WireFormatError.SchemaMismatch })
        {
            // Later messages may use what one that cannot be read without types has defined.
            session?.Keep(_isNumbered ? _scratch.Types : null, isCertain: failure is null);
        }

        return failure is null ? NewIndex([]) : KeepsBeginning || IsTolerant ? Beginning() : null;
    }

    private DocumentIndex Beginning()
    {
        CutValue[] cut = IsTolerant ? [] : CutValues();
        for (int i = 0; i < _nests.Count; i++)
        {
            ref Nest nest = ref _nests[i];
            Close(nest);
            if (!nest.HasHead)
            {
                LastValue = Math.Min(LastValue, _scratch.OpenValues[nest.Number].Start);
            }
        }

        return NewIndex(cut);
    }

    // Of a set or map whose comparer or count cannot be read, nothing can; and a value of which no byte is there is not there.
    private readonly CutValue[] CutValues()
    {
        var cut = new List<CutValue>();
        for (int i = 0; i < _nests.Count && _nests[i].HasHead && _scratch.OpenValues[_nests[i].Number].Start < _in.At; i++)
        {
            cut.Add(new CutValue(_nests[i].Number, _nests[i].Taken));
        }

        if (cut.Count > 0)
        {
            cut[^1] = cut[^1] with { Parts = cut[^1].Parts - 1 };
        }

        return [.. cut];
    }

    private void Walk()
    {
        if (_payload.Length > limits.MaxBytes)
        {
            ThrowHelper.Limit(nameof(Limits.MaxBytes), limits.MaxBytes, $"The payload of {_payload.Length} bytes");
        }

        Header();
        _root = _in.At;
        Value(Layout.Tagged);
        while (_nests.Count > 0)
        {
            GoOn(ref _nests.Last);
        }

        if (_in.Left > 0)
        {
            LastValue = _in.At;
            ThrowHelper.TrailingBytes(_in.Left);
        }
    }

    private DocumentIndex NewIndex(CutValue[] cut)
    {
        var index = new DocumentIndex
        {
            OpenValues = _scratch.OpenValues.Take(),
            Objects = _scratch.Numbered.Take(),
            Chains = _scratch.Chains.Take(),
            Defined = [.. _scratch.Defined],
            Types = _isNumbered ? new(_scratch.Types) : null,
            HasReferences = _tracking,
            ObjectCount = _objects,
            Depth = _depth,
            Root = _root,
            Cut = cut,
        };
        _scratch.Return();
        return index;
    }

    private void Header()
    {
        byte header = _in.ReadByte();
        if (!PayloadHeader.IsKnown(header))
        {
            PayloadHeader.Refuse(header, _payload[1..]);
        }

        LastValue = _in.At;
        _tracking = (header & PayloadHeader.References) != 0;
        _isNumbered = (header & PayloadHeader.Session) != 0;
        if ((header & PayloadHeader.Typed) != 0)
        {
            ThrowHelper.Format(
                WireFormatError.SchemaMismatch,
                "The payload is of SerializeTyped: only the type that it was written as says how its root is laid out. Read it with "
                + "DeserializeTyped, and write with Serialize what is to be read without types.");
        }
    }

    // A value of a layout: passes over it, or opens it when it has parts.
    private void Value(Layout layout)
    {
        int start = _in.At;
        int outer = -1;
        int firstTag = start;
        int tags = 0;
        LastValue = start;
        _begun = 0;
        _named = null;
        while (true)
        {
            if (layout.FixedSize > 0)
            {
                Fixed(layout);
                return;
            }

            switch (layout.Code)
            {
                case ShapeCode.Nullable:
                    if (!_in.ReadBoolean())
                    {
                        return;
                    }

                    layout = layout.Element!;
                    break;
                case ShapeCode.Tagged:
                    if (tags++ == 0)
                    {
                        firstTag = _in.At;
                    }
                    else if (tags > FewTags)
                    {
                        Note(new TagChain(firstTag, _in.At, layout, _named));
                    }

                    if (Tagged(layout, ref outer) is not { } behind)
                    {
                        return;
                    }

                    layout = behind;
                    break;
                case ShapeCode.Sequence:
                    Open(layout, start, Elements(layout, ReadCount(layout)));
                    return;
                case ShapeCode.Array:
                    Open(layout, start, Elements(layout, _in.ReadBounds(layout.ElementMinSize, limits.MaxElements, out _)));
                    return;
                case ShapeCode.Set or ShapeCode.Map:
                    Begin(new Nest(layout, _scratch.OpenValues.Count) { Comparers = 1 }, start);
                    return;
                case ShapeCode.Members:
                    Open(layout, start, layout.Members.Length);
                    return;
                case ShapeCode.Union:
                    Layout fields = Case(layout);
                    Open(fields, start, fields.Members.Length);
                    return;
                case ShapeCode.Framed:
                    Framed();
                    return;
                default:
                    Scalars.Check(ref _in, layout.Code, limits);
                    return;
            }
        }
    }

    private Layout Case(Layout union)
    {
        uint number = _in.ReadVarUInt32();
        if (number >= (uint)union.Members.Length)
        {
            UnionFormat.NoSuchCase(number, union.Members.Length);
        }

        return union.Members[(int)number].Layout;
    }

    // The layout of what is behind a tag; null where nothing is, or only what has been passed over.
    private Layout? Tagged(Layout position, ref int outer)
    {
        Layout? declared = position.Element;
        int start = _in.At;
        byte tag = _in.ReadByte();
        switch (tag)
        {
            case Tag.Null:
                return null;
            case Tag.Reference:
                Reference();
                return null;
            case Tag.Declared when declared is not null:
                Number(start, position, ref outer);
                return declared;
            case Tag.Definition:
                Number(start, position, ref outer);
                return LayoutOf(Define(start), position);
            case Tag.Defined or >= Tag.FirstShortIdentifier:
                Number(start, position, ref outer);
                return LayoutOf(Find(tag == Tag.Defined ? _in.ReadVarUInt32() : tag - (uint)Tag.FirstShortIdentifier), position);
            case Tag.Vector:
                Number(start, position, ref outer);
                return Layout.Vector(_in.ReadByte());
            case Tag.Object:
                Number(start, position, ref outer);
                return null;
            case var _ when TagTypes.IsTag(tag):
                if (TagTypes.FixedSizeOf(tag) is > 0 and int size)
                {
                    CheckFixed(tag, _in.ReadBytes(size));
                }
                else
                {
                    Scalars.Check(ref _in, tag, limits, isTagged: true);
                }

                return null;
            default:
                return ThrowHelper.Format<Layout>(
                    WireFormatError.Tag, $"0x{tag:X2} is not a tag, or not one that is allowed here.");
        }
    }

    private uint ReadCount(Layout layout) => _in.ReadCount(layout.ElementMinSize, limits.MaxElements);

    // The number of parts that are to be walked through: none where elements are of one size, and passed over together.
    private long Elements(Layout layout, uint count)
    {
        long size = layout.ElementFixedSize;
        if (size == 0)
        {
            return layout.Value is null ? count : 2L * count;
        }

        if (layout.Element!.IsChecked || layout.Value is { IsChecked: true })
        {
            for (uint i = 0; i < count; i++)
            {
                Fixed(layout.Element);
                if (layout.Value is not null)
                {
                    Fixed(layout.Value);
                }
            }
        }
        else
        {
            _in.Skip(count * size);
        }

        return 0;
    }

    // No deeper than a schema may be.
    private void Fixed(Layout layout)
    {
        if (!layout.IsChecked)
        {
            _in.Skip(layout.FixedSize);
        }
        else if (layout.Code == ShapeCode.Members)
        {
            foreach (LayoutMember member in layout.Members)
            {
                Fixed(member.Layout);
            }
        }
        else
        {
            CheckFixed(layout.Code, _in.ReadBytes(layout.FixedSize));
        }
    }

    private readonly void CheckFixed(byte tag, ReadOnlySpan<byte> bytes)
    {
        if (!IsTolerant)
        {
            Scalars.CheckFixed(tag, bytes);
        }
    }

    private void Add<T>(Segments<T> list, in T item)
        where T : struct
    {
        TakeMemory(list.MemoryOfNext);
        list.Add(item);
    }

    private void TakeMemory(int memory)
    {
        _memory += memory;
        if (_memory > limits.MaxAllocation)
        {
            ThrowHelper.Limit(nameof(Limits.MaxAllocation), limits.MaxAllocation, "The memory for the document, in bytes,");
        }
    }
}
