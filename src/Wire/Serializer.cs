using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Wire.Plans;
using Wire.Runtime;
using Wire.Sessions;
using Wire.Types;

namespace Wire;

/// <summary>
/// Writes any object graph as bytes that carry their own types, and reads it back. Thread-safe: make one from immutable options and use it
/// everywhere. It remains usable after any failure.
/// </summary>
/// <remarks>
/// Writing throws <see cref="UnsupportedTypeException"/> for a type that cannot be serialized and
/// <see cref="ObjectGraphException"/> for a graph that is too deep or has a cycle. Reading throws
/// <see cref="WireFormatException"/> for bytes that are not a valid payload, and the derived <see cref="TypeRefusedException"/>
/// for a type that <see cref="SerializerOptions.TypeFilter"/> does not allow. An exception of user code, in a surrogate, value serializer,
/// comparer, callback or stream, reaches the caller unchanged, with its stack trace; its location is added to its
/// <see cref="Exception.Data"/> under <see cref="MemberPathKey"/> and <see cref="OffsetKey"/>. Only an exception that the runtime raises in
/// a comparer or hash code while a collection is read (<see cref="NullReferenceException"/>,
/// <see cref="ArithmeticException"/>, <see cref="IndexOutOfRangeException"/>, <see cref="InvalidCastException"/>) is reported as a
/// <see cref="WireFormatException"/>, as its inner exception: it results from values in the payload.
/// </remarks>
[RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
[RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
public sealed partial class Serializer
{
    /// <summary>
    /// The key in <see cref="Exception.Data"/> of the path for exceptions of user code: the members on the way from the root to the current
    /// value, such as <c>Lines[2].Price</c>; an empty string at the root, and for work that is deferred until the whole graph has been
    /// read. A value type inside an object adds no step: only its members do. For nested calls it is the path of the outermost call that
    /// the exception passed through.
    /// </summary>
    public const string MemberPathKey = "Wire.MemberPath";

    /// <summary>
    /// The key in <see cref="Exception.Data"/> of the offset for exceptions of user code during a read: the number of bytes read so far, a
    /// <see cref="long"/>.
    /// </summary>
    public const string OffsetKey = "Wire.Offset";

    private readonly ThreadSessions _threads = new();
    private readonly TypeMap<WritePlan> _writePlans;
    private readonly ReadPlans _readPlans;
    private readonly TypedPlans _typedPlans;

    /// <summary>Makes a serializer with <see cref="SerializerOptions.Default"/>.</summary>
    /// <example>
    /// <code>
    /// var serializer = new Serializer(); // make one, and use it from all threads
    /// byte[] payload = serializer.Serialize(new OrderPlaced(1, "Ada", 19.90m));
    /// OrderPlaced? copy = serializer.Deserialize&lt;OrderPlaced>(payload);
    /// </code>
    /// </example>
    public Serializer()
        : this(SerializerOptions.Default)
    {
    }

    /// <summary>Makes a serializer.</summary>
    /// <param name="options">The options; immutable.</param>
    /// <exception cref="ArgumentException">An option is null, out of range or contradicts another.</exception>
    /// <example>
    /// <code>
    /// var serializer = new Serializer(new SerializerOptions
    /// {
    ///     TypeFilter = WireTypeFilter.Default.AllowDerivedFrom&lt;Message>(), // what a payload may name
    ///     PreserveObjectReferences = true,
    /// });
    /// </code>
    /// </example>
    public Serializer(SerializerOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        Options = ReferenceEquals(options, SerializerOptions.Default) ? options : options.Validated();
        MaxDepth = Options.Limits.MaxDepth;
        Registry = new TypeRegistry(this);
        _writePlans = Registry.WritePlans;
        _readPlans = Registry.ReadPlans;
        _typedPlans = Registry.TypedPlans;
    }

    /// <summary>The options that the serializer was made with.</summary>
    public SerializerOptions Options { get; }

    internal TypeRegistry Registry { get; }

    /// <summary>Itself, or one that preserves references and is otherwise like it.</summary>
    internal Serializer WithReferences => Options.PreserveObjectReferences
        ? this
        : field ??= new Serializer(Options with { PreserveObjectReferences = true });

    /// <summary>The limit of the depth, which each copy needs at once.</summary>
    internal int MaxDepth { get; }

    /// <summary>Begins a stream of messages that carries each type's manifest once. Dispose of it when the stream ends.</summary>
    /// <example>
    /// <code>
    /// using SerializerSession session = serializer.GetSerializerSession();
    /// byte[] first = serializer.Serialize(new OrderPlaced(1, "Ada", 19.90m), session);
    /// byte[] second = serializer.Serialize(new OrderPlaced(2, "Bob", 5m), session); // smaller: the type is known
    /// </code>
    /// </example>
    public SerializerSession GetSerializerSession() => new(this, ownThread: false);

    /// <summary>
    /// Begins to read a stream of messages that one <see cref="SerializerSession"/> writes. Dispose of it when the stream ends.
    /// </summary>
    /// <example>
    /// <code>
    /// using DeserializerSession session = serializer.GetDeserializerSession();
    /// foreach (byte[] message in messages) // in the order in which they were written
    /// {
    ///     Console.WriteLine(serializer.Deserialize&lt;OrderPlaced>(message, session));
    /// }
    /// </code>
    /// </example>
    public DeserializerSession GetDeserializerSession() => new(this, ownThread: false);

    // The thread's cached session, unless a surrogate or value serializer calls the serializer during a call.
    internal SerializerSession ThreadWriting()
    {
        ThreadSessions.Pair own = _threads.Current;
        return own.Writing is { IsBusy: false } session ? session : NewThreadWriting(own);
    }

    internal DeserializerSession ThreadReading()
    {
        ThreadSessions.Pair own = _threads.Current;
        return own.Reading is { IsBusy: false } session ? session : NewThreadReading(own);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private SerializerSession NewThreadWriting(ThreadSessions.Pair own)
    {
        var session = new SerializerSession(this, ownThread: true);
        own.Writing ??= session;
        return session;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private DeserializerSession NewThreadReading(ThreadSessions.Pair own)
    {
        var session = new DeserializerSession(this, ownThread: true);
        own.Reading ??= session;
        return session;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Check(SerializerSession session) => CheckOwner(session, session?.Serializer);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Check(DeserializerSession session) => CheckOwner(session, session?.Serializer);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void CheckOwner(object? session, Serializer? owner)
    {
        if (!ReferenceEquals(owner, this))
        {
            Refuse(session);
        }
    }

    [DoesNotReturn]
    private static void Refuse(object? session)
    {
        ArgumentNullException.ThrowIfNull(session);
        throw new ArgumentException("The session belongs to another serializer. Use it with the one that made it.", nameof(session));
    }
}
