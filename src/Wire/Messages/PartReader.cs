using Wire.Contracts;
using Wire.Errors;
using Wire.Format;
using Wire.Manifests;
using Wire.Sessions;
using Wire.Types;

namespace Wire.Messages;

/// <summary>
/// Reads the value that a path leads to. What stands before it is skipped by its shape, and objects there to which it refers are found as
/// they are for members that a type no longer has.
/// </summary>
internal ref partial struct PartReader
{
    private readonly ReadOnlySpan<byte> _payload;
    private readonly DeserializerSession _session;
    private Shape _shape = Shape.TaggedOnly;
    private Skipper.Levels? _above;

    /// <summary>The reader, which is at the value once that has been found.</summary>
    public WireReader In;

    public PartReader(DeserializerSession session, ReadOnlySpan<byte> payload)
    {
        _payload = payload;
        _session = session;
        In = new WireReader(session, payload, null);
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
    public T? Read<T>()
    {
        TypeRegistry registry = _session.Serializer.Registry;
        if (!_session.IsTrusted)
        {
            registry.Resolver.Judge(typeof(T));
        }

        Shape shape = Resolve(_shape, ref _above);
        In.Member = GraphPath.Root;
        ValueSerializer<T> slot = registry.Slot<T>();
        Shape own = registry.Shape(slot);
        bool isBoxed = shape.Code == ShapeCode.Tagged && shape.Element!.Code == ShapeCode.None && own.Code != ShapeCode.Tagged
            && registry.Form(typeof(T), shape) is null; // a collection finds its elements behind any tag
        if (isBoxed || IsBaseOfScalar(typeof(T), shape))
        {
            object? value = isBoxed ? registry.Slot<object>().Read(ref In) : ReadScalar(shape);
            return value is null && default(T) is null ? default : ObjectFormat.Fits<T>(value) ? (T)value : ObjectFormat.Mismatch<T>(value);
        }

        return registry.IsOwn(shape, own)
            ? slot.Read(ref In)
            : ((ValueSerializer<T>)slot.Adapt(shape, AdaptContext.Around(registry, _above))).Read(ref In);
    }

    // The member that a value type is in says which it is, and who asks for an object need not know.
    private static bool IsBaseOfScalar(Type asked, Shape shape)
    {
        byte code = (shape.Code == ShapeCode.Nullable ? shape.Element! : shape).Code;
        return !asked.IsValueType && TagTypes.IsTag(code)
            && TagTypes.TypeOf(code) is var own && asked != own && asked.IsAssignableFrom(own);
    }

    private object? ReadScalar(Shape shape) =>
        shape.Code == Tag.String ? StringFormat.Read(ref In)
        : shape.Code != ShapeCode.Nullable ? BuiltInTypes.ByTag(shape.Code).ReadObject(ref In)
        : BooleanFormat.Load(ref In.ReadRef(1)) ? BuiltInTypes.ByTag(shape.Element!.Code).ReadObject(ref In)
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
        _above = entry.Layout.Above;
    }

    // Goes to the parts of a value; false where it has none.
    private bool TryEnter()
    {
        while (true)
        {
            _shape = Resolve(_shape, ref _above);
            switch (_shape.Code)
            {
                case ShapeCode.Nullable:
                    if (!BooleanFormat.Load(ref In.ReadRef(1)))
                    {
                        return false;
                    }

                    _shape = _shape.Element!;
                    break;
                case ShapeCode.Tagged:
                    if (!TryEnterObject())
                    {
                        return false;
                    }

                    break;
                default:
                    return true;
            }
        }
    }

    private bool TryEnterObject()
    {
        long begin = In.Offset;
        int manifests = _session.ManifestCount;
        byte tag = In.ReadByte();
        SkippedObjects.Layout layout = default;
        switch (tag)
        {
            case Tag.Reference:
                Follow(In.ReadVarUInt32());
                return true;
            case Tag.Declared when _shape.Element!.Code != ShapeCode.None:
                _shape = _shape.Element;
                layout = new(null, _shape, _above);
                break;
            case >= Tag.FirstShortIdentifier or Tag.Defined or Tag.Definition:
                Manifest manifest = _session.ReadManifest(ref In, tag);
                _shape = manifest.SkippableShape();
                _above = null;
                layout = new(manifest, null, null);
                break;
            case Tag.Vector:
                _shape = Shape.Sequence(BuiltInTypes.VectorElement(In.ReadByte()));
                _above = null;
                break;
            case var _ when tag is Tag.Null or Tag.Object || TagTypes.IsTag(tag):
                return false;
            default:
                ThrowHelper.Format(WireFormatError.Tag, $"0x{tag:X2} is not a tag, or not one that is allowed here.");
                return false;
        }

        if (_session.Objects.IsReadingAgain)
        {
            _session.Objects.EnterSkipped();
        }
        else
        {
            _session.PassedOver.BeginValue(ref In, begin, manifests, layout);
        }

        return true;
    }

    private bool TryTake(PathStep step) => _shape.Code switch
    {
        ShapeCode.Members => step.IsName && TryTakeMember(step.Text),
        ShapeCode.Union => step.IsName && TryTakeField(step.Text),
        ShapeCode.Sequence or ShapeCode.Set or ShapeCode.Array => step.Index >= 0 && TryTakeElement((uint)step.Index),
        ShapeCode.Map => step.IsInBrackets && TryTakeValue(step),
        _ => false,
    };

    private bool TryTakeField(string name)
    {
        _above = Skipper.Levels.Inside(_shape, _above);
        _shape = _shape.Members[(int)UnionFormat.ReadCase(ref In, _shape.Members.Length)].Shape;
        return TryTakeMember(name);
    }

    private bool TryTakeMember(string name)
    {
        ShapeMember[] members = _shape.Members;
        int index = 0;
        while (index < members.Length && members[index].Name != name)
        {
            index++;
        }

        if (index == members.Length)
        {
            return false;
        }

        _above = Skipper.Levels.Inside(_shape, _above);
        for (int i = 0; i < index; i++)
        {
            Skipper.Skip(ref In, members[i].Shape, _above);
        }

        _shape = members[index].Shape;
        return true;
    }

    private bool TryTakeElement(uint index)
    {
        Shape element = _shape.Element!;
        if (_shape.Code == ShapeCode.Set)
        {
            ComparerFormat.Skip(ref In);
        }

        uint count = _shape.Code == ShapeCode.Array
            ? ArrayFormat.ReadBounds(ref In, element.MinSize, 0, rank: null).Count
            : (uint)In.ReadCount(element.MinSize, 0, out _);
        if (index >= count)
        {
            return false;
        }

        Skipper.SkipMany(ref In, index, element, null, _above);
        _shape = element;
        return true;
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

    private static Shape Resolve(Shape shape, ref Skipper.Levels? above)
    {
        if (shape.Code != ShapeCode.Recursion)
        {
            return shape;
        }

        Skipper.Levels level = above!;
        for (int i = 0; i < shape.Size; i++)
        {
            level = level.Above!;
        }

        above = level.Above;
        return level.Shape;
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
