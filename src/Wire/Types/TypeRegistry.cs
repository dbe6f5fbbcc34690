using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Wire.Errors;
using Wire.Format;
using Wire.Manifests;
using Wire.Plans;
using Wire.Resolution;
using Wire.Runtime;
using Wire.Slots;
using Wire.Values;

namespace Wire.Types;

/// <summary>All information of one serializer about types. Filled as types are first used, concurrently from any thread.</summary>
[RequiresUnreferencedCode(TrimmingAdvice.Inside)]
[RequiresDynamicCode(TrimmingAdvice.Inside)]
internal sealed class TypeRegistry
{
    private readonly TypeMap<TypeEntry> _entries = new();
    private readonly TypeMap<ValueSerializer> _slots = new();
    private readonly TypeMap<Naming> _names = new();
    private readonly TypeMap<object> _selfWritten = new();
    private readonly TypeMap<ConcurrentDictionary<byte, ValueSerializer>> _otherVectors = new();
    private readonly TypeMap<ConcurrentDictionary<byte, ValueSerializer>> _otherScalars = new();
    private readonly TypeMap<ReportedDifferences> _reportedTags = new();
    private readonly WrittenNames _written = new();
    // An enum without names is a difference: the program wants to know of differences, and writers are expected to name enums.
    private readonly bool _tellsOfIntegers;
    private Constructed? _lambdaTypes;

    /// <param name="serializer">The serializer, whose options are set.</param>
    public TypeRegistry(Serializer serializer)
    {
        Serializer = serializer;
        SerializerOptions options = serializer.Options;
        Options = options;
        _tellsOfIntegers = options is { SchemaDifference: not null, EnumsByName: true, VersionTolerance: true };
        Resolver = new TypeResolver(this, options);
        Manifests = new ManifestCache(this);
        TypedPlans = new TypedPlans(this);
        Cultures = new Cultures(options.Limits.MaxConstructedTypes);
        ForeignCompilations = new ForeignCompilations(options.DynamicCode, TimeProvider.System);
    }

    public Serializer Serializer { get; }

    public SerializerOptions Options { get; }

    public TypeResolver Resolver { get; }

    /// <summary>Gets the plans of standalone messages by the type of the root; types that can be unloaded are not among them.</summary>
    public TypeMap<WritePlan> WritePlans { get; } = new();

    /// <summary>Gets the plans of standalone messages by their first bytes.</summary>
    public ReadPlans ReadPlans { get; } = new();

    /// <summary>Gets the plans of messages whose type both sides know.</summary>
    public TypedPlans TypedPlans { get; }

    /// <summary>Gets the numbers of members, for errors.</summary>
    public MemberNumbers Members { get; } = new();

    /// <summary>Gets the decisions on what is compiled for schemas that are not the program's own.</summary>
    public ForeignCompilations ForeignCompilations { get; }

    /// <summary>The delegate types made for lambdas in any part of an expression.</summary>
    public Constructed LambdaTypes => _lambdaTypes ?? LazyInitializer.EnsureInitialized(
        ref _lambdaTypes, () => new Constructed(Options.Limits.MaxConstructedTypes, "signatures of lambdas"));

    /// <summary>The cultures that payloads name.</summary>
    public Cultures Cultures { get; }

    /// <summary>The manifests that the serializer has met.</summary>
    public ManifestCache Manifests { get; }

    /// <summary>Finds the entry of a runtime type: first among the built-in types, then in the table.</summary>
    public TypeEntry Entry(Type type) =>
        BuiltInTypes.Find(type) ?? (_entries.TryGetValue(type, out TypeEntry? entry) ? entry : AddEntry(type));

    /// <summary>Finds the entry of an object's type.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public TypeEntry EntryFor(object value) => _entries.FindFor(value) ?? Entry(value.GetType());

    /// <summary>Finds the entry by which a payload's value of a type is read.</summary>
    /// <exception cref="WireFormatException">One side has a surrogate for it and the other has not.</exception>
    /// <exception cref="UnsupportedTypeException">The type cannot be serialized, or is written as another one.</exception>
    public TypeEntry ReadEntry(Type type, bool isSurrogate)
    {
        TypeEntry entry = Entry(type);
        return entry.Type != type ? throw new UnsupportedTypeException(type, $"it is written as {entry.Type}, so no payload names it.")
            : entry.IsSurrogate == isSurrogate ? entry
            : throw WrittenOtherwise(type, isSurrogate);
    }

    private static WireFormatException WrittenOtherwise(Type type, bool isSurrogate) => new(
        WireFormatError.SchemaMismatch,
        SerializerSource.Library.IsSerializable(type)
            ? $"The payload has a {type} written {(isSurrogate ? "by itself, as an ISerializable" : "member by member")}, or by a " +
                "surrogate: set SerializerOptions.UseSerializable and Surrogates as the writer has them."
            : isSurrogate
                ? $"The payload has a surrogate for {type}, and SerializerOptions.Surrogates has none. Add the one that the writer has."
                : $"The payload has a {type} without a surrogate, and SerializerOptions.Surrogates has one for it. Add it to the "
                    + "writer's options, or leave it out of this program's: both need the same.");

    /// <summary>Gets the shared value serializer of a variable of a type.</summary>
    public ValueSerializer<T> Slot<T>() => (ValueSerializer<T>)_slots.GetOrAdd(
        typeof(T), static (type, registry) => registry.CreateSlot(type), this);

    /// <summary>Makes a value serializer for one variable of a type: it caches the last runtime type.</summary>
    public ValueSerializer CreateSlot(Type type)
    {
        if (type.IsPointer || type.IsByRef || type.IsFunctionPointer || type.IsByRefLike)
        {
            ThrowHelper.Unsupported(type, Advice.ForPointer(type));
        }

        return SerializerSource.Library.CreateSlot(type, this);
    }

    /// <summary>The value serializer of a declared type whose layout belongs to the schema of what declares it: a collection's.</summary>
    public ValueSerializer? TryExact(Type type)
    {
        // Asked for every value: what has an entry is known to be supported.
        if (!_entries.TryGetValue(type, out TypeEntry? entry))
        {
            if (BuiltInTypes.Find(type) is not null || !IsSupported(type))
            {
                return null;
            }

            entry = Entry(type);
        }

        return entry.HasOwnManifest || (entry.Type != type && !entry.ComesBackInto(type)) ? null : entry.Serializer;
    }

    /// <summary>
    /// The entry of a declared type whose objects are written as themselves; null where they are not, or cannot be.
    /// </summary>
    public TypeEntry? TryExactEntry(Type type)
    {
        try
        {
            return !type.IsCollectible
                && (BuiltInTypes.Find(type) is not null || IsSupported(type))
                && Entry(type) is { IsStandIn: false, IsSurrogate: false, VariesByObject: false } entry
                && entry.Type == type
                ? entry
                : null;
        }
        catch (UnsupportedTypeException)
        {
            // Reported where such a value is written.
            return null;
        }
    }

    /// <summary>Finds a type, or the definition of a generic type, that the libraries know and that is allowed in every payload.</summary>
    /// <param name="key">Its name as <see cref="TypeNames.GetDefinitionName"/> has it.</param>
    public Type? FindByName(string key) =>
        NamedTypes.FindByName(key) ?? (Options.ValueSerializerFactories.IsEmpty ? null : FindDefinition(key));

    private Type? FindDefinition(string key) =>
        LibraryFactories.SelectMany(factory => factory.Definitions).FirstOrDefault(
            type => TypeNames.GetDefinitionName(type, Options.TypeAliases) == key);

    /// <summary>Returns whether a variable of the type can hold values of no type but this: it is sealed, or a union.</summary>
    public bool IsClosed(Type type) => type.IsSealed || LibraryFactories.Any(factory => factory.IsUnion(type));

    public Shape Shape(ValueSerializer serializer) => new ShapeBuilder(this).Build(serializer);

    /// <summary>The name of a type in payloads, whether or not a payload may have it.</summary>
    public string NameOf(Type type) => NamingOf(type).Name;

    /// <summary>The name under which a payload is to have a type.</summary>
    /// <exception cref="UnsupportedTypeException">A reader would not take it, or not for the type.</exception>
    public string NameToWrite(Type type) =>
        NamingOf(type) is var naming
            && (naming.Refusal ?? (naming.Given is { } given ? Resolver.RefusalOf(given) : null)) is { } reason
            ? throw new UnsupportedTypeException(type, reason)
            : naming.Name;

    /// <summary>Returns whether a reader would take the name of a type, and for that type.</summary>
    public bool CanName(Type type) => NamingOf(type).Refusal is null;

    private Naming NamingOf(Type type) => _names.GetOrAdd(
        type,
        static (asked, registry) =>
        {
            (string name, string? refusal) = TypeNames.Judged(asked, registry.Options.TypeAliases, out List<Type>? given);
            registry._written.Add(name, asked);
            registry.Resolver.Constructed.Own(asked);
            return new Naming(name, refusal, given);
        },
        this);

    /// <summary>The type that this serializer has itself given a name; <paramref name="near"/> is preferred among several.</summary>
    public Type WrittenType(string name, Type? near) => _written.Find(name, near);

    public Type KnownType(int id) => Options.KnownTypes.Find(id) ?? ThrowHelper.Format<Type>(
        WireFormatError.UnknownKnownType,
        $"The payload has known type {id}, which SerializerOptions.KnownTypes does not have. Add the type that the writer has by this "
            + "number.");

    /// <summary>
    /// The value serializer of the collection as which elements are read into a variable that the type of the payload does not fit; null
    /// when there is none.
    /// </summary>
    /// <exception cref="TypeRefusedException">The filter denies that collection.</exception>
    public ValueSerializer? Form(Type variable, Shape layout)
    {
        if (SerializerSource.Library.CollectionFor(variable, layout) is not { } type
            || (BuiltInTypes.Find(type)?.Serializer ?? TryExact(type)) is not ICollectionForm { IsForm: true } form)
        {
            return null;
        }

        Resolver.Judge(type);
        return (ValueSerializer)form;
    }

    /// <summary>
    /// Returns whether values of a writer's layout are read as those of this program, with nothing in it that the program is to be told: a
    /// member that is an enum here, and without names there, may have been an integer.
    /// </summary>
    public bool IsOwn(Shape writer, Shape own) =>
        writer.IsLike(own, namesMayBeAbsent: !_tellsOfIntegers || own.Code == ShapeCode.Enum);

    /// <summary>Makes the reader of a writer's layout, with no other layout around it.</summary>
    /// <param name="own">The value serializer of the type as which it is read.</param>
    /// <param name="layout">The layout.</param>
    /// <param name="writerName">The writer's name of the type, for messages; null when there is none.</param>
    /// <param name="differences">What differs; null when nobody asks.</param>
    /// <param name="isForm">True if the writer's name is that of another type.</param>
    /// <exception cref="WireFormatException">The layouts are incompatible.</exception>
    public ValueSerializer Adapt(
        ValueSerializer own, Shape layout, string? writerName, out SchemaDifferences? differences, bool isForm = false)
    {
        differences = Options.SchemaDifference is null ? null : new SchemaDifferences(Options.EnumsByName);
        ValueSerializer adapted = own.Adapt(
            layout,
            new AdaptContext(this, null, null)
            {
                Differences = differences,
                WriterName = writerName,
                IsNamed = writerName is not null && !isForm,
            });
        differences?.Compare(layout, Shape(own));
        return adapted;
    }

    /// <summary>Gets the value serializer of an array with a tag, for a variable that may be of another collection.</summary>
    /// <param name="elementTag">The tag of its elements.</param>
    /// <param name="variable">The type of the variable; null where any type fits.</param>
    public ValueSerializer Vector(byte elementTag, Type? variable) =>
        Tagged(_otherVectors, BuiltInTypes.Vector(elementTag), elementTag, variable);

    /// <summary>Gets the value serializer of a scalar with a tag, for a variable that may be of another number.</summary>
    /// <param name="tag">Its tag.</param>
    /// <param name="variable">The type of the variable.</param>
    public ValueSerializer Scalar(byte tag, Type variable) => Tagged(_otherScalars, BuiltInTypes.ByTag(tag), tag, variable);

    // Bounded by the tags, and by the types of the program's own variables.
    private ValueSerializer Tagged(
        TypeMap<ConcurrentDictionary<byte, ValueSerializer>> others, ValueSerializer own, byte tag, Type? variable) =>
        variable is null || variable == typeof(object) || ReferenceEquals(variable, own.Type) || !Options.VersionTolerance ? own
            : others.GetOrAdd(variable, static (_, _) => new(), 0).GetOrAdd(
                tag, static (_, at) => at.Registry.TaggedAs(at.Own, at.Variable), (Registry: this, Own: own, Variable: variable));

    // What does not convert is refused where it is put into the variable.
    private ValueSerializer TaggedAs(ValueSerializer own, Type variable)
    {
        Shape layout = Shape(own);
        bool isCollection = own.Type.IsArray;
        if (ArrayVariance.Fits(variable, own.Type)
            || (isCollection ? Form(variable, layout) : TryExactEntry(variable)?.Serializer) is not { } reader)
        {
            return own;
        }

        SchemaDifferences? differences;
        ValueSerializer adapted;
        try
        {
            adapted = Adapt(reader, layout, writerName: null, out differences);
        }
        catch (WireFormatException e) when (e.Error == WireFormatError.SchemaMismatch)
        {
            return isCollection ? throw CollectionErrors.NoConversion(own.Type, variable, e) : own;
        }

        if (differences?.Describe(variable, NameOf(own.Type)) is { } difference)
        {
            _reportedTags.GetOrAdd(own.Type, static (_, _) => new(), 0).Report(Options.SchemaDifference!, difference);
        }

        return adapted;
    }

    /// <summary>The declared types of the members of a complex type; of other types, none.</summary>
    public IEnumerable<Type> DeclaredMemberTypes(Type type)
    {
        if (Options.SurrogateOf(type) is { } surrogate)
        {
            return surrogate.StandInOf(type) is { } standIn ? [standIn] : [];
        }

        foreach (LibraryFactory factory in LibraryFactories)
        {
            if (factory.DeclaredPartTypes(type) is { } parts)
            {
                return parts;
            }
        }

        return SerializerSource.Library.DeclaredMemberTypes(type, Options);
    }

    /// <summary>
    /// Asks the libraries whose types the options know about one that they do not know; null when it is not the library's.
    /// </summary>
    public string? RefusalByLibrary(Type type) =>
        LibraryFactories.Select(factory => factory.RefusalOf(type)).FirstOrDefault(reason => reason is not null);

    /// <summary>
    /// Returns whether an object that writes itself may be of a type, or may come back by way of it: the options say nothing else of it.
    /// </summary>
    public bool IsSelfWritten(Type type) => (bool)_selfWritten.GetOrAdd(
        type, static (asked, registry) => SerializerSource.Library.IsSelfWritten(asked, registry), this);

    private IEnumerable<LibraryFactory> LibraryFactories => Options.ValueSerializerFactories.OfType<LibraryFactory>();

    private bool IsSupported(Type type) =>
        (SerializerSource.Library.IsUnsupported(type) is null && Options.RefusalOfTrimmed(type) is null)
        || SerializerSource.Library.CreateCustom(type, this) is not null;

    private TypeEntry AddEntry(Type type)
    {
        ValueSerializer? custom = SerializerSource.Library.CreateCustom(type, this);
        Type written = custom is null ? SerializerSource.Library.WrittenAs(type, Options) : type;
        if (written != type)
        {
            TypeEntry entry = Entry(written);
            ValueSerializer adopted = SerializerSource.Library.Adopt(written, entry.Serializer);
            return _entries.GetOrAdd(type, adopted == entry.Serializer ? entry : new TypeEntry(entry, adopted));
        }

        ValueSerializer serializer = custom ?? SerializerSource.Library.Create(type, this);
        Type? source = (serializer as ISurrogateSerializer)?.Source;
        Type named = source ?? type;
        return _entries.GetOrAdd(type, new TypeEntry(
            this,
            type,
            serializer,
            withName => Define(type, serializer, withName ? named : null, source is not null, Options.EnumsByName)));
    }

    /// <summary>Makes the definition of a type with a schema that is not its own: tag, length, manifest.</summary>
    public byte[] DefinitionOf(Type type, ValueSerializer serializer, bool withName) =>
        Define(type, serializer, withName ? type : null, isSurrogate: false, withEnumNames: true);

    private byte[] Define(Type type, ValueSerializer serializer, Type? byName, bool isSurrogate, bool withEnumNames)
    {
        int? known = byName is null ? null : Options.KnownTypes.Find(byName);
        string? name = byName is null || known is not null ? null : NameToWrite(byName);
        bool withSchema = Options.VersionTolerance;
        return ManifestDefinition.Create(
            type, name, known, isSurrogate, Shape(serializer), withSchema, withNames: !withSchema || withEnumNames);
    }

    private sealed record Naming(string Name, string? Refusal, List<Type>? Given);
}
