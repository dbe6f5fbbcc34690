using System.Runtime.CompilerServices;
using Wire.Compilation;
using Wire.Errors;
using Wire.Flat;
using Wire.Format;
using Wire.OptIn;
using Wire.SerializerFactories;
using Wire.Sessions;
using Wire.Types;

namespace Wire.ValueSerializers;

/// <summary>
/// A variable of a reference type: null, an earlier object, or a value with the type information that the variable lacks. It is resolved on
/// first use, because types may contain themselves.
/// </summary>
internal sealed class ReferenceSlot<T> : ValueSerializer<T?>, IFlatVariable
    where T : class
{
    // Objects of abstract .NET types are written as these.
    private static readonly bool CanBeExact =
        typeof(T) != typeof(object) && (!typeof(T).IsAbstract || Families.Find(typeof(T)) is not null);

    // For so few elements a cache of types does not pay.
    private const int FewElements = 3;

    private readonly Type _declared = typeof(T);
    private readonly nint _identity = TypeIdentity.Get(typeof(T));
    private readonly bool _holdsAnything = typeof(T) == typeof(object);

    // The last runtime type that differed from the declared one, to find repeated types quickly.
    private TypeEntry? _lastEntry;

    private readonly ValueSerializer? _adapted;

    // The writer's layout of its declared type, where this program has no layout of its own.
    private readonly Shape? _unreadable;

    // The reader of values of the declared type itself, once needed.
    private ExactReader? _exact;

    // The code for objects of exactly the declared type inside a flat object.
    private FlatPart<T>? _flat;

    public ReferenceSlot()
    {
    }

    private ReferenceSlot(ValueSerializer? adapted, Shape? unreadable = null)
    {
        _adapted = adapted;
        _unreadable = unreadable;
    }

    FlatLead? IFlatVariable.Lead => _flat;

    TypePlan? IFlatVariable.Plan => (_flat?.Content as IMemberwise)?.Plan;

    public override void Write(ref WireWriter writer, T? value)
    {
        if (value is null)
        {
            writer.WriteByte(Tag.Null);
            return;
        }

        if (!_holdsAnything || !CommonFormat.TryWrite(ref writer, value))
        {
            WriteBehind(ref writer, value);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void WriteBehind(ref WireWriter writer, T value)
    {
        // The session knows earlier types by their tags.
        nint type = TypeIdentity.Get(value);
        if (type != _identity && writer.Session.Types.TryFind(type, out TypeEntry? entry, out byte tag))
        {
            ObjectFormat.WriteKnown(ref writer, value, entry.Serializer, tag);
        }
        else
        {
            ObjectFormat.Write(ref writer, value, EntryOf(ref writer, value), _declared);
        }
    }

    public override T? Read(ref WireReader reader)
    {
        byte tag = reader.ReadByte();
        if (tag == Tag.Null)
        {
            return null;
        }

        return ReadBehind(ref reader, tag);
    }

    internal override void WriteMany(ref WireWriter writer, ReadOnlySpan<T?> values)
    {
        if (values.Length > FewElements)
        {
            WriteMore(ref writer, values);
        }
        else
        {
            base.WriteMany(ref writer, values);
        }
    }

    internal override void ReadMany(ref WireReader reader, Span<T?> values, int start)
    {
        if (values.Length > FewElements)
        {
            ReadMore(ref reader, values, start);
        }
        else
        {
            base.ReadMany(ref reader, values, start);
        }
    }

    internal override void WriteElement(ref WireWriter writer, T? value, int index, ref WrittenElements elements) =>
        WriteNext(ref writer, value, index, ref elements);

    internal override T? ReadElement(ref WireReader reader, int index, ref ReadElements elements) =>
        ReadNext(ref reader, index, ref elements);

    private void WriteMore(ref WireWriter writer, ReadOnlySpan<T?> values)
    {
        int member = writer.Member;
        var elements = new WrittenElements();
        for (int i = 0; i < values.Length; i++)
        {
            WriteNext(ref writer, values[i], i, ref elements);
        }

        elements.GoBack(ref writer);
        writer.Member = member;
    }

    private void ReadMore(ref WireReader reader, Span<T?> values, int start)
    {
        int member = reader.Member;
        var elements = new ReadElements();
        for (int i = 0; i < values.Length; i++)
        {
            values[i] = ReadNext(ref reader, start + i, ref elements);
        }

        elements.GoBack(ref reader);
        reader.Member = member;
    }

    internal override int UsualFlatSize => _flat?.UsualSize ?? ElementSize;

    // An object of another type is left to the sessions: the declared one is a guess.
    internal override FlatBounds? BoundFlat(FlatScope scope)
    {
        if (!CanBeExact
            || _declared.IsCollectible
            || scope.Registry.TryFlat(_declared) is not { Serializer: ValueSerializer<T> content } entry
            || content.BoundFlat(scope) is not { } inside)
        {
            return null;
        }

        var flat = new FlatPart<T>(scope.Registry, entry, content);
        if (flat.DefinesType && !scope.TakeType(entry))
        {
            return null;
        }

        _flat = flat;
        return inside.InObject(content, flat.LeadBytes);
    }

    internal override int WriteFlat(ref byte destination, int room, T? value, ref FlatTypes types)
    {
        if (value is null)
        {
            if (room < 1)
            {
                return NotFlat;
            }

            destination = Tag.Null;
            return 1;
        }

        return TypeIdentity.Get(value) == _identity && _flat is { } flat ? flat.Write(ref destination, room, value, ref types) : NotFlat;
    }

    internal override int ReadFlat(ref byte source, int available, out T? value, ref FlatTypes types)
    {
        value = null;
        return available < 1 ? NotFlat
            : source == Tag.Null ? 1
            : _flat is { } flat ? flat.Read(ref source, available, out value, ref types)
            : NotFlat;
    }

    internal override Shape Describe(ShapeBuilder builder) =>
        builder.Registry is { } registry && CanBeExact && registry.TryExact(typeof(T)) is { } exact
            ? builder.Tagged(exact)
            : Shape.TaggedOnly;

    // An object inside another always has a tag.
    private protected override ValueSerializer? AdaptToRecursion(Shape writer, AdaptContext context) => null;

    private protected override ValueSerializer? AdaptTo(Shape writer, AdaptContext context)
    {
        if (writer.Code != ShapeCode.Tagged)
        {
            return null;
        }

        // Values of other types than the declared one carry their type, and may fit.
        return writer.Element!.Code == ShapeCode.None ? this
            : CanBeExact && context.Registry.TryExact(typeof(T)) is { } exact ? new ReferenceSlot<T>(exact.Adapt(writer.Element, context))
            : new ReferenceSlot<T>(null, writer.Element);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void WriteNext(ref WireWriter writer, T? value, int index, ref WrittenElements elements)
    {
        elements.MoveTo(ref writer, index);
        if (value is null)
        {
            writer.WriteByte(Tag.Null);
        }
        else if (!elements.TryWrite(ref writer, value))
        {
            WriteFirst(ref writer, value, ref elements);
        }
    }

    // An object of a type that is new in the collection, or that needs more than its compiled code.
    private void WriteFirst(ref WireWriter writer, T value, ref WrittenElements elements)
    {
        if (_holdsAnything && CommonFormat.TryWrite(ref writer, value))
        {
            return;
        }

        WriteBehind(ref writer, value);
        if (elements.MayRepeat(value))
        {
            elements.Add(ref writer, value.GetType(), EntryOf(ref writer, value), _declared);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private T? ReadNext(ref WireReader reader, int index, ref ReadElements elements)
    {
        elements.MoveTo(ref reader, index);
        byte tag = reader.ReadByte();
        return elements.Find(ref reader, tag) is { } serializer
            ? Unsafe.As<T>(reader.Session.ReadObjectHere(ref reader, serializer)) ?? ObjectFormat.Mismatch<T>(null)
            : ReadFirst(ref reader, tag, ref elements);
    }

    private T? ReadFirst(ref WireReader reader, byte tag, ref ReadElements elements)
    {
        if (tag == Tag.Null)
        {
            return null;
        }

        T value = ReadBehind(ref reader, tag);
        if (tag is Tag.Declared or >= Tag.FirstShortIdentifier && elements.MayRepeat(tag))
        {
            DeserializerSession session = reader.Session;
            elements.Add(tag, tag == Tag.Declared ? Exact(session) : session.ReadType<T>(ref reader, tag), _declared);
        }

        return value;
    }

    private TypeEntry EntryOf(ref WireWriter writer, T value)
    {
        TypeRegistry registry = writer.Session.Serializer.Registry;
        TypeEntry? entry = _lastEntry;
        if (entry is null
            || !(entry.Identity == TypeIdentity.Get(value) || IsOfUnion(entry))
            || (entry.Owner is { } owner && owner != registry))
        {
            WrittenTypes types = writer.Session.Types;
            if (types.EntryOf(TypeIdentity.Get(value)) is { } known)
            {
                return known;
            }

            Type type = value.GetType();
            entry = registry.Entry(type);
            types.Remember(entry);
            if (!entry.IsCollectible || ReferenceEquals(type, _declared))
            {
                _lastEntry = entry;
            }

            if (entry.Type != type
                && entry.Prefix is null
                && entry.Serializer is not IStandInSerializer
                && !typeof(T).IsAssignableFrom(entry.Type))
            {
                ThrowHelper.Unsupported(
                    type, $"it would come back as a {entry.Type}, which is not a {typeof(T)}. Declare the variable as an interface, or " +
                        "assign a collection.");
            }
        }

        return entry;
    }

    private T ReadBehind(ref WireReader reader, byte tag)
    {
        if (_holdsAnything && CommonFormat.TryRead(ref reader, tag) is { } common)
        {
            return Unsafe.As<T>(common);
        }

        DeserializerSession session = reader.Session;
        if (session.FindFitting(tag, _declared) is { } serializer)
        {
            return Unsafe.As<T>(session.ReadBody(ref reader, serializer)) ?? ObjectFormat.Mismatch<T>(null);
        }

        object? value = tag == Tag.Declared ? session.ReadBody(ref reader, Exact(session))
            : tag is >= Tag.FirstShortIdentifier or Tag.Defined or Tag.Definition
                ? session.ReadBody(ref reader, session.ReadType<T>(ref reader, tag))
            : session.ReadTagged(ref reader, tag, _declared);
        return value is not null && (_holdsAnything || TypeIdentity.Get(value) == _identity) ? Unsafe.As<T>(value)
            : ObjectFormat.Fits<T>(value) ? (T)value
            : ObjectFormat.Mismatch<T>(value);
    }

    // Every class that fits a variable of a union's type is one of its cases.
    private bool IsOfUnion(TypeEntry entry) => ReferenceEquals(entry.Type, _declared) && entry.Serializer.IsClosed;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ValueSerializer Exact(DeserializerSession session) =>
        _exact is { } known && ReferenceEquals(known.Registry, session.Serializer.Registry) && (known.IsJudged || session.IsTrusted)
            ? known.Serializer
            : FindExact(session);

    // Out of line: called once per variable.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private ValueSerializer FindExact(DeserializerSession session)
    {
        TypeRegistry registry = session.Serializer.Registry;
        if (!session.IsTrusted)
        {
            registry.Resolver.Judge(_declared);
        }

        ValueSerializer serializer = _adapted ?? (CanBeExact ? registry.TryExact(typeof(T)) : null) ?? ThrowHelper.Format<ValueSerializer>(
            _unreadable is null ? WireFormatError.Tag : WireFormatError.SchemaMismatch,
            _unreadable is null
                ? $"The payload says that a value is of the declared type {typeof(T)}, whose layout the schema does not have."
                : $"The writer declared another type here, whose values are a {_unreadable}, and this program declares {typeof(T)}, "
                    + $"which is written in another way. {Advice.ChangedMember}");
        _exact = new ExactReader(registry, serializer, !session.IsTrusted);
        return serializer;
    }

    /// <param name="Registry">The registry that owns the value serializer.</param>
    /// <param name="Serializer">The reader of values of the declared type.</param>
    /// <param name="IsJudged">True if the filter has checked the type, which a payload need not name.</param>
    private sealed record ExactReader(TypeRegistry Registry, ValueSerializer Serializer, bool IsJudged);
}
