using System.Buffers.Binary;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Wire.Errors;
using Wire.Format;
using Wire.Types;

namespace Wire.Manifests;

/// <summary>The skipping of a root whose type both sides know.</summary>
internal abstract class TypedRoot
{
    /// <summary>Skips a root after the header.</summary>
    /// <exception cref="WireFormatException">It is not of this type, or cannot be skipped.</exception>
    public abstract void Skip(ref WireReader reader);
}

/// <summary>A root whose type both sides know: the fingerprint of its schema replaces its manifest.</summary>
internal sealed class TypedRoot<T> : TypedRoot
{
    private readonly ValueSerializer<T> _slot;
    private readonly ValueSerializer? _exact;

    private readonly bool _isUnion;
    private readonly TypeRegistry _registry;
    private readonly RootWriter? _lastingWriter;
    private RootReader<T>? _reader;
    private RootReader<T>? _lastingReader;
    private bool _isJudged;

    public TypedRoot(TypeRegistry registry)
    {
        _registry = registry;
        _slot = registry.Slot<T>();
        // An array type counts as sealed, and its variables hold arrays of derived elements too.
        _isUnion = !typeof(T).IsSealed && registry.IsClosed(typeof(T));
        bool concrete = !typeof(T).IsValueType && (_isUnion || !typeof(T).IsAbstract) && BuiltInTypes.Find(typeof(T)) is null;
        _exact = concrete ? registry.Entry(typeof(T)).Serializer : null;
        byte[] schema = [.. registry.Shape(_slot).Encode(), .. _exact is null ? [] : registry.Shape(_exact).Encode()];
        Fingerprint = Manifests.Fingerprint.Compute(registry.NameOf(typeof(T)), schema);
        if (_exact is not null && !_isUnion)
        {
            Span<byte> prefix = stackalloc byte[sizeof(uint) + 1];
            BinaryPrimitives.WriteUInt32LittleEndian(prefix, Fingerprint);
            prefix[^1] = Tag.Declared;
            Writer = RootWriter.TryCreate(registry.Options, PayloadHeader.Typed, prefix, _exact, null);
            _lastingWriter = RootWriter.TryCreate(registry.Options, PayloadHeader.Typed | PayloadHeader.Session, prefix, _exact, null);
        }
    }

    /// <summary>
    /// Writes a root of exactly the type in a standalone message; null where <see cref="Manifests.RootWriter.TryCreate"/> says so, and for
    /// a union.
    /// </summary>
    public RootWriter? Writer { get; }

    /// <summary>Says whether the type can be unloaded: then nothing that outlives the type may refer to the root.</summary>
    public bool IsCollectible { get; } = typeof(T).IsCollectible;

    private uint Fingerprint { get; }

    /// <summary>The <see cref="Writer"/> for messages of a session.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public RootWriter? WriterFor(SerializerSession session) => session.IsLasting ? _lastingWriter : Writer;

    /// <summary>
    /// Reads a root of exactly the type; null until the type has been judged, and where <see cref="RootReader.TryCreate"/> says so.
    /// </summary>
    public RootReader<T>? ReaderFor(DeserializerSession session) => session.IsLasting ? _lastingReader : _reader;

    /// <summary>Says whether <see cref="Writer"/> exists and writes roots.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool IsExact([NotNullWhen(true)] T value) => value is not null && value.GetType() == typeof(T);

    public void Write(ref WireWriter writer, T value)
    {
        SerializerSession session = writer.Session;
        if (WriterFor(session) is { } root && IsExact(value))
        {
            session.WriteRoot(ref writer, root, value);
            return;
        }

        session.WriteHeader(ref writer, PayloadHeader.Typed);
        writer.WriteFixed(Fingerprint);
        if (_exact is null || value is null || !(_isUnion || IsExact(value)))
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
                _reader = (RootReader<T>?)RootReader.TryCreate<T>(
                    _registry.Options, Writer.Prefix[0], Writer.Prefix.AsSpan(1), _exact!, null);
                _lastingReader = (RootReader<T>?)RootReader.TryCreate<T>(
                    _registry.Options, (byte)(Writer.Prefix[0] | PayloadHeader.Session), Writer.Prefix.AsSpan(1), _exact!, null);
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

    private void CheckFingerprint(ref WireReader reader)
    {
        uint fingerprint = reader.ReadFixed<uint>();
        if (fingerprint != Fingerprint)
        {
            ThrowHelper.Format(
                WireFormatError.SchemaMismatch,
                $"The payload was not written as this program's {typeof(T)}: the fingerprint of its schema is {fingerprint:X8} and not "
                + $"{Fingerprint:X8}. Typed payloads need the same members, options and type on both sides.");
        }
    }
}
