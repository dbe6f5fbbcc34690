using Wire.Format;

namespace Wire;

/// <summary>A root whose type both sides know: the fingerprint of its schema stands for its manifest.</summary>
internal sealed class TypedRoot<T>
{
    private readonly ValueSerializer<T> _slot;
    private readonly ValueSerializer? _exact;

    // The same, where it needs no box, and what a message has left behind such a root; null too where a root alone exceeds a limit.
    private readonly ValueSerializer<T>? _common;
    private readonly Budget _budget;
    private readonly bool _isUnion;
    private readonly TypeRegistry _registry;
    private bool _isJudged;

    public TypedRoot(TypeRegistry registry)
    {
        _registry = registry;
        _slot = registry.Slot<T>();
        // An array type counts as sealed, and its variables hold arrays of derived elements too.
        _isUnion = !typeof(T).IsSealed && registry.IsClosed(typeof(T));
        bool concrete = !typeof(T).IsValueType && (_isUnion || !typeof(T).IsAbstract) && BuiltInTypes.Find(typeof(T)) is null;
        _exact = concrete ? registry.Entry(typeof(T)).Serializer : null;
        _common = _exact is ValueSerializer<T> exact && Budget.TryTakeRoot(registry.Options.Limits, exact, out _budget) ? exact : null;
        byte[] schema = [.. registry.Shape(_slot).Encode(), .. _exact is null ? [] : registry.Shape(_exact).Encode()];
        Fingerprint = Wire.Fingerprint.Of(registry.NameOf(typeof(T)), schema);
    }

    private uint Fingerprint { get; }

    /// <summary>Whether the type can be unloaded: then nothing that outlives the type may hold the root.</summary>
    public bool IsCollectible { get; } = typeof(T).IsCollectible;

    public void Write(ref WireWriter writer, T value)
    {
        writer.WriteFixed(Fingerprint);
        if (_exact is null || value is null || !(_isUnion || value.GetType() == typeof(T)))
        {
            _slot.Write(ref writer, value);
            return;
        }

        if (writer.Session.TracksReferences)
        {
            writer.Session.WriteReference(ref writer, value);
        }

        if (_common is not null)
        {
            writer.Session.BeginBudget(in _budget);
            writer.WriteByte(Tag.Declared);
            _common.Write(ref writer, value);
            return;
        }

        writer.Session.TakeObject(ref writer, _exact);
        writer.WriteByte(Tag.Declared);
        _exact.WriteObject(ref writer, value);
    }

    public T Read(ref WireReader reader)
    {
        uint fingerprint = reader.ReadFixed<uint>();
        if (fingerprint != Fingerprint)
        {
            Throw.Format(
                WireFormatError.SchemaMismatch,
                $"The payload was not written as this program's {typeof(T)}: the fingerprint of its schema is {fingerprint:X8} and not {Fingerprint:X8}. Typed payloads need the same members, options and type on both sides.");
        }

        if (!_isJudged && !reader.Session.IsTrusted)
        {
            _registry.Resolver.Judge(typeof(T));
            _isJudged = true;
        }

        if (_exact is null)
        {
            return _slot.Read(ref reader);
        }

        byte tag = reader.ReadByte();
        if (tag == Tag.Null)
        {
            return default!;
        }

        if (tag == Tag.Declared && _common is not null && !reader.Session.IsTracking)
        {
            reader.Session.BeginBudget(in _budget);
            return _common.Read(ref reader);
        }

        object value = tag == Tag.Declared
            ? reader.Session.ReadBody(ref reader, _exact)
            : reader.Session.ReadTagged(ref reader, tag, typeof(T));
        return ObjectFormat.Fits<T>(value) ? (T)value : ObjectFormat.Mismatch<T>(value);
    }
}
