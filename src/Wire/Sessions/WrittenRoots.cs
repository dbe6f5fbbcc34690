using System.Runtime.CompilerServices;
using Wire.Manifests;
using Wire.Types;

namespace Wire.Sessions;

/// <summary>Writes roots: the part that all messages of a kind share; the last kind is cached.</summary>
/// <param name="serializer">The serializer.</param>
/// <param name="types">The types that the session has seen, and those that the reader knows.</param>
/// <param name="isLasting">True if the messages belong to one session, so that the reader may know types already.</param>
internal sealed class WrittenRoots(Serializer serializer, WrittenTypes types, bool isLasting)
{
    private Type? _lastType;
    private TypeEntry? _lastEntry;

    // The writer of roots of the last type that cannot be unloaded, and the identity of that type.
    private RootWriter? _lastRoot;
    private nint _lastRootType;

    // The identifier of the last root's type, if the reader knows it.
    private ushort _lastIdentifier;
    private object? _lastTyped;

    /// <summary>The type identifier of the root that was found last, where it takes one.</summary>
    public ushort Identifier => _lastIdentifier;

    /// <summary>Gets the writer of roots of a type, if cached. Nothing may be written in between.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public RootWriter? Find(object value)
    {
        nint type = TypeIdentity.Get(value);
        return type == _lastRootType ? _lastRoot : FindOther(value, type);
    }

    /// <summary>The root of the last typed message, if it was of the same type.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public TypedRoot<T>? LastTyped<T>() => _lastTyped as TypedRoot<T>;

    /// <summary>The root of a typed message.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public TypedRoot<T> Typed<T>()
    {
        if (_lastTyped is TypedRoot<T> root)
        {
            return root;
        }

        root = serializer.Registry.TypedRoot<T>();
        if (!root.IsCollectible)
        {
            _lastTyped = root;
            if (root is { Writer.IsFlat: true })
            {
                serializer.Remember(root);
            }
        }

        return root;
    }

    /// <summary>A runtime type's entry.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public TypeEntry EntryOf(Type type)
    {
        if (ReferenceEquals(type, _lastType))
        {
            return _lastEntry!;
        }

        // Where root types alternate, most have been seen.
        TypeEntry entry = types.EntryOf(TypeIdentity.Get(type)) ?? FindEntry(type);
        // An object may be written as another type.
        if (!entry.IsCollectible && (ReferenceEquals(entry.Type, type) || !type.IsCollectible))
        {
            _lastEntry = entry;
            _lastType = type;
        }

        return entry;
    }

    /// <summary>Forgets the last root: the definition of its type may have been undone.</summary>
    public void Forget()
    {
        _lastRoot = null;
        _lastRootType = 0;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private RootWriter? FindOther(object value, nint type)
    {
        // Where root types alternate, the reader knows most of them.
        if (isLasting && types.TryFindRoot(type, out RootWriter? later, out _lastIdentifier))
        {
            _lastRootType = type;
            return _lastRoot = later;
        }

        Type runtimeType = value.GetType();
        TypeEntry entry = EntryOf(runtimeType);
        RootWriter? root = !isLasting ? entry.RootWriter
            : types.TryFindIdentifier(entry, out _lastIdentifier) ? entry.LaterRootWriter
            : null;
        bool lasts = root is not null && ReferenceEquals(runtimeType, _lastType);
        _lastRootType = lasts ? type : 0;
        _lastRoot = lasts ? root : null;
        if (lasts && !isLasting)
        {
            serializer.Remember(runtimeType, root!);
        }

        return root;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private TypeEntry FindEntry(Type type)
    {
        TypeEntry entry = serializer.Registry.Entry(type);
        if (ReferenceEquals(entry.Type, type))
        {
            types.Remember(entry);
        }

        return entry;
    }
}
