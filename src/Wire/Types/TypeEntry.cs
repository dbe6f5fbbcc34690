using Wire.Format;
using Wire.Manifests;
using Wire.Surrogates;

namespace Wire.Types;

/// <summary>The entry of one runtime type, for writing: its value serializer, and its tag or its manifests.</summary>
internal sealed class TypeEntry
{
    private readonly Func<bool, byte[]>? _define;
    private byte[]? _named;
    private byte[]? _sealed;
    private RootWriter? _rootWriter;
    private RootWriter? _laterRootWriter;
    private bool _wasRoot;

    /// <summary>A type that the format knows by a tag.</summary>
    public TypeEntry(Type type, ValueSerializer serializer, byte[] prefix, bool isTracked)
    {
        Type = type;
        Identity = TypeIdentity.Get(type);
        Serializer = serializer;
        Prefix = prefix;
        IsTracked = isTracked;
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
        HasOwnManifest = serializer.HasOwnSchema;
        IsSurrogate = serializer is ISurrogateSerializer;
        IsCollectible = type.IsCollectible;
    }

    /// <summary>A class whose objects are written in the name of another type.</summary>
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

    /// <summary>Says whether its values take object numbers.</summary>
    public bool IsTracked { get; }

    /// <summary>Says whether its layout comes with its own manifest, and not with the schema of what encloses it.</summary>
    public bool HasOwnManifest { get; }

    public bool IsSurrogate { get; }

    /// <summary>Says whether it is what is known of another class than <see cref="Type"/>, in whose name its objects are written.</summary>
    public bool IsStandIn { get; }

    /// <summary>Says whether a position that declares exactly this type fixes it.</summary>
    public bool IsClosed => Type.IsSealed || Serializer.IsClosed;

    /// <summary>Says whether the type can be unloaded: then nothing that outlives the type may hold the entry.</summary>
    public bool IsCollectible { get; }

    /// <summary>The definition with the type's name: tag, length, manifest.</summary>
    public byte[] NamedManifest => _named ??= _define!(true);

    /// <summary>
    /// Writes a root of the type in a message that stands alone. Null for a built-in type, where <see cref="RootWriter.TryCreate"/> says
    /// so, and on the first request: what is the same in all messages is worth compiling from the second one on.
    /// </summary>
    public RootWriter? RootWriter => _rootWriter ?? NextRootWriter();

    /// <summary>The same for a message of a session whose reader knows the type: its identifier follows what is in front.</summary>
    public RootWriter? LaterRootWriter => Prefix is null && !IsCollectible
        ? _laterRootWriter ??= RootWriter.TryCreate(Owner!.Options, PayloadHeader.Session, [], Serializer, null)
        : null;

    /// <summary>The definition without a name, for a position that declares exactly this type.</summary>
    public byte[] SealedManifest => _sealed ??= _define!(false);

    private RootWriter? NextRootWriter()
    {
        if (Prefix is not null)
        {
            return null;
        }

        if (!_wasRoot)
        {
            _wasRoot = true;
            return null;
        }

        return _rootWriter = RootWriter.TryCreate(Owner!.Options, 0, NamedManifest, Serializer, this);
    }
}
