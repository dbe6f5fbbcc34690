using System.Diagnostics.CodeAnalysis;
using Wire.Buffers;
using Wire.Errors;
using Wire.Format;
using Wire.Sessions;
using Wire.Slots;
using Wire.Types;
using Wire.Values;

namespace Wire.Skipping;

/// <summary>
/// Reads the value that a path leads to. What stands before it is skipped by its shape, and objects there to which it refers are found as
/// they are for members that a type no longer has.
/// </summary>
internal ref partial struct PartReader
{
    private readonly ReadOnlySpan<byte> _payload;
    private readonly DeserializerSession _session;
    private LayoutWalker _walker = new(WalkStops.All, null);
    private Shape _shape = Shape.TaggedOnly;

    /// <summary>The reader, which is at the value once that has been found.</summary>
    public WireReader In;

    public PartReader(DeserializerSession session, ReadOnlySpan<byte> payload)
    {
        _payload = payload;
        _session = session;
        In = new WireReader(session, payload, null);
    }

    /// <param name="session">The session.</param>
    /// <param name="payload">What has come of the payload.</param>
    /// <param name="input">The same.</param>
    public PartReader(DeserializerSession session, ReadOnlySpan<byte> payload, PartialInput input)
    {
        _payload = payload;
        _session = session;
        In = new WireReader(session, default, input);
    }

    /// <summary>Goes to the value.</summary>
    /// <param name="path">The steps to it.</param>
    /// <param name="readsAll">
    /// True if the root is to be read first, in a payload with references: the value refers to objects that it is inside of.
    /// </param>
    /// <returns>False where there is no such value.</returns>
    public bool TryFind(ReadOnlySpan<PathStep> path, bool readsAll)
    {
        MessageHeader.Read(ref In, isTyped: false);
        if (readsAll)
        {
            ReadAll();
        }
        else if (_session.IsLasting)
        {
            PassOver();
        }

        foreach (PathStep step in path)
        {
            // What was skipped does not lead to it.
            In.Member = GraphPath.Root;
            if (!TryEnter() || !TryTake(step))
            {
                return false;
            }
        }

        return true;
    }

    /// <summary>Reads the value as the type that the program asks for.</summary>
    public T? Read<T>() => Read(ref In, _shape, SlotOf<T>(_session, _shape));

    /// <summary>Goes to the first element of the value, or pair of a map; false where it has none.</summary>
    /// <param name="count">How many there are.</param>
    /// <param name="element">Their shape.</param>
    public bool TryEnterElements(out uint count, [NotNullWhen(true)] out Shape? element)
    {
        bool isThere = TryEnter() && _shape.Code is ShapeCode.Sequence or ShapeCode.Array or ShapeCode.Set or ShapeCode.Map;
        count = isThere ? ReadCount() : 0;
        element = !isThere ? null
            : _shape.Value is { } value ? Shape.FromMembers([new ShapeMember("key", _shape.Element!), new ShapeMember("value", value)])
            : _shape.Element!;
        return isThere;
    }

    /// <summary>Reads a value of the writer's layout as the type that the program asks for.</summary>
    /// <param name="reader">The reader, at the value.</param>
    /// <param name="layout">The layout.</param>
    /// <param name="slot">What <see cref="SlotOf"/> has given for it.</param>
    public static T? Read<T>(ref WireReader reader, Shape layout, ValueSerializer<T>? slot)
    {
        reader.Member = GraphPath.Root;
        if (slot is not null)
        {
            return slot.Read(ref reader);
        }

        Shape shape = layout.Resolved;
        object? value = IsBaseOfScalar(typeof(T), shape)
            ? ReadScalar(ref reader, shape)
            : reader.Session.Serializer.Registry.Slot<object>().Read(ref reader);
        return value is null && default(T) is null ? default : ObjectFormat.Fits<T>(value) ? (T)value : ObjectFormat.Mismatch<T>(value);
    }

    /// <summary>
    /// Returns what reads values of the writer's layout as the type that the program asks for; null where they are in a box, or their base.
    /// </summary>
    public static ValueSerializer<T>? SlotOf<T>(DeserializerSession session, Shape layout)
    {
        TypeRegistry registry = session.Serializer.Registry;
        if (!session.IsTrusted)
        {
            registry.Resolver.Judge(typeof(T));
        }

        Shape shape = layout.Resolved;
        ValueSerializer<T> slot = registry.Slot<T>();
        Shape own = registry.Shape(slot);
        bool isBoxed = shape.Code == ShapeCode.Tagged && shape.Element!.Code == ShapeCode.None && own.Code != ShapeCode.Tagged
            && registry.Form(typeof(T), shape) is null; // a collection finds its elements behind any tag
        return isBoxed || IsBaseOfScalar(typeof(T), shape) ? null
            : registry.IsOwn(shape, own) ? slot
            : (ValueSerializer<T>)slot.Adapt(shape, new AdaptContext(registry, null, null) { IsPart = true });
    }

    // The member that a value type is in says which it is, and who asks for an object need not know.
    private static bool IsBaseOfScalar(Type asked, Shape shape)
    {
        byte code = (shape.Code == ShapeCode.Nullable ? shape.Element! : shape).Code;
        return !asked.IsValueType && TagTypes.IsTag(code)
            && TagTypes.TypeOf(code) is var own && asked != own && asked.IsAssignableFrom(own);
    }

    private static object? ReadScalar(ref WireReader reader, Shape shape) =>
        shape.Code == Tag.String ? StringFormat.Read(ref reader)
        : shape.Code != ShapeCode.Nullable ? BuiltInTypes.ByTag(shape.Code).ReadObject(ref reader)
        : BooleanFormat.Load(ref reader.ReadRef(1)) ? BuiltInTypes.ByTag(shape.Element!.Code).ReadObject(ref reader)
        : null;

    // In the order of the payload, in which no object is needed before it has been read.
    private void ReadAll()
    {
        Skipper.Skip(ref In, Shape.TaggedOnly);
        CheckEnd();
        Follow(0);
        _session.ReadTagged(ref In, In.ReadByte(), declared: null);
        Follow(0);
    }

    // Later messages of the session may use any definition.
    private void PassOver()
    {
        var begin = new Mark(In.Offset, _session);
        _session.PassOver(ref In);
        CheckEnd();
        GoTo(begin);
    }

    private readonly void CheckEnd()
    {
        if (In.Unread > 0)
        {
            ThrowHelper.TrailingBytes(In.Unread);
        }
    }

    // Goes to an object that has been skipped.
    private void Follow(uint number)
    {
        if (_session.Objects.FindAgain(number) is not { } entry)
        {
            _session.Objects.RefuseReference(number);
            return;
        }

        _session.Objects.BeginAgain(number, entry);
        _session.Manifests.GoTo(entry.Manifests, _session.IsNumbered);
        In = In.GoBack(entry.Begin, entry.End, out _);
        _shape = entry.Layout.Declared is { } declared ? Shape.Tagged(declared) : Shape.TaggedOnly;
    }

    // Goes to the parts of a value; false where it has none.
    private bool TryEnter()
    {
        _walker.GoTo(_shape, In.Offset);
        while (true)
        {
            switch (_walker.Next(ref In))
            {
                case WalkStep.Parts:
                    _shape = _walker.Shape;
                    return true;
                case WalkStep.Fixed when _walker.Shape.Code == ShapeCode.Members:
                    _shape = _walker.Shape;
                    return true;
                case WalkStep.Level:
                    _walker.GoTo(_walker.Inside!, In.Offset);
                    break;
                case WalkStep.Reference:
                    Follow(_walker.Number);
                    _walker.GoTo(_shape, In.Offset);
                    break;
                case WalkStep.Object when _walker.Tag != Tag.Object:
                    _walker.GoTo(EnterObject(), In.Offset);
                    break;
                default:
                    return false;
            }
        }
    }

    private Shape EnterObject()
    {
        int manifests = _session.ManifestCount;
        Shape? shape = Skipper.LayoutOf(ref In, _walker, out SkippedObjects.Layout layout);
        if (_session.Objects.IsReadingAgain)
        {
            _session.Objects.EnterSkipped();
        }
        else
        {
            _session.SkippedValues.BeginValue(ref In, _walker.TagStart, manifests, layout);
        }

        return shape!;
    }

    private bool TryTake(PathStep step) => _shape.Code switch
    {
        ShapeCode.Members => step.IsName && TryTakeMember(step.Text),
        ShapeCode.Sequence or ShapeCode.Set or ShapeCode.Array => step.Index >= 0 && TryTakeElement((uint)step.Index),
        ShapeCode.Map => step.Part >= 0 ? TryTakePart((uint)step.Part) : step.IsInBrackets && TryTakeValue(step),
        _ => false,
    };

    private bool TryTakeMember(string name)
    {
        ShapeMember[] members = _shape.Members;
        int index = 0;

        // Most names are of another length, which costs no call.
        while (index < members.Length && (members[index].Name.Length != name.Length || members[index].Name != name))
        {
            index++;
        }

        if (index == members.Length)
        {
            return false;
        }

        Skipper.SkipParts(ref In, _shape, (uint)index);
        _shape = members[index].Shape;
        return true;
    }

    private bool TryTakeElement(uint index)
    {
        if (index >= ReadCount())
        {
            return false;
        }

        Skipper.SkipParts(ref In, _shape, index);
        _shape = _shape.Element!;
        return true;
    }

    // The walker has read that of a sequence or array, and stands at the comparer of others.
    private uint ReadCount()
    {
        if (_shape.Code is ShapeCode.Sequence or ShapeCode.Array)
        {
            return _walker.Count;
        }

        Skipper.SkipComparer(ref In);
        return (uint)In.ReadCount(_shape.ElementMinSize, 0, out _);
    }

    private void GoTo(in Mark place)
    {
        if (place.Offset != In.Offset)
        {
            In = In.GoBack(place.Offset, _payload.Length, out _);
            _session.Manifests.GoTo(place.Manifests, _session.IsNumbered);
            _session.Objects.GoTo(place.Objects);
        }
    }

    /// <summary>A position, with what is known there.</summary>
    private readonly record struct Mark(long Offset, int Manifests, int Objects)
    {
        public Mark(long offset, DeserializerSession session)
            : this(offset, session.ManifestCount, session.Objects.Count)
        {
        }
    }
}
