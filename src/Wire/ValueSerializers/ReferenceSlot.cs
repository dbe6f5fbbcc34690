using Wire.Format;

namespace Wire;

/// <summary>
/// A variable of a reference type: null, an earlier object, or a value with what the variable does not say of its type.
/// It is resolved when it is first used, because types may contain themselves.
/// </summary>
internal sealed class ReferenceSlot<T> : ValueSerializer<T?>
    where T : class
{
    // Objects of abstract types of .NET are written in the name of these.
    private static readonly bool CanBeExact = typeof(T) != typeof(object) && (!typeof(T).IsAbstract || Families.Find(typeof(T)) is not null);

    private readonly Type _declared = typeof(T);

    // The last runtime type that differed from the declared one, for the type that comes again and again.
    private TypeEntry? _lastEntry;

    private readonly ValueSerializer? _adapted;

    // Whether the filter has been asked about the declared type, which a payload need not name.
    private bool _isJudged;

    public ReferenceSlot()
    {
    }

    private ReferenceSlot(ValueSerializer adapted) => _adapted = adapted;

    public override void Write(ref WireWriter writer, T? value)
    {
        if (value is null)
        {
            writer.WriteByte(Tag.Null);
            return;
        }

        Type type = value.GetType();
        TypeRegistry registry = writer.Session.Serializer.Registry;
        TypeEntry? entry = _lastEntry;
        if (entry is null || !(ReferenceEquals(entry.Type, type) || IsOfUnion(entry)) || (entry.Owner is { } owner && owner != registry))
        {
            entry = registry.Entry(type);
            if (!entry.IsCollectible || ReferenceEquals(type, _declared))
            {
                _lastEntry = entry;
            }

            if (entry.Type != type && entry.Prefix is null && entry.Serializer is not IStandInSerializer && !typeof(T).IsAssignableFrom(entry.Type))
            {
                Throw.Unsupported(type, $"it would come back as a {entry.Type}, which is no {typeof(T)}. Declare the variable as an interface that the latter has, or assign a collection.");
            }
        }

        ObjectFormat.Write(ref writer, value, entry, _declared);
    }

    public override T? Read(ref WireReader reader)
    {
        byte tag = reader.ReadByte();
        if (tag == Tag.Null)
        {
            return null;
        }

        object value = tag == Tag.Declared
            ? reader.Session.ReadBody(ref reader, Exact(reader.Session))
            : reader.Session.ReadTagged(ref reader, tag, _declared);
        return ObjectFormat.Fits<T>(value) ? (T)value : ObjectFormat.Mismatch<T>(value);
    }

    internal override Shape Describe(ShapeBuilder builder) =>
        builder.Registry is { } registry && CanBeExact && registry.TryExact(typeof(T)) is { } exact
            ? builder.Tagged(exact)
            : Shape.TaggedOnly;

    // An object is never part of another without a tag in front of it.
    private protected override ValueSerializer? AdaptToRecursion(Shape writer, AdaptContext context) => null;

    private protected override ValueSerializer? AdaptTo(Shape writer, AdaptContext context)
    {
        if (writer.Code != ShapeCode.Tagged)
        {
            return null;
        }

        return writer.Element!.Code == ShapeCode.None || !CanBeExact || context.Registry.TryExact(typeof(T)) is not { } exact
            ? this
            : new ReferenceSlot<T>(exact.Adapt(writer.Element, context));
    }

    // Every class that can stand in a variable of a union's type is one of its cases.
    private bool IsOfUnion(TypeEntry entry) => ReferenceEquals(entry.Type, _declared) && entry.Serializer.IsClosed;

    private ValueSerializer Exact(DeserializerSession session)
    {
        TypeRegistry registry = session.Serializer.Registry;
        if (!_isJudged && !session.IsTrusted)
        {
            registry.Resolver.Judge(_declared);
            _isJudged = true;
        }

        return _adapted ?? (CanBeExact ? registry.TryExact(typeof(T)) : null) ?? Throw.Format<ValueSerializer>(
            WireFormatError.Tag,
            $"The payload says that a value is of the declared type {typeof(T)}, whose layout the schema does not have.");
    }
}
