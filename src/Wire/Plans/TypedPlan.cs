using System.Buffers.Binary;
using Wire.Errors;
using Wire.Format;
using Wire.Manifests;
using Wire.Messages;
using Wire.Types;

namespace Wire.Plans;

/// <summary>
/// The messages whose root has a type that both sides know: the fingerprint of its schema replaces its manifest. The plans for a root of
/// exactly that type are null where <see cref="WritePlan.TryCreate"/> or <see cref="ReadPlan.TryCreate"/> says so, and for a union.
/// </summary>
internal abstract class TypedPlan
{
    /// <summary>The plan for standalone messages.</summary>
    public WritePlan? Writer { get; private protected init; }

    /// <summary>The plan for messages of a session.</summary>
    public WritePlan? SessionWriter { get; private protected init; }

    /// <summary>Skips a root after the header.</summary>
    /// <exception cref="WireFormatException">It is not of this type, or cannot be skipped.</exception>
    public abstract void Skip(ref WireReader reader);
}

/// <summary>The messages whose root both sides know as a <typeparamref name="T"/>.</summary>
internal sealed class TypedPlan<T> : TypedPlan
{
    private readonly ValueSerializer<T> _slot;
    private readonly ValueSerializer? _exact;

    private readonly bool _isUnion;
    private readonly TypeRegistry _registry;
    private readonly uint _fingerprint;
    private bool _isJudged;

    public TypedPlan(TypeRegistry registry)
    {
        _registry = registry;
        _slot = registry.Slot<T>();
        // An array type counts as sealed, and its variables hold arrays of derived elements too.
        _isUnion = !typeof(T).IsSealed && registry.IsClosed(typeof(T));
        bool concrete = !typeof(T).IsValueType && (_isUnion || !typeof(T).IsAbstract) && !TagTypes.Contains(typeof(T));
        _exact = concrete ? registry.Entry(typeof(T)).Serializer : null;
        byte[] schema = [.. registry.Shape(_slot).Encode(), .. _exact is null ? [] : registry.Shape(_exact).Encode()];
        _fingerprint = Fingerprint.Compute(registry.NameOf(typeof(T)), schema);
        if (_exact is not null && !_isUnion)
        {
            Span<byte> prefix = stackalloc byte[sizeof(uint) + 1];
            BinaryPrimitives.WriteUInt32LittleEndian(prefix, _fingerprint);
            prefix[^1] = Tag.Declared;
            Writer = WritePlan.TryCreate(registry, PayloadHeader.Typed, prefix, _exact, null);
            SessionWriter = WritePlan.TryCreate(registry, PayloadHeader.Typed | PayloadHeader.Session, prefix, _exact, null);
        }
    }

    public void Write(ref WireWriter writer, T value)
    {
        SerializerSession session = writer.Session;
        bool isExact = value is not null && value.GetType() == typeof(T);
        if (isExact && (session.IsLasting ? SessionWriter : Writer) is { } plan)
        {
            session.WriteRoot(ref writer, plan, identifier: 0, value!);
            return;
        }

        session.WriteHeader(ref writer, PayloadHeader.Typed);
        writer.WriteFixed(_fingerprint);
        if (_exact is null || value is null || !(_isUnion || isExact))
        {
            _slot.Write(ref writer, value);
            return;
        }

        if (session.TracksReferences)
        {
            session.Objects.WriteReference(ref writer, value);
        }

        session.Costs.TakeObject(ref writer, _exact);
        writer.WriteByte(Tag.Declared);
        ObjectFormat.WriteBody(ref writer, value, _exact);
    }

    public override void Skip(ref WireReader reader)
    {
        CheckFingerprint(ref reader);
        Skipper.Skip(ref reader, _exact is null ? _registry.Shape(_slot) : Shape.Tagged(_registry.Shape(_exact)));
    }

    public T Read(ref WireReader reader)
    {
        CheckFingerprint(ref reader);
        if (!_isJudged && !reader.Session.IsTrusted)
        {
            _registry.Resolver.Judge(typeof(T));
            if (Writer is not null && ObjectFormat.AlwaysFits<T>(_exact!))
            {
                AddReader((byte)(Writer.Prefix[0] | PayloadHeader.Session));
                AddReader(Writer.Prefix[0]);
            }

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

        object value = tag == Tag.Declared
            ? reader.Session.ReadBody(ref reader, _exact)
            : reader.Session.ReadTagged(ref reader, tag, typeof(T));
        return ObjectFormat.Fits<T>(value) ? (T)value : ObjectFormat.Mismatch<T>(value);
    }

    // Nothing that outlives a type that can be unloaded may refer to its plan.
    private void AddReader(byte header)
    {
        if (!typeof(T).IsCollectible
            && ReadPlan.TryCreate<T>(_registry, header, Writer!.Prefix.AsSpan(1), _exact!, null) is { } plan)
        {
            _registry.TypedPlans.Add(plan);
        }
    }

    private void CheckFingerprint(ref WireReader reader)
    {
        uint fingerprint = reader.ReadFixed<uint>();
        if (fingerprint != _fingerprint)
        {
            ThrowHelper.Format(
                WireFormatError.SchemaMismatch,
                $"The payload was not written as this program's {typeof(T)}: the fingerprint of its schema is {fingerprint:X8} and not "
                + $"{_fingerprint:X8}. Typed payloads need the same members, options and type on both sides.");
        }
    }
}
