using Wire.Format;
using Wire.Plans;
using Wire.Runtime;
using Wire.Slots;
using Wire.Unknown;

namespace Wire.Types;

/// <summary>The entry of one runtime type, for writing: its value serializer, and its tag or its manifests.</summary>
internal sealed class TypeEntry
{
    private const int MaxCopiesByBytes = 1 << 10;

    private readonly Func<bool, byte[]>? _define;
    private byte[]? _named;
    private byte[]? _sealed;
    private WritePlan? _plan;
    private WritePlan? _sessionPlan;
    private bool _wasRoot;
    private int _copiesByBytes;
    private int _nextCopiesByBytes;

    /// <summary>A type that the format knows by a tag.</summary>
    public TypeEntry(Type type, ValueSerializer serializer, byte[] prefix, bool isTracked)
    {
        Type = type;
        Identity = TypeIdentity.Get(type);
        Serializer = serializer;
        Prefix = prefix;
        IsTracked = isTracked;
        IsPlain = isTracked;
    }

    /// <summary>A type that is written with a manifest.</summary>
    public TypeEntry(TypeRegistry owner, Type type, ValueSerializer serializer, Func<bool, byte[]> define)
    {
        Owner = owner;
        Type = type;
        Identity = TypeIdentity.Get(type);
        Serializer = serializer;
        IsTracked = true;
        _define = define;
        HasOwnManifest = serializer is IOwnSchema;
        IsSurrogate = serializer is ISurrogateSerializer;
        IsSealed = IsClosed && !IsSurrogate;
        IsCollectible = type.IsCollectible;
        Variants = serializer is IKeepingSerializer { Keeps: true } keeping ? new UnknownVariants(type, keeping) : null;
        IsPlain = !VariesByObject;
    }

    /// <summary>A class whose objects are written as another type.</summary>
    public TypeEntry(TypeEntry written, ValueSerializer serializer)
    {
        Owner = written.Owner;
        Type = written.Type;
        Identity = written.Identity;
        Serializer = serializer;
        IsTracked = written.IsTracked;
        HasOwnManifest = written.HasOwnManifest;
        IsCollectible = written.IsCollectible || serializer.Type.IsCollectible;
        IsStandIn = true;
        IsPlain = IsTracked;
        IsSealed = IsClosed;
        _define = withName => withName ? written.NamedManifest : written.SealedManifest;
    }

    /// <summary>The registry whose options made the entry; null for a built-in type, which is the same for all.</summary>
    public TypeRegistry? Owner { get; }

    public Type Type { get; }

    /// <summary>The type's <see cref="TypeIdentity"/>.</summary>
    public nint Identity { get; }

    public ValueSerializer Serializer { get; }

    /// <summary>The bytes that name a built-in type; null for a type with a manifest.</summary>
    public byte[]? Prefix { get; }

    /// <summary>Gets whether its values take object numbers.</summary>
    public bool IsTracked { get; }

    /// <summary>
    /// Gets whether each object may have a manifest of its own, because it has kept unknown members: then nothing may be concluded from its
    /// type alone.
    /// </summary>
    public bool VariesByObject => Variants is not null;

    /// <summary>The ways in which its objects are written; null when there is one for all.</summary>
    public UnknownVariants? Variants { get; }

    /// <summary>Gets whether its values take object numbers and all have one manifest.</summary>
    public bool IsPlain { get; }

    /// <summary>Gets whether its layout is in its own manifest, not in the schema of the enclosing type.</summary>
    public bool HasOwnManifest { get; }

    public bool IsSurrogate { get; }

    /// <summary>Gets whether it is the entry of a class whose objects are written as <see cref="Type"/>.</summary>
    public bool IsStandIn { get; }

    /// <summary>
    /// Gets whether a position that declares exactly this type can hold no other, so that its manifest needs no name there.
    /// </summary>
    public bool IsSealed { get; }

    /// <summary>Gets whether the type can be unloaded: then nothing that outlives the type may refer to the entry.</summary>
    public bool IsCollectible { get; }

    /// <summary>The definition with the type's name: tag, length, manifest.</summary>
    public byte[] NamedManifest => _named ??= _define!(true);

    /// <summary>
    /// The plan for standalone messages with a root of the type. Null for a built-in type, where <see cref="WritePlan.TryCreate"/> says
    /// so, and on the first request: what messages share is worth compiling from the second message on.
    /// </summary>
    public WritePlan? Plan => _plan ?? NextPlan();

    /// <summary>The same plan, also before the first message.</summary>
    public WritePlan? PreparedPlan
    {
        get
        {
            _wasRoot = true;
            return Plan;
        }
    }

    /// <summary>The plan for messages of a session whose reader knows the type: the identifier follows the prefix.</summary>
    public WritePlan? SessionPlan => _sessionPlan ?? FirstSessionPlan();

    /// <summary>The definition without a name, for a position that declares exactly this type.</summary>
    public byte[] SealedManifest => _sealed ??= _define!(false);

    private bool IsClosed => Type.IsSealed || Serializer is IUnionSerializer;

    /// <summary>The definition for a variable that declares exactly this type.</summary>
    public byte[] ExactManifest => IsSealed ? SealedManifest : NamedManifest;

    /// <summary>
    /// Returns whether what is written by the entry fits the variable again that holds the value now. What stands for it may become
    /// anything.
    /// </summary>
    public bool ComesBackInto(Type variable) =>
        IsSurrogate || Serializer is IStandInSerializer || ArrayVariance.Fits(variable, Type);

    /// <summary>
    /// Returns whether to copy a root of the type by way of bytes at once, because the last attempt was given up: giving up takes much
    /// longer.
    /// </summary>
    public bool IsNextCopyByBytes()
    {
        if (_copiesByBytes == 0)
        {
            return false;
        }

        _copiesByBytes--;
        return true;
    }

    /// <summary>Records that a copy without bytes was given up: the next attempt is made after twice as many copies.</summary>
    public void GiveUpCopy() => _copiesByBytes = _nextCopiesByBytes = Math.Clamp(_nextCopiesByBytes * 2, 1, MaxCopiesByBytes);

    private WritePlan? FirstSessionPlan() => Prefix is null && !IsCollectible && !VariesByObject
        ? _sessionPlan = WritePlan.TryCreate(Owner!, PayloadHeader.Session, [], Serializer, null)
        : null;

    private WritePlan? NextPlan()
    {
        if (Prefix is not null || VariesByObject)
        {
            return null;
        }

        if (!_wasRoot)
        {
            _wasRoot = true;
            return null;
        }

        return _plan = WritePlan.TryCreate(Owner!, 0, NamedManifest, Serializer, this);
    }
}
