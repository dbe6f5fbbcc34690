using System.Runtime.CompilerServices;
using Wire.Errors;
using Wire.Runtime;

namespace Wire.Format;

/// <summary>
/// Walks through values by their shapes alone (docs/format.md, clauses 3 to 8): what follows a tag, a comparer and a count, and in which
/// order. Whoever skips, checks or shows values, or goes to a part of one, is told step by step what is there, and decides whether to go
/// in.
/// </summary>
/// <param name="stops">The values at which it stops.</param>
/// <param name="frames">The list of the values that it is inside of; null where none is entered or opened.</param>
internal struct LayoutWalker(WalkStops stops, Segments<WalkLevel>? frames)
{
    // The shape of the value that comes next; null for the next part of the innermost frame.
    private Shape? _next;

    /// <summary>Gets the shape of the value: that of its parts where it has some, and that of the position which an object is in.</summary>
    public Shape Shape { get; private set; } = null!;

    /// <summary>Gets the shape of a union, whose case the parts are of; null for others.</summary>
    public Shape? Union { get; private set; }

    /// <summary>Gets the shape inside an object or level; null where a manifest says it, and for a plain object.</summary>
    public Shape? Inside { get; private set; }

    /// <summary>Gets the last tag.</summary>
    public byte Tag { get; private set; }

    /// <summary>
    /// Gets the number of the object that is referred to, the tag of an array's elements, or the number of a union's case.
    /// </summary>
    public uint Number { get; private set; }

    /// <summary>Gets the number of elements or pairs; 0 at a set or map, of which it stands behind the comparer.</summary>
    public uint Count { get; private set; }

    /// <summary>Gets whether a scalar is behind its tag.</summary>
    public bool IsTagged { get; private set; }

    /// <summary>Gets the offset of the value, with what is in front of it.</summary>
    public long Start { get; private set; }

    /// <summary>Gets the offset of the last tag.</summary>
    public long TagStart { get; private set; }

    /// <summary>Gets the offset behind tags and in front of a count; only where it stops at all, and for what has no fixed size.</summary>
    public long Content { get; private set; }

    /// <summary>Gets what the caller has remembered of the object, level or value with parts that has ended.</summary>
    public int Mark { get; private set; }

    /// <summary>Goes to a value, which the next step begins.</summary>
    public void GoTo(Shape shape, long start) => (_next, Start) = (shape, start);

    /// <summary>Goes into an object, behind its manifest, or into a level.</summary>
    /// <param name="inside">The shape of its content; null for none.</param>
    /// <param name="mark">What is to be known at its end.</param>
    public void Enter(Shape? inside, int mark)
    {
        frames!.Add(new WalkLevel(Shape.Code == ShapeCode.Recursion ? WalkStep.LevelEnd : WalkStep.ObjectEnd) { Mark = mark });
        _next = inside;
    }

    /// <summary>Gets whether opening a value takes a place in the list: the content of an object has one already.</summary>
    public readonly bool OpensAnother => frames!.Count == 0 || frames.Last.Shape is not null;

    /// <summary>Goes to the parts of a value.</summary>
    /// <param name="mark">What is to be known at its end.</param>
    public readonly void Open(int mark)
    {
        ref WalkLevel frame = ref AddParts(Shape, mark);
        if (Shape.Code is ShapeCode.Set or ShapeCode.Map)
        {
            (frame.Comparers, frame.HasCount) = (1, false);
        }
        else
        {
            frame.Left = Shape.Code == ShapeCode.Members ? (uint)Shape.Members.Length : Count;
        }
    }

    /// <summary>Goes to some of the members or elements of a value, behind the number of them.</summary>
    /// <param name="shape">The shape of the value, which is no map.</param>
    /// <param name="begin">The index of the first.</param>
    /// <param name="end">The index behind the last.</param>
    /// <param name="mark">What is to be known at the end of them.</param>
    public readonly void OpenParts(Shape shape, uint begin, uint end, int mark)
    {
        ref WalkLevel frame = ref AddParts(shape, mark);
        (frame.Begun, frame.Left) = (begin, end - begin);
    }

    /// <summary>Goes to the comparer of a set or map alone, and to its end behind that.</summary>
    /// <param name="mark">What is to be known at its end.</param>
    public readonly void OpenComparer(int mark) => AddParts(Shape.None, mark).Comparers = 1;

    // Behind an object's manifest, its content is what is opened: one frame is enough for both.
    private readonly ref WalkLevel AddParts(Shape shape, int mark)
    {
        if (OpensAnother)
        {
            frames!.Add(new WalkLevel(WalkStep.PartsEnd));
        }

        ref WalkLevel frame = ref frames!.Last;
        (frame.Shape, frame.PartsMark, frame.HasCount) = (shape, mark, true);
        return ref frame;
    }

    /// <summary>Takes the next step.</summary>
    /// <exception cref="WireFormatException">The bytes are not valid.</exception>
    public WalkStep Next<TCursor>(scoped ref TCursor source)
        where TCursor : struct, IPayloadCursor, allows ref struct
    {
        while (true)
        {
            if (_next is { } next)
            {
                _next = null;
            }
            else if (frames is null || frames.Count == 0)
            {
                return WalkStep.End;
            }
            else
            {
                ref WalkLevel frame = ref frames.Last;
                WalkStep ended = WalkStep.End;
                Shape? part = frame.Left > 0 && frame.Comparers == 0
                    ? Take(ref source, ref frame)
                    : Turn(ref source, ref frame, out ended);
                if (ended != WalkStep.End)
                {
                    return ended;
                }

                if (part is null)
                {
                    continue;
                }

                next = part;
                Start = source.Offset;
            }

            WalkStep step = Value(ref source, next);
            if (step != WalkStep.End)
            {
                return step;
            }
        }
    }

    /// <summary>Passes over a value of a kind that most are of, and that is quick to pass over; false for others.</summary>
    public static bool TryPass<TCursor>(scoped ref TCursor source, Shape shape)
        where TCursor : struct, IPayloadCursor, allows ref struct
    {
        int size = shape.FixedSize;
        if (size > 0)
        {
            source.Skip(size);
        }
        else if (shape.Code == Format.Tag.String)
        {
            source.SkipScalar(Format.Tag.String, isTagged: false);
        }
        else if (shape.Code == ShapeCode.Nullable && shape.Element!.FixedSize > 0)
        {
            source.Skip(source.ReadBoolean() ? shape.Element.FixedSize : 0);
        }
        else
        {
            return false;
        }

        return true;
    }

    // The next part; null where all are passed over that were left.
    private readonly Shape? Take<TCursor>(scoped ref TCursor source, ref WalkLevel frame)
        where TCursor : struct, IPayloadCursor, allows ref struct
    {
        do
        {
            Shape part = frame.Take(out int index);
            if (index >= 0)
            {
                source.AtElement(index);
            }

            if (stops != WalkStops.Parts || !TryPass(ref source, part))
            {
                return part;
            }
        }
        while (frame.Left > 0);
        return null;
    }

    // Reads what is in front of parts, or ends them: the shape of a comparer that is an object, or else what has ended, if anything.
    private Shape? Turn<TCursor>(scoped ref TCursor source, ref WalkLevel frame, out WalkStep ended)
        where TCursor : struct, IPayloadCursor, allows ref struct
    {
        ended = WalkStep.End;
        if (frame.Shape is not { } shape)
        {
            ended = frame.End;
            Mark = frame.Mark;
            frames!.RemoveLast();
        }
        else if (frame.Comparers > 0)
        {
            return ComparerCode.Skip(ref source, ref frame);
        }
        else if (!frame.HasCount)
        {
            Shape = shape;
            ended = Elements(ref source, source.ReadCount(shape.ElementMinSize));
            frame.HasCount = true;
            if (ended == WalkStep.Parts)
            {
                ended = WalkStep.End;
                frame.Left = shape.Value is null ? Count : 2 * Count;
            }
        }
        else
        {
            ended = WalkStep.PartsEnd;
            Mark = frame.PartsMark;
            frame.Shape = null;
            if (frame.End == WalkStep.PartsEnd)
            {
                frames!.RemoveLast();
            }
        }

        return null;
    }

    // End where the value has been passed over. It is inlined because it has one caller.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private WalkStep Value<TCursor>(scoped ref TCursor source, Shape shape)
        where TCursor : struct, IPayloadCursor, allows ref struct
    {
        IsTagged = false;
        Union = null;
        while (true)
        {
            Shape = shape;
            int size = shape.FixedSize;
            if (size > 0)
            {
                return Fixed(ref source);
            }

            if (stops == WalkStops.All)
            {
                Content = source.Offset;
            }

            switch (shape.Code)
            {
                case ShapeCode.Nullable:
                    if (!source.ReadBoolean())
                    {
                        return stops == WalkStops.All ? WalkStep.Null : WalkStep.End;
                    }

                    shape = shape.Element!;
                    continue;
                case ShapeCode.Tagged:
                    return Tagged(ref source, shape);
                case ShapeCode.Sequence:
                    return Elements(ref source, source.ReadCount(shape.ElementMinSize));
                case ShapeCode.Array:
                    return Elements(ref source, source.ReadBounds(shape.ElementMinSize));
                case ShapeCode.Set or ShapeCode.Map:
                    Count = 0;
                    return WalkStep.Parts;
                case ShapeCode.Union:
                    Number = source.ReadVarUInt32();
                    if (Number >= (uint)shape.Members.Length)
                    {
                        ThrowHelper.NoSuchCase(Number, shape.Members.Length);
                    }

                    Content = source.Offset;
                    Union = shape;
                    Shape = shape.Members[Number].Shape;
                    if (Shape.FixedSize > 0 && stops != WalkStops.All)
                    {
                        return Fixed(ref source);
                    }

                    goto case ShapeCode.Members;
                case ShapeCode.Members:
                    return Shape.Members.Length > 0 || stops == WalkStops.All ? WalkStep.Parts : WalkStep.End;
                case ShapeCode.Recursion:
                    Inside = shape.Resolved;
                    return WalkStep.Level;
                case ShapeCode.Framed:
                    return WalkStep.Framed;
                default:
                    return Scalar(ref source, shape.Code);
            }
        }
    }

    private WalkStep Tagged<TCursor>(scoped ref TCursor source, Shape position)
        where TCursor : struct, IPayloadCursor, allows ref struct
    {
        source.AtTag();
        TagStart = source.Offset;
        byte tag = Tag = source.ReadByte();
        switch (tag)
        {
            case Format.Tag.Null:
                return stops == WalkStops.All ? WalkStep.Null : WalkStep.End;
            case Format.Tag.Reference:
                source.AtObject();
                Number = source.ReadVarUInt32();
                return WalkStep.Reference;
            case Format.Tag.Declared when position.Declared is { } declared:
                Inside = declared;
                break;
            case >= Format.Tag.FirstShortIdentifier or Format.Tag.Defined or Format.Tag.Definition or Format.Tag.Object:
                Inside = null;
                break;
            case Format.Tag.Vector:
                source.AtObject();
                Number = source.ReadByte();
                Inside = TagTypes.VectorOf((byte)Number);
                return WalkStep.Object;
            default:
                IsTagged = true;
                if (TagTypes.FixedSizeOf(tag) > 0)
                {
                    Shape = Shape.BuiltIn(tag);
                    return Fixed(ref source);
                }

                if (!TagTypes.IsTag(tag))
                {
                    ThrowHelper.Format(WireFormatError.Tag, $"0x{tag:X2} is not a tag, or not one that is allowed here.");
                }

                return Scalar(ref source, tag);
        }

        source.AtObject();
        return WalkStep.Object;
    }

    private WalkStep Elements<TCursor>(scoped ref TCursor source, uint count)
        where TCursor : struct, IPayloadCursor, allows ref struct
    {
        Count = count;
        long size = Shape.ElementFixedSize;
        if (stops == WalkStops.All || size == 0)
        {
            return stops == WalkStops.All || count > 0 ? WalkStep.Parts : WalkStep.End;
        }

        if (stops == WalkStops.Checked && count > 0 && (Shape.Element!.IsChecked || Shape.Value is { IsChecked: true }))
        {
            return WalkStep.FixedElements;
        }

        source.Skip(count * size);
        return WalkStep.End;
    }

    private readonly WalkStep Fixed<TCursor>(scoped ref TCursor source)
        where TCursor : struct, IPayloadCursor, allows ref struct
    {
        if (stops == WalkStops.All || (stops == WalkStops.Checked && Shape.IsChecked))
        {
            return WalkStep.Fixed;
        }

        source.Skip(Shape.FixedSize);
        return WalkStep.End;
    }

    private WalkStep Scalar<TCursor>(scoped ref TCursor source, byte tag)
        where TCursor : struct, IPayloadCursor, allows ref struct
    {
        if (stops == WalkStops.All)
        {
            Shape = Shape.BuiltIn(tag);
            return WalkStep.Scalar;
        }

        source.SkipScalar(tag, IsTagged);
        return WalkStep.End;
    }
}
