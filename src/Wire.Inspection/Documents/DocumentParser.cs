using Wire.Errors;
using Wire.Format;
using Wire.Runtime;

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
    private ByteCursor _in = new(payload, 0, limits);
    private LayoutWalker _walker;
    private long _memory;
    private long _manifestBytes;
    private int _objects;
    private int _root;

    // Objects around the current position, and the most of them.
    private int _level;
    private int _depth;
    private bool _tracking;
    private bool _isNumbered;

    // Of the current value: where it begins, the first of its tags, their number, the first object, and the type that was named last.
    private long _value = -1;
    private int _firstTag;
    private int _tags;
    private int _outer;
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
            LastValue = Math.Max(LastValue, (int)_walker.Start);
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
        for (int i = 0; i < _scratch.Frames.Count; i++)
        {
            WalkLevel frame = _scratch.Frames[i];
            if (frame.Shape is not null)
            {
                Close(frame.PartsMark);
                if (!frame.HasCount)
                {
                    LastValue = Math.Min(LastValue, _scratch.OpenValues[frame.PartsMark].Start);
                }
            }
        }

        return NewIndex(cut);
    }

    // Of a set or map whose comparer or count cannot be read, nothing can; and a value of which no byte is there is not there.
    private readonly CutValue[] CutValues()
    {
        var cut = new List<CutValue>();
        for (int i = 0; i < _scratch.Frames.Count; i++)
        {
            WalkLevel frame = _scratch.Frames[i];
            if (frame.Shape is null)
            {
                continue;
            }

            // Where nothing has begun, elements of one size are no values.
            if (!frame.HasCount || frame.Begun == 0 || _scratch.OpenValues[frame.PartsMark].Start >= _in.At)
            {
                break;
            }

            cut.Add(new CutValue(frame.PartsMark, frame.Begun));
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
        _walker = new LayoutWalker(WalkStops.Checked, _scratch.Frames);
        _walker.GoTo(Shape.TaggedOnly, _root);
        while (_walker.Next(ref _in) is var step && step != WalkStep.End)
        {
            Take(step);
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

    private void Take(WalkStep step)
    {
        switch (step)
        {
            case WalkStep.Parts:
                // The open value is there before its frame, wherever memory ends.
                int number = _scratch.OpenValues.Count;
                Add(_scratch.OpenValues, new OpenValue((int)_walker.Start, 0, 0));
                TakeMemory(_walker.OpensAnother ? _scratch.Frames.MemoryOfNext : 0);
                _walker.Open(number);
                break;
            case WalkStep.PartsEnd:
                Close(_walker.Mark);
                break;
            case WalkStep.Object:
                Object();
                break;
            case WalkStep.ObjectEnd:
                _level -= _walker.Mark;
                break;
            case WalkStep.Level:
                Enter(_walker.Inside, 0);
                break;
            case WalkStep.Reference:
                Reference(_walker.Number);
                break;
            case WalkStep.Framed:
                Framed();
                break;
            case WalkStep.Fixed:
                Fixed(_walker.Shape);
                break;
            case WalkStep.FixedElements:
                FixedElements(_walker.Shape, _walker.Count);
                break;
        }
    }

    private readonly void Close(int number)
    {
        ref OpenValue value = ref _scratch.OpenValues[number];
        (value.End, value.Next) = (_in.At, _scratch.OpenValues.Count);
    }

    private void Enter(Shape? inside, int levels)
    {
        TakeMemory(_scratch.Frames.MemoryOfNext);
        _walker.Enter(inside, levels);
        _level += levels;
        _depth = Math.Max(_depth, _level);
    }

    private void FixedElements(Shape shape, uint count)
    {
        if (shape.Value is null && shape.Element!.Code != ShapeCode.Members)
        {
            int begin = _in.At;
            ReadOnlySpan<byte> values = _in.ReadBytes(count * shape.ElementFixedSize);
            if (IsTolerant || Scalars.AreValues(shape.Element.Code, values))
            {
                return;
            }

            // One by one, for the position of the first that is none.
            _in.GoTo(begin);
        }

        for (uint i = 0; i < count; i++)
        {
            Fixed(shape.Element!);
            if (shape.Value is { } value)
            {
                Fixed(value);
            }
        }
    }

    // No deeper than a schema may be.
    private void Fixed(Shape shape)
    {
        if (IsTolerant || !shape.IsChecked)
        {
            _in.Skip(shape.FixedSize);
        }
        else if (shape.Code == ShapeCode.Members)
        {
            foreach (ShapeMember member in shape.Members)
            {
                Fixed(member.Shape);
            }
        }
        else
        {
            Scalars.CheckFixed(shape.Code, _in.ReadBytes(shape.FixedSize));
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
