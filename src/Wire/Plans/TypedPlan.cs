using System.Buffers.Binary;
using Wire.Errors;
using Wire.Format;
using Wire.Manifests;
using Wire.Skipping;
using Wire.Types;
using Wire.Values;

namespace Wire.Plans;

/// <summary>
/// The messages whose root has a type that both sides know: the fingerprint of its schema replaces its manifest. The plans for a root of
/// exactly that type are null where <see cref="WritePlan.TryCreate"/> or <see cref="ReadPlan.TryCreate"/> says so, and for a union.
/// </summary>
internal abstract class TypedPlan
{
    /// <summary>The plan for standalone messages, made for the second one: many types come once.</summary>
    public WritePlan? Writer { get; private protected set; }

    /// <summary>The plan for messages of a session, made for the second one of these.</summary>
    public WritePlan? SessionWriter { get; private protected set; }

    /// <summary>Compiles what standalone messages need now.</summary>
    /// <exception cref="TypeRefusedException">They can be written only.</exception>
    public abstract void Prepare();

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

    // The bytes between the header and the members of a root of exactly the type; null where there are no plans.
    private readonly byte[]? _prefix;

    // How many messages have been without a plan, until one has been made or cannot be.
    private int _written;
    private int _writtenInSession;
    private int _read;
    private int _readInSession;
    private bool _isJudged;

    /// <summary>The plan for reading standalone messages, once there have been two.</summary>
    public ReadPlan<T>? Reader { get; private set; }

    /// <summary>The plan for reading messages of sessions, once there have been two.</summary>
    public ReadPlan<T>? SessionReader { get; private set; }

    public TypedPlan(TypeRegistry registry)
    {
        _registry = registry;
        _slot = registry.Slot<T>();
        // An array type counts as sealed, and its variables hold arrays of derived elements too.
        _isUnion = !typeof(T).IsSealed && registry.IsClosed(typeof(T));
        bool concrete = !typeof(T).IsValueType && (_isUnion || !typeof(T).IsAbstract) && !TagTypes.Contains(typeof(T));
        _exact = concrete && registry.Entry(typeof(T)) is var entry && entry.ComesBackInto(typeof(T)) ? entry.Serializer : null;
        byte[] schema = [.. registry.Shape(_slot).Encode(), .. _exact is null ? [] : registry.Shape(_exact).Encode()];
        _fingerprint = Fingerprint.Compute(registry.NameOf(typeof(T)), schema);
        if (_exact is not null && !_isUnion)
        {
            _prefix = new byte[sizeof(uint) + 1];
            BinaryPrimitives.WriteUInt32LittleEndian(_prefix, _fingerprint);
            _prefix[^1] = Tag.Declared;
        }
    }

    public void Write(ref WireWriter writer, T value)
    {
        SerializerSession session = writer.Session;
        bool isExact = value is not null && value.GetType() == typeof(T);
        if (isExact && (session.IsLasting ? SessionWriter ?? NextSessionWriter() : Writer ?? NextWriter()) is { } plan)
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

    public override void Prepare()
    {
        if (_prefix is null)
        {
            return;
        }

        _written = _read = 2;
        (Writer ??= CreateWriter(PayloadHeader.Typed))?.Prepare();
        _registry.Resolver.Judge(typeof(T));
        _isJudged = true;
        (Reader ?? AddReader(isLasting: false))?.Prepare();
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
            _isJudged = true;
        }

        if (_isJudged && IsSecond(ref reader.Session.IsLasting ? ref _readInSession : ref _read))
        {
            AddReader(reader.Session.IsLasting);
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

    private WritePlan? NextWriter() => IsSecond(ref _written) ? Writer = CreateWriter(PayloadHeader.Typed) : null;

    private WritePlan? NextSessionWriter() =>
        IsSecond(ref _writtenInSession) ? SessionWriter = CreateWriter(PayloadHeader.Typed | PayloadHeader.Session) : null;

    private WritePlan? CreateWriter(byte flags) => WritePlan.TryCreate(_registry, flags, _prefix, _exact!, null);

    // A plan for later messages. Nothing that outlives a type that can be unloaded may refer to it.
    private ReadPlan<T>? AddReader(bool isLasting)
    {
        byte header = (byte)(PayloadHeader.Version
            | PayloadHeader.Typed
            | (isLasting ? PayloadHeader.Session : 0)
            | (_registry.Options.PreserveObjectReferences ? PayloadHeader.References : 0));
        if (typeof(T).IsCollectible
            || !ObjectFormat.AlwaysFits<T>(_exact!)
            || ReadPlan.TryCreate<T>(_registry, header, _prefix, _exact!, null) is not { } plan)
        {
            return null;
        }

        if (isLasting)
        {
            SessionReader = plan;
        }
        else
        {
            Reader = plan;
        }

        _registry.TypedPlans.Add(plan);
        return plan;
    }

    // Of some threads at once, each may count as the second one: the plans that they make are alike.
    private bool IsSecond(ref int messages) => _prefix is not null && messages < 2 && ++messages == 2;

    private void CheckFingerprint(ref WireReader reader)
    {
        uint fingerprint = reader.ReadFixed<uint>();
        if (fingerprint != _fingerprint)
        {
            ThrowHelper.Format(
                WireFormatError.SchemaMismatch,
                $"The payload was not written as this program's {typeof(T)}: the fingerprint of its schema is {fingerprint:X8} and not "
                + $"{_fingerprint:X8}. Ask for the type that the writer gave, with the same members and options, or write with Serialize, "
                + "which needs neither.");
        }
    }
}
