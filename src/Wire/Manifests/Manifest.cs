using Wire.Errors;
using Wire.Filtering;
using Wire.Format;
using Wire.Plans;
using Wire.Resolution;
using Wire.Slots;
using Wire.Types;
using Wire.Unknown;

namespace Wire.Manifests;

/// <summary>
/// A manifest as a reader knows it: its bytes, their meaning, and, once needed, the value serializer that reads the writer's layout into
/// this program's type. Shared by sessions and thread-safe.
/// </summary>
internal sealed class Manifest
{
    private const int MaxPlans = 16;

    private readonly TypeRegistry _registry;
    private readonly ManifestContent _content;
    private readonly string? _name;
    private readonly Shape? _shape;
    private readonly ReportedDifferences _reported = new();
    private ReadPlan[] _plans = [];
    private bool _wasRoot;
    private UnknownTypeManifest? _kept;
    private Resolution<ValueSerializer>? _resolution;
    private FormReaders? _forms;
    private UnloadableResolution? _unloadable;

    public Manifest(byte[] bytes, TypeRegistry registry)
    {
        DefinitionLength = ManifestContent.DefinitionLengthOf(bytes.Length);
        _registry = registry;
        Bytes = bytes;
        _content = new ManifestContent(bytes);
        _name = _content.Name;
        _shape = _content.Schema;
        HasName = _content.HasName;
    }

    /// <summary>Its bytes: a field, as those of <see cref="ManifestContent"/> are.</summary>
    public readonly byte[] Bytes;

    /// <summary>
    /// Gets the number of bytes of its definition: tag, length and manifest, without the identifier in a session.
    /// </summary>
    public int DefinitionLength { get; }

    /// <summary>The type's name in messages and dumps.</summary>
    public string DisplayName => _content.DisplayName;

    /// <summary>Gets whether it names the type itself, rather than leaving that to the position.</summary>
    public bool HasName { get; }

    /// <summary>The writer's schema; null when the manifest has only its fingerprint.</summary>
    public Shape? Schema => _shape;

    /// <summary>The same manifest, for objects that are kept and written again.</summary>
    public UnknownTypeManifest Kept => _kept ??= new UnknownTypeManifest(ManifestDefinition.Define(Bytes));

    /// <summary>Gets the shape for skipping the value.</summary>
    /// <exception cref="WireFormatException">The writer left the schema out.</exception>
    public Shape SkippableShape() => _shape ?? ThrowHelper.Format<Shape>(
        WireFormatError.SchemaMismatch,
        $"A value of type '{DisplayName}' cannot be passed over, because it was written with VersionTolerance off.");

    /// <summary>Gets the value serializer for the named type, after the filter has allowed it.</summary>
    /// <param name="session">The session: its root decides which types are reachable.</param>
    /// <param name="declared">The type of the variable to be filled; null at the root.</param>
    public ValueSerializer Serializer(DeserializerSession session, Type? declared)
    {
        ValueSerializer serializer = Named(session, declared, out bool isForm);
        return isForm && declared is not null ? In(session, serializer, declared, isRoot: false) : serializer;
    }

    /// <summary>Gets the value serializer for a root, after the filter has allowed the named type.</summary>
    public ValueSerializer RootSerializer(DeserializerSession session)
    {
        ValueSerializer serializer = Named(session, null, out bool isForm);
        return isForm ? In(session, serializer, session.RootType, isRoot: true) : serializer;
    }

    /// <summary>Finds the value serializer of a variable's type, if the manifest has been read as that; null otherwise.</summary>
    public ValueSerializer? FindResolved(Type declared) => _resolution is { } known && known.Type == declared ? known.Serializer : null;

    /// <summary>Returns whether the manifest may keep a value serializer, and so may other caches.</summary>
    public bool Keeps(ValueSerializer serializer) => ReferenceEquals(_resolution?.Serializer, serializer);

    /// <summary>
    /// Takes note that a root was read behind the manifest. Whether that is to be remembered: another one was before, so that code for more
    /// of them is worth compiling, and the manifest keeps the value serializer, so that others may too.
    /// </summary>
    public bool IsRootAgain(ValueSerializer serializer)
    {
        bool again = _wasRoot;
        _wasRoot = true;
        return again && Keeps(serializer);
    }

    /// <summary>The plans for messages whose root has this manifest.</summary>
    public ReadOnlySpan<ReadPlan> Plans => _plans;

    /// <summary>
    /// Gets the plan for messages whose root has this manifest. Null where <see cref="ReadPlan.TryCreate"/> says so, and when too many
    /// requested types have one.
    /// </summary>
    /// <typeparam name="T">The requested type, which cannot be unloaded.</typeparam>
    /// <param name="header">The payload's header.</param>
    /// <param name="serializer">The reader of the members.</param>
    /// <param name="isLater">True if an identifier of one byte stands for the manifest, whatever its value in the current session.</param>
    public ReadPlan<T>? Plan<T>(byte header, ValueSerializer serializer, bool isLater)
    {
        ReadPlan[] plans = _plans;
        ReadPlan? like = null;
        foreach (ReadPlan known in plans)
        {
            if (known.IsFor(header, serializer) && known.Defined is null == isLater)
            {
                if (known is ReadPlan<T> plan)
                {
                    return plan;
                }

                // The same messages for callers that request another type: the same code.
                like = known;
            }
        }

        // Nothing is allocated before the plan is known to exist: callers without one ask with every message.
        if (plans.Length >= MaxPlans || ReadPlan.NeedsTable(header, serializer)
            || ReadPlan.TryCreate<T>(
                _registry,
                header,
                isLater ? [Tag.FirstShortIdentifier] : ManifestDefinition.Define(Bytes),
                serializer,
                isLater ? null : this,
                like) is not { } made)
        {
            return null;
        }

        _plans = [.. plans, made];
        return made;
    }

    /// <summary>Finds the plan for messages that begin as those of another plan do, for callers that request another type.</summary>
    public ReadPlan<T>? FindPlan<T>(ReadPlan other)
    {
        foreach (ReadPlan known in _plans)
        {
            if (known is ReadPlan<T> plan && plan.BeginsAs(other))
            {
                return plan;
            }
        }

        return null;
    }

    // Gets the value serializer for the named type. Whether that is a collection, which may have to be read as another.
    private ValueSerializer Named(DeserializerSession session, Type? declared, out bool isForm)
    {
        isForm = false;
        if (session.IsTrusted)
        {
            return Match(_name is null ? Named(declared) : _registry.WrittenType(_name, session.Near));
        }

        Resolution<ValueSerializer>? known = _resolution;
        if (known is not null && ReferenceEquals(known.Type, declared))
        {
            return known.Serializer;
        }

        if (known is not null && HasName
            && (known.For(session.RootType) ?? (known.Always && session.IsRootIn(known.Context) ? known : null)) is { } same)
        {
            isForm = same.IsForm;
            return same.Serializer;
        }

        ValueSerializer serializer = Resolve(session, declared);
        isForm = serializer is ICollectionForm { IsForm: true };
        return serializer;
    }

    private ValueSerializer In(DeserializerSession session, ValueSerializer named, Type variable, bool isRoot)
    {
        FormReaders forms = _forms ??= new FormReaders(this, _registry);
        return forms.Find(named, variable, isRoot, keeps: !session.HasCollectibleRoot);
    }

    private ValueSerializer Resolve(DeserializerSession session, Type? declared)
    {
        if (_unloadable?.Find(declared, HasName ? session.RootType : null) is { } found)
        {
            return found;
        }

        bool always = true;
        Type type;
        if (_name is null)
        {
            type = Named(declared);
            _registry.Resolver.Judge(type);
        }
        else if (declared is not null && _registry.NameOf(declared) == _name)
        {
            // The variable names the type itself; the value serializer decides which types do not fit.
            type = declared;
            always = false;
            _registry.Resolver.Judge(type);
        }
        else
        {
            try
            {
                type = _registry.Resolver.Resolve(_name, session.RootType, out always);
                _registry.Resolver.Judge(type);
            }
            catch (WireFormatException e) when (e.Error is WireFormatError.TypeNotFound or WireFormatError.TypeRefused
                && CanReplace(declared))
            {
                return Replacement(session);
            }
            catch (TypeRefusedException e) when (e.IsOnlyUnknown && e.FullTypeName == _name)
            {
                bool isRoot = session.Path.Depth == 0 && declared is null;
                throw TypeRefusals.In(e, declared ?? (isRoot ? session.RootType : typeof(object)), isRoot);
            }
        }

        if (type.IsCollectible || session.RootType.IsCollectible)
        {
            return (_unloadable ??= new UnloadableResolution()).Add(type, session.RootType, Match);
        }

        // The layout is matched once per type, also when another root asks.
        Resolution<ValueSerializer>? before = _resolution;
        ValueSerializer serializer = before is not null && before.Type == type ? before.Serializer : Match(type);
        bool isForm = serializer is ICollectionForm { IsForm: true };
        _resolution = new(
            type, session.RootType, always, LoadContexts.OwnOf(session.RootType), serializer, isForm, HasName ? before : null);
        return serializer;
    }

    private bool CanReplace(Type? declared) => _registry.Options.ReplaceUnknownExceptions
        && !_content.IsSurrogate
        && SerializerSource.Library.IsException(_shape)
        && (declared is null || declared.IsAssignableFrom(typeof(RemoteException)));

    // Cached for this root, because another one may allow the type itself.
    private ValueSerializer Replacement(DeserializerSession session)
    {
        ValueSerializer own = _registry.Entry(typeof(RemoteException)).Serializer;
        ValueSerializer serializer = SerializerSource.Library.CreateRemoteException(Adapt(own, out _), _name!);
        if (!session.HasCollectibleRoot)
        {
            _resolution = new(typeof(RemoteException), session.RootType, always: false, null, serializer, isForm: false, null);
        }

        return serializer;
    }

    // The type of a manifest that has no name: a known type's identifier, or the position that declares it.
    private Type Named(Type? declared) =>
        _content.KnownType is { } known ? _registry.KnownType(known)
        : declared is not null && _registry.IsClosed(declared) ? declared
        : ThrowHelper.Format<Type>(
            WireFormatError.Manifest,
            $"A manifest has no type, because the declared one should say it, and {declared?.ToString() ?? "object"} is declared, which " +
            "does not.");

    private ValueSerializer Match(Type type)
    {
        ValueSerializer serializer = Match(type, out SchemaDifference? difference);
        Report(difference);
        return serializer;
    }

    /// <summary>Tells the program what differs, if anything does.</summary>
    public void Report(SchemaDifference? difference)
    {
        if (difference is not null)
        {
            _reported.Report(_registry.Options.SchemaDifference!, difference);
        }
    }

    private ValueSerializer Match(Type type, out SchemaDifference? difference)
    {
        try
        {
            return MatchSupported(type, out difference);
        }
        catch (UnsupportedTypeException e)
        {
            // The program could not write it either, so no valid payload has it.
            throw new TypeRefusedException(_registry.NameOf(type), e.Message, "");
        }
    }

    private ValueSerializer MatchSupported(Type type, out SchemaDifference? difference)
    {
        difference = null;
        ValueSerializer serializer = _registry.ReadEntry(type, _content.IsSurrogate).Serializer;
        Shape own = _registry.Shape(serializer);
        if (_shape is null)
        {
            return _content.Fingerprint == Fingerprint.Compute("", own.Encode())
                ? serializer
                : ThrowHelper.Format<ValueSerializer>(
                    WireFormatError.SchemaMismatch,
                    $"The writer's '{DisplayName}' has other members than this program's {type}, and was written with VersionTolerance " +
                    "off. Use the writer's version of the type, or write with VersionTolerance on.");
        }

        if (_registry.IsOwn(_shape, own))
        {
            return serializer;
        }

        if (!_registry.Options.VersionTolerance)
        {
            ThrowHelper.Format(
                WireFormatError.SchemaMismatch,
                $"The writer's '{DisplayName}' is {_shape}, this program's {type} is {own}, and VersionTolerance is off.");
        }

        // A type may be deep by its name alone: the reader refuses what this program could not write.
        if (own.Depth > ShapeParser.MaxDepth)
        {
            ManifestDefinition.CheckReadable(type, own.Encode());
        }

        return Adapt(serializer, out difference);
    }

    /// <summary>Makes the reader of the values.</summary>
    /// <param name="own">The value serializer of the type that the manifest names, or of one as which it is read.</param>
    /// <param name="difference">What differs, to be reported; null for nothing, or when nobody asks.</param>
    /// <param name="isForm">True for one as which it is read.</param>
    public ValueSerializer Adapt(ValueSerializer own, out SchemaDifference? difference, bool isForm = false)
    {
        ValueSerializer adapted = _registry.Adapt(own, _shape!, HasName ? DisplayName : null, out SchemaDifferences? differences, isForm);
        difference = differences?.Describe(own.Type, _name);
        if (adapted != own)
        {
            _registry.Manifests.AddForeign(own.Type, this);
        }

        return adapted;
    }
}
