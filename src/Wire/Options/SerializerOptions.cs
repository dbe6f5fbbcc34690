using System.Collections.Immutable;
using System.Runtime.CompilerServices;
using Wire.Configuring;
using Wire.Format;
using Wire.Runtime;

namespace Wire;

/// <summary>Options of a <see cref="Serializer"/>. Immutable; change a copy with <c>with</c>.</summary>
/// <example>
/// <code>
/// SerializerOptions options = SerializerOptions.Default with
/// {
///     TypeFilter = WireTypeFilter.Default.AllowNamespace("Shop"),
///     Limits = Limits.Default with { MaxBytes = 1 &lt;&lt; 20 },
/// };
/// </code>
/// </example>
public sealed record SerializerOptions
{
    // Null for none: few programs have any.
    private readonly WireTypes? _types;

    /// <summary>The options of <c>new Serializer()</c>.</summary>
    public static SerializerOptions Default { get; } = new();

    /// <summary>
    /// Gets whether an object with several references is written once, so that sharing and cycles are restored. Identity is reference
    /// equality, never Equals. Strings and other built-in values are written by value. Off by default: then each reference to a shared
    /// object is restored as a separate copy, and a cycle is an error. Only writing uses this option; a payload says itself how to read it.
    /// </summary>
    /// <example>
    /// <code>
    /// var serializer = new Serializer(new SerializerOptions { PreserveObjectReferences = true });
    /// OrderPlaced[] copy = serializer.Clone&lt;OrderPlaced[]>([order, order]);
    /// Console.WriteLine(ReferenceEquals(copy[0], copy[1])); // True
    /// </code>
    /// </example>
    public bool PreserveObjectReferences { get; init; }

    /// <summary>
    /// Gets whether manifests carry the names and shapes of members, so that readers can still read them when members have been added,
    /// removed or reordered, or given another number type. On by default. When off, manifests carry a fingerprint of four bytes, and a
    /// reader with other members reports a clear error.
    /// </summary>
    public bool VersionTolerance { get; init; } = true;

    /// <summary>
    /// Gets whether schemas carry the names and values of the program's enums, so that a reader whose enum gives them other values reads
    /// each by its name. On by default; it costs the bytes of the names, once per message or session, where <see cref="VersionTolerance"/>
    /// is on, and nothing else. When off, readers take the numbers as they are. Enums of .NET are always read by number. Fingerprints cover
    /// names and values in any case.
    /// </summary>
    public bool EnumsByName { get; init; } = true;

    /// <summary>The surrogates; the first whose source type fits a value is used.</summary>
    /// <example>
    /// <code>
    /// SerializerOptions options = SerializerOptions.Default with
    /// {
    ///     Surrogates = [Surrogate.Create&lt;DirectoryInfo, string>(folder => folder.FullName, path => new DirectoryInfo(path))],
    /// };
    /// </code>
    /// </example>
    public ImmutableArray<Surrogate> Surrogates { get; init; } = [];

    /// <summary>
    /// Gets an object of the program for surrogates and value serializers, such as an actor system that resolves names; they read it
    /// through <see cref="Surrogate.Create{TSource, TSurrogate, TContext}"/>, <see cref="WireWriter.Context{T}"/> and <see
    /// cref="WireReader.Context{T}"/>. All threads share it, so it must be thread-safe. It is never written.
    /// </summary>
    public object? Context { get; init; }

    /// <summary>
    /// The objects that exist once in the program. An object of exactly such a type is written as its type alone, without members, and read
    /// as the instance given here; the types count as allowed. A program that reads such a payload must also list an instance of the type.
    /// </summary>
    public ImmutableArray<object> Singletons { get; init; } = [];

    /// <summary>
    /// The factories of value serializers, tried in order before the built-in ones. Types that have a tag in the format are not offered.
    /// </summary>
    public ImmutableArray<ValueSerializerFactory> ValueSerializerFactories { get; init; } = [];

    /// <summary>The types whose manifests carry an agreed identifier instead of a name.</summary>
    public KnownTypes KnownTypes { get; init; } = KnownTypes.None;

    /// <summary>
    /// The types of which a trimmed or native program keeps what Wire needs; elsewhere, none is needed. It changes no bytes, and nothing
    /// about what a payload may name.
    /// </summary>
    public WireTypes Types
    {
        get => _types ?? WireTypes.None;
        init
        {
            ArgumentNullException.ThrowIfNull(value);
            value.MakeForNativeCode();
            _types = value == WireTypes.None ? null : value;
        }
    }

    /// <summary>The rule that says which types a payload may name.</summary>
    /// <example>
    /// <code>
    /// SerializerOptions options = SerializerOptions.Default with { TypeFilter = WireTypeFilter.Default.AllowDerivedFrom&lt;Message>() };
    /// </code>
    /// </example>
    public WireTypeFilter TypeFilter { get; init; } = WireTypeFilter.Default;

    /// <summary>
    /// The callback for each read that ends with a <see cref="TypeRefusedException"/>, before the exception reaches the caller: for logs
    /// and alarms. Every such read is reported, also when the same payload was refused before. An exception type that <see
    /// cref="ReplaceUnknownExceptions"/> replaces ends no read. It is called on any thread, also concurrently; an exception that it throws
    /// reaches the caller in place of the refusal.
    /// </summary>
    public Action<RefusedType>? TypeRefused { get; init; }

    /// <summary>
    /// The callback for each type that a writer wrote with other members than this program's has, for logs and alarms: before the first
    /// value of such a schema is read, and not for its further values. It is called once for each type and schema that the serializer keeps
    /// (<see cref="Limits.MaxSchemas"/>); one that it has forgotten since is reported again. A schema that differs in nothing but the order
    /// of members, and one that is refused, is not reported, nor what becomes a <see cref="RemoteException"/>. It is called on any thread,
    /// also concurrently for other schemas; other threads may read values of the same schema meanwhile. An exception that it throws ends
    /// the read and reaches the caller as it is; the schema then counts as not reported.
    /// </summary>
    /// <example>
    /// <code>
    /// SerializerOptions options = SerializerOptions.Default with { SchemaDifference = difference => Console.WriteLine(difference) };
    /// </code>
    /// </example>
    public Action<SchemaDifference>? SchemaDifference { get; init; }

    /// <summary>
    /// The members without which a payload is refused. By default a payload may lack any, and they stay zero or null. Only <see
    /// cref="WireFormatError.SchemaMismatch"/> errors come of it, once the schema is matched; payloads that have all members cost nothing.
    /// </summary>
    public MissingMembers MissingMembers { get; init; }

    /// <summary>
    /// Gets whether an exception of a type that this program does not have or does not allow is read as a <see cref="RemoteException"/>
    /// with the original's type name, message and stack trace. Off by default: then it is an error. The payload must have been written with
    /// <see cref="VersionTolerance"/>, and the variable must be able to hold a RemoteException.
    /// </summary>
    public bool ReplaceUnknownExceptions { get; init; }

    /// <summary>The names that stand for types in payloads, and their former names.</summary>
    public TypeAliases TypeAliases { get; init; } = TypeAliases.None;

    /// <summary>The limits on the cost of a payload or an object graph.</summary>
    public Limits Limits { get; init; } = Limits.Default;

    /// <summary>
    /// Gets whether code is emitted for complex types. On by default where the platform compiles code at run time; off, reflection is used,
    /// which is many times slower and writes the same bytes.
    /// </summary>
    public bool DynamicCode { get; init; } = RuntimeFeature.IsDynamicCodeCompiled;

    /// <summary>
    /// Gets whether delegates are written and read, as the names of their methods and their targets. Off by default. When on, the author of
    /// the bytes chooses which method runs when the program calls a delegate: any method, even private, of the types that <see
    /// cref="TypeFilter"/> allows, with any bound arguments that a payload can carry. Methods of .NET's own types are refused unless the
    /// type is a primitive, a string, a collection or the like, or allowed by <see cref="WireTypeFilter.Allow(Type)"/> itself. Lambdas
    /// have names that the compiler generates: both sides need the same build.
    /// </summary>
    public bool AllowDelegates { get; init; }

    /// <summary>
    /// Gets whether members whose declared type is a delegate are left out, and with them the listeners of events, as if each had <see
    /// cref="IgnoreMemberAttribute"/>: for classes whose source is not your own. Off by default: then a delegate in such a member is
    /// refused, unless <see cref="AllowDelegates"/> is set. They are null after reading, in copies too, and a payload that has such members
    /// is read without them. Delegates elsewhere, in a variable of <c>object</c>, a collection, a tuple or a case of a union, are
    /// not concerned. Where <see cref="VersionTolerance"/> is off, both sides need the same setting.
    /// </summary>
    public bool IgnoreDelegateMembers { get; init; }

    /// <summary>
    /// Gets whether reflected methods, constructors, fields, properties, events and parameters are written and read, by name. Off by
    /// default. When on, a payload chooses which members of the types that <see cref="TypeFilter"/> allows the program receives and perhaps
    /// invokes. The rules for .NET's own types are those of <see cref="AllowDelegates"/>.
    /// </summary>
    public bool AllowMemberInfos { get; init; }

    /// <summary>Gets the context as a type.</summary>
    /// <exception cref="InvalidOperationException">There is no context, or it has another type.</exception>
    internal T ContextAs<T>()
        where T : notnull => Context is T context
            ? context
            : throw new InvalidOperationException(ContextFault(typeof(T)));

    /// <summary>Makes the message for a context of a type that is needed and is not there.</summary>
    internal string ContextFault(Type needed) =>
        $"SerializerOptions.Context must be of type {needed} here, and " +
        $"is {(Context is null ? "not set" : $"of type {Context.GetType()}")}.";

    /// <summary>
    /// Gets whether expression trees of <c>System.Linq.Expressions</c>, and parts of trees on their own, are written and read. Off by
    /// default. On, a payload holds code that the program may compile and run: it can call what <see cref="AllowDelegates"/> says of
    /// methods, make objects, loop endlessly, and hold any value as a constant. The members in it need no <see cref="AllowMemberInfos"/>;
    /// delegates as constants need <see cref="AllowDelegates"/>. Reducible extensions are reduced; dynamic expressions are refused.
    /// </summary>
    public bool AllowExpressions { get; init; }

    /// <summary>
    /// Gets whether types of the program that implement <see cref="System.Runtime.Serialization.ISerializable"/> write themselves, and are
    /// read by their constructor with a SerializationInfo, which may be private. Off by default: then they are written member by member
    /// like all others. On, reading bytes runs these constructors, and <c>IObjectReference</c>, of types that <see cref="TypeFilter"/>
    /// allows, with values that the bytes have chosen. Exceptions, collections and .NET's own types are not concerned.
    /// </summary>
    public bool UseSerializable { get; init; }

    /// <summary>
    /// Gets whether methods with <c>[OnSerializing]</c>, <c>[OnSerialized]</c>, <c>[OnDeserializing]</c> and <c>[OnDeserialized]</c>, and
    /// <see cref="System.Runtime.Serialization.IDeserializationCallback"/>, are called on types that are written member by member. Off by
    /// default: then they are not called, and cost nothing. On, reading bytes runs code of the types that <see cref="TypeFilter"/> allows,
    /// on objects whose members the bytes have chosen. What such code throws comes out of the serializer as it is.
    /// </summary>
    public bool UseSerializationCallbacks { get; init; }

    /// <summary>
    /// Gets whether an object whose payload lacks members of its type is made by the type's public constructor without parameters, if it
    /// has one, so that what initializers and the constructor set stays in these members. Off by default: then no constructor with code
    /// runs, and they are zero or null. A payload with all members costs nothing, and its objects are made without. On, reading bytes runs
    /// these constructors, of classes and structs that <see cref="TypeFilter"/> allows; they get nothing from the bytes, but the author of
    /// the bytes chooses how often, and <see cref="Limits"/> does not count what they allocate. They run before the members are set and
    /// before the callbacks of <see cref="UseSerializationCallbacks"/>; what they throw comes out of the serializer as it is. Classes that
    /// derive from a collection or exception of .NET are made without.
    /// </summary>
    public bool UseConstructors { get; init; }

    /// <summary>Lists the values that differ from <see cref="Default"/> on one line, for logs.</summary>
    public override string ToString() => OptionsText.Describe(this, Default);

    /// <summary>Gets whether payloads may name delegate types and what lambdas capture.</summary>
    internal bool NamesCode => AllowDelegates || AllowExpressions;

    /// <summary>Gets whether methods of the program may see objects of a message before all of it has been read.</summary>
    internal bool RunsProgram => UseSerializationCallbacks || UseConstructors || UseSerializable || !Surrogates.IsEmpty
        || !ValueSerializerFactories.IsEmpty;

    /// <summary>Returns the row of a type; null where it has none, or where code is emitted, which needs none.</summary>
    internal WireTypeRow? RowOf(Type type) => RuntimeFeature.IsDynamicCodeSupported && DynamicCode ? null : Types.Find(type);

    /// <summary>Returns the reason why members of a type may be missing here; null when none is, or it has a row that keeps them.</summary>
    internal string? RefusalOfTrimmed(Type type) =>
        TrimmedAssemblies.MayExist && !Types.Contains(type) ? TrimmedAssemblies.RefusalOf(type) : null;

    /// <summary>Returns the surrogate of a type; null when its values are written themselves.</summary>
    internal Surrogate? SurrogateOf(Type type) => Surrogates.IsEmpty ? null : FindSurrogate(type);

    private Surrogate? FindSurrogate(Type type) =>
        !TagTypes.Contains(type) && Nullable.GetUnderlyingType(type) is null && !IStandIn.Is(type)
        ? Surrogates.FirstOrDefault(surrogate => surrogate.Covers(type))
        : null;

    internal SerializerOptions Validated()
    {
        ArgumentNullException.ThrowIfNull(KnownTypes);
        ArgumentNullException.ThrowIfNull(TypeFilter);
        ArgumentNullException.ThrowIfNull(TypeAliases);
        ArgumentNullException.ThrowIfNull(Limits);
        if (Surrogates.IsDefault || Surrogates.Contains(null!))
        {
            throw new ArgumentException($"{nameof(Surrogates)} is a default array or contains null.");
        }

        if (ValueSerializerFactories.IsDefault || ValueSerializerFactories.Contains(null!))
        {
            throw new ArgumentException($"{nameof(ValueSerializerFactories)} is a default array or contains null.");
        }

        if (!Enum.IsDefined(MissingMembers))
        {
            throw new ArgumentException($"{nameof(MissingMembers)} is {MissingMembers}, which is none of its values.");
        }

        if (MissingMembers == MissingMembers.NonNullRefused
            && AppContext.TryGetSwitch("System.Reflection.NullabilityInfoContext.IsSupported", out bool readsAnnotations)
            && !readsAnnotations)
        {
            throw new ArgumentException(
                $"{nameof(MissingMembers)} is {MissingMembers}, and this program is published without the annotations that it needs: set "
                + "NullabilityInfoContextSupport to true in the project.");
        }

        Limits.Validate();
        Configuring.Singletons.Validate(this);
        foreach (Surrogate surrogate in Surrogates)
        {
            surrogate.Validate(this);
        }

        return this;
    }
}
