namespace Wire;

/// <summary>
/// Writes any object graph as bytes that carry their own types, and reads it back. Thread-safe: make one from immutable
/// options and use it everywhere. After any failure it is as usable as before.
/// </summary>
/// <remarks>
/// Writing throws <see cref="UnsupportedTypeException"/> for a type that cannot be serialized and
/// <see cref="ObjectGraphException"/> for a graph that is too deep or has a cycle. Reading throws
/// <see cref="WireFormatException"/> for bytes that are no such payload, and the derived <see cref="TypeRefusedException"/>
/// for a type that <see cref="SerializerOptions.TypeFilter"/> does not allow. What user code throws comes out as it is.
/// </remarks>
public sealed partial class Serializer
{
    // One session of either kind per thread, for the serializer that used it last.
    [ThreadStatic]
    private static SerializerSession? _threadWriting;

    [ThreadStatic]
    private static DeserializerSession? _threadReading;

    /// <summary>Makes a serializer with <see cref="SerializerOptions.Default"/>.</summary>
    public Serializer()
        : this(SerializerOptions.Default)
    {
    }

    /// <summary>Makes a serializer.</summary>
    /// <param name="options">How it works.</param>
    /// <exception cref="ArgumentException">An option is null, out of range or contradicts another.</exception>
    public Serializer(SerializerOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        Options = options.Validated();
        Registry = new TypeRegistry(options);
        Manifests = new ManifestCache(Registry);
    }

    /// <summary>The options that the serializer was made with.</summary>
    public SerializerOptions Options { get; }

    internal TypeRegistry Registry { get; }

    internal ManifestCache Manifests { get; }

    /// <summary>Begins a stream of messages that carries each type's manifest once. Dispose of it when the stream ends.</summary>
    public SerializerSession GetSerializerSession() => new(this);

    /// <summary>Begins to read a stream of messages that one <see cref="SerializerSession"/> writes. Dispose of it when the stream ends.</summary>
    public DeserializerSession GetDeserializerSession() => new(this);

    /// <summary>Copies an object graph by writing and reading it. Types are not filtered: nothing comes from outside.</summary>
    public T Clone<T>(T value)
    {
        var copy = new CloneState<T>(this);
        SerializerSession session = Rent();
        try
        {
            session.ToSpan(value, copy, static (state, bytes) => state.Read(bytes));
        }
        finally
        {
            Return(session);
        }

        return copy.Value!;
    }

    private SerializerSession Rent()
    {
        SerializerSession? session = _threadWriting;
        if (session is not null && ReferenceEquals(session.Serializer, this))
        {
            // Taken, not borrowed: a surrogate may call the serializer again.
            _threadWriting = null;
            return session;
        }

        return new SerializerSession(this);
    }

    private static void Return(SerializerSession session)
    {
        session.ForgetTypes();
        _threadWriting = session;
    }

    private DeserializerSession RentReader()
    {
        DeserializerSession? session = _threadReading;
        if (session is not null && ReferenceEquals(session.Serializer, this))
        {
            _threadReading = null;
            return session;
        }

        return new DeserializerSession(this);
    }

    private static void Return(DeserializerSession session)
    {
        session.ForgetTypes();
        _threadReading = session;
    }

    private void Check(SerializerSession session)
    {
        ArgumentNullException.ThrowIfNull(session);
        if (!ReferenceEquals(session.Serializer, this))
        {
            throw new ArgumentException("The session belongs to another serializer.", nameof(session));
        }
    }

    private void Check(DeserializerSession session)
    {
        ArgumentNullException.ThrowIfNull(session);
        if (!ReferenceEquals(session.Serializer, this))
        {
            throw new ArgumentException("The session belongs to another serializer.", nameof(session));
        }
    }

    private sealed class CloneState<T>(Serializer serializer)
    {
        public T? Value { get; private set; }

        public void Read(ReadOnlySpan<byte> bytes) =>
            Value = new DeserializerSession(serializer) { IsTrusted = true }.Read<T>(bytes, null, typed: false, whole: true, out _);
    }
}
