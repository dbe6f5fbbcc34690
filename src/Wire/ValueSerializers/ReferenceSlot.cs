using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Wire.Compilation.Flat;
using Wire.Copying;
using Wire.Errors;
using Wire.Flat;
using Wire.Format;
using Wire.Runtime;
using Wire.SerializerFactories;
using Wire.Sessions;
using Wire.Slots;
using Wire.Types;
using Wire.Values;
using Wire.ValueSerializers.Collections;
using Wire.ValueSerializers.Forms;

namespace Wire.ValueSerializers;

/// <summary>
/// A variable of a reference type: null, an earlier object, or a value with the type information that the variable lacks. It is resolved on
/// first use, because types may contain themselves.
/// </summary>
[UnconditionalSuppressMessage("Trimming", "IL2026", Justification = TrimmingAdvice.Inside)]
[UnconditionalSuppressMessage("AOT", "IL3050", Justification = TrimmingAdvice.Inside)]
internal sealed partial class ReferenceSlot<T>
    : ElementSerializer<T?>, IObjectSlot, IOverwritingElements<T?>, IOverwritingSlot, IRecursionAdapter
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

    // The runtime may put arrays of other numbers into it, which do not come back.
    private readonly bool _mayVary = typeof(T).IsArray || typeof(T).IsConstructedGenericType;

    // The last runtime type that differed from the declared one, to find repeated types quickly.
    private TypeEntry? _lastEntry;

    // The same for copies.
    private TypeEntry? _copied;

    // Null for the slots of built-in types, which all serializers share.
    private readonly TypeRegistry? _registry;

    private readonly ValueSerializer? _adapted;

    // The writer's layout of its declared type, where this program has no layout of its own.
    private readonly Shape? _unreadable;

    // The code for elements of collections.
    private readonly Lazy<FlatElements?> _flat;

    // The entry of the declared type, once an object of exactly that has been written, if it has no tag and no stand-in.
    private TypeEntry? _exactEntry;

    // The reader of values of the declared type itself, once needed.
    private ExactReader? _exact;

    public ReferenceSlot() =>
        _flat = new Lazy<FlatElements?>(() => ElementCompiler.TryCreate(this), LazyThreadSafetyMode.PublicationOnly);

    /// <param name="registry">The registry that owns the slot, which is for one variable.</param>
    public ReferenceSlot(TypeRegistry registry)
        : this() => _registry = registry;

    public TypeEntry? ExactEntry =>
        CanBeExact && _registry is { Options.PreserveObjectReferences: false } ? _registry.TryExactEntry(_declared) : null;

    public bool IsExactJudged => _exact is { IsJudged: true };

    private ReferenceSlot(ValueSerializer? adapted, Shape? unreadable = null)
        : this()
    {
        _adapted = adapted;
        _unreadable = unreadable;
    }

    public override void Write(ref WireWriter writer, T? value)
    {
        if (value is null)
        {
            writer.WriteByte(Tag.Null);
            return;
        }

        if (TypeIdentity.Get(value) == _identity && _exactEntry is { } exact)
        {
            ObjectFormat.WriteExact(ref writer, value, exact);
        }
        else if (!_holdsAnything || !CommonFormat.TryWrite(ref writer, value))
        {
            WriteBehind(ref writer, value);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void WriteBehind(ref WireWriter writer, T value)
    {
        // The session knows earlier types by their tags.
        nint type = TypeIdentity.Get(value);
        if (type != _identity && writer.Session.Types.TryFind(type, out TypeEntry? entry, out byte tag)
            && (!_mayVary || ObjectFormat.Fits<T>(value)))
        {
            ValueSerializer serializer = entry.Serializer;
            if (serializer.Leaf?.TryWriteObject(ref writer, ref Unsafe.As<T, byte>(ref value), serializer, tag) != true)
            {
                ObjectFormat.WriteKnown(ref writer, value, serializer, tag);
            }
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

        DeserializerSession session = reader.Session;
        return tag == Tag.Reference ? Fitting(session.ReadReference(ref reader, _declared))
            : tag == Tag.Declared ? Fitting(session.ReadBody(ref reader, Exact(session)))
            : ReadBehind(ref reader, tag);
    }

    public void ReadOver(ref WireReader reader, ref byte variable)
    {
        ref T? place = ref Unsafe.As<byte, T?>(ref variable);
        byte tag = reader.ReadByte();
        DeserializerSession session = reader.Session;
        if (place is not { } there || session.Overwritten is not { } overwritten || FindReader(ref reader, tag) is not { } serializer)
        {
            // The tag was read from the window, as it is below.
            reader.Advance(-1);
            place = Read(ref reader);
            return;
        }

        if (serializer.Leaf is { } leaf && tag is Tag.Declared or >= Tag.FirstShortIdentifier)
        {
            reader.Advance(-1);
            if (leaf.ReadOver(ref reader, ref variable, 1, serializer, tag) == 1)
            {
                return;
            }

            reader.Advance(1);
        }

        place = Fitting(session.ReadBody(ref reader, serializer, overwritten.Take(there, serializer)));
    }

    public override FlatElements? FlatElements => _flat.Value;

    internal override T? Copy(ref GraphCopier copier, T? value)
    {
        if (value is null || (_holdsAnything && CommonFormat.IsImmutable(value)))
        {
            return value;
        }

        object copy = copier.CopyObject(EntryToCopy(copier.Registry, value), value);
        return TypeIdentity.Get(copy) == TypeIdentity.Get(value) ? Unsafe.As<T>(copy) : copy as T ?? throw new CopyGivenUpException();
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private TypeEntry EntryToCopy(TypeRegistry registry, T value) =>
        _copied is { } known && known.Identity == TypeIdentity.Get(value) && (known.Owner is null || ReferenceEquals(known.Owner, registry))
            ? known
            : FindEntryToCopy(registry, value);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private TypeEntry FindEntryToCopy(TypeRegistry registry, T value)
    {
        TypeEntry entry = registry.EntryFor(value);
        if (!entry.IsStandIn && (!entry.IsCollectible || ReferenceEquals(value.GetType(), _declared)))
        {
            _copied = entry;
        }

        return entry;
    }

    internal override Shape Describe(ShapeBuilder builder) =>
        builder.Registry is { } registry && CanBeExact && registry.TryExact(typeof(T)) is { } exact
            ? builder.Tagged(exact)
            : Shape.TaggedOnly;

    private protected override ValueSerializer? AdaptTo(Shape writer, AdaptContext context)
    {
        // An object inside another always has a tag.
        if (writer.Code == ShapeCode.Recursion)
        {
            return null;
        }

        if (writer.Code != ShapeCode.Tagged)
        {
            return CollectionForms.AdaptValue<T>(writer, context);
        }

        // Values of other types than the declared one carry their type, and may fit.
        return writer.Element!.Code == ShapeCode.None ? this
            : CanBeExact && context.Registry.TryExact(typeof(T)) is { } exact ? new ReferenceSlot<T>(exact.Adapt(writer.Element, context))
            : CollectionForms.AdaptTagged(typeof(T), writer.Element, context) is { } form ? new ReferenceSlot<T>(form)
            : new ReferenceSlot<T>(null, writer.Element);
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
            entry = types.EntryOf(TypeIdentity.Get(value));
            entry = entry is not null && ComesBack(value, entry) ? entry : FindEntry(value, registry, types);
            if (_registry is not null && TypeIdentity.Get(value) == _identity && entry.Identity == _identity
                && entry is { Prefix: null, IsPlain: true, IsStandIn: false })
            {
                _exactEntry = entry;
            }
        }

        return entry;
    }

    // Out of line: called once per type and session. What does not come back is not remembered.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private TypeEntry FindEntry(T value, TypeRegistry registry, WrittenTypes types)
    {
        TypeEntry entry = registry.Entry(value.GetType());
        types.Remember(ComesBack(value, entry) ? entry : throw ObjectFormat.Lost(_declared, value.GetType(), entry.Type));
        if (!entry.IsCollectible || ReferenceEquals(value.GetType(), _declared))
        {
            _lastEntry = entry;
        }

        return entry;
    }

    // As a value of the type, where it is written as such, and is what C# puts into the variable.
    private bool ComesBack(T value, TypeEntry entry) => entry.Identity == TypeIdentity.Get(value)
        ? !_mayVary || ObjectFormat.Fits<T>(value)
        : entry.ComesBackInto(_declared);

    private T ReadBehind(ref WireReader reader, byte tag)
    {
        if (_holdsAnything && CommonFormat.TryRead(ref reader, tag) is { } common)
        {
            return Unsafe.As<T>(common);
        }

        DeserializerSession session = reader.Session;
        if (session.FindFitting(tag, _declared) is { } serializer)
        {
            if (session.ReadsFlat && serializer.Leaf is { } leaf)
            {
                // The tag was read from the window.
                T? value = null;
                reader.Advance(-1);
                if (leaf.TryReadObject(ref reader, ref Unsafe.As<T?, byte>(ref value), serializer, tag))
                {
                    return value!;
                }

                reader.Advance(1);
            }

            return Unsafe.As<T>(session.ReadBody(ref reader, serializer)) ?? ObjectFormat.Mismatch<T>(null);
        }

        return Fitting(tag == Tag.Declared ? session.ReadBody(ref reader, Exact(session))
            : tag is >= Tag.FirstShortIdentifier or Tag.Defined or Tag.Definition
                ? session.ReadBody(ref reader, session.ReadType<T>(ref reader, tag))
            : session.ReadTagged(ref reader, tag, _declared));
    }

    // The reader of an object of a type that the tag tells; null where it tells none, or what is no object by itself.
    private ValueSerializer? FindReader(ref WireReader reader, byte tag)
    {
        DeserializerSession session = reader.Session;
        return session.FindFitting(tag, _declared) is { } known ? known
            : tag == Tag.Declared ? Exact(session)
            : tag is >= Tag.FirstShortIdentifier or Tag.Defined or Tag.Definition ? session.ReadType<T>(ref reader, tag)
            : tag == Tag.Vector && !_holdsAnything ? session.Serializer.Registry.Vector(reader.ReadByte(), _declared)
            : null;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private T Fitting(object? value) =>
        value is not null && (_holdsAnything || TypeIdentity.Get(value) == _identity) ? Unsafe.As<T>(value) : FitSlow(value);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static T FitSlow(object? value) => ObjectFormat.Fits<T>(value) ? (T)value : ObjectFormat.Mismatch<T>(value);

    // Every class that fits a variable of a union's type is one of its cases.
    private bool IsOfUnion(TypeEntry entry) => ReferenceEquals(entry.Type, _declared) && entry.Serializer is IUnionSerializer;

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
