using System.Runtime.CompilerServices;
using Wire.Buffers;
using Wire.Manifests;
using Wire.Sessions;
using Wire.Types;

namespace Wire;

/// <content>Roots: what is the same in all messages of a kind is found at once.</content>
public sealed partial class SerializerSession
{
    /// <summary>
    /// The writer of roots of a type, when it has one here; that of the last root is found without a look-up. The caller writes
    /// nothing in between.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal RootWriter? FindRoot(object value)
    {
        nint type = TypeIdentity.Of(value);
        return type == _lastRootType ? _lastRoot : FindOtherRoot(value, type);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private RootWriter? FindOtherRoot(object value, nint type)
    {
        // Where roots of several types take turns, the reader has been told most of them.
        if (!_ownThread && Types.TryFindRoot(type, out RootWriter? later, out _lastIdentifier))
        {
            _lastRootType = type;
            return _lastRoot = later;
        }

        Type runtimeType = value.GetType();
        TypeEntry entry = RootEntry(runtimeType);
        RootWriter? root = _ownThread ? entry.RootWriter
            : Types.TryFindIdentifier(entry, out _lastIdentifier) ? entry.LaterRootWriter
            : null;
        bool lasts = root is not null && ReferenceEquals(runtimeType, _lastType);
        _lastRootType = lasts ? type : 0;
        _lastRoot = lasts ? root : null;
        if (lasts && _ownThread && root is { IsFlat: true })
        {
            Serializer.Remember(root);
        }

        return root;
    }

    /// <summary>Writes a message whose root has a writer.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void WriteRoot(ref WireWriter writer, RootWriter root, object value)
    {
        _budget = root.Left;
        Blocks.Copy(root.Prefix, ref writer.Reserve(root.Prefix.Length));
        if (root.TakesIdentifier)
        {
            WrittenTypes.WriteIdentifier(ref writer, _lastIdentifier);
        }

        if (!root.HoldsNoObjects)
        {
            Path.EnterRoot();
            if (root.Defined is { } defined)
            {
                Types.AddRoot(defined);
            }
        }

        root.Write(ref writer, value);
        // What goes wrong from here on is no member's fault.
        writer.Member = GraphPath.Root;
    }

    /// <summary>The root of the last typed message, if it was of the same type.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal TypedRoot<T>? LastTypedRoot<T>() => _lastTypedRoot as TypedRoot<T>;

    /// <summary>The root of a typed message; that of the last one is found without a look-up.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal TypedRoot<T> TypedRoot<T>()
    {
        if (_lastTypedRoot is TypedRoot<T> root)
        {
            return root;
        }

        root = Serializer.Registry.TypedRoot<T>();
        if (!root.IsCollectible)
        {
            _lastTypedRoot = root;
            if (root is { Writer.IsFlat: true })
            {
                Serializer.Remember(root);
            }
        }

        return root;
    }

    /// <summary>Finds a runtime type's entry; the type of the last root is found without a look-up.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal TypeEntry RootEntry(Type type)
    {
        if (ReferenceEquals(type, _lastType))
        {
            return _lastEntry!;
        }

        // Where roots of several types take turns, most have been met.
        TypeEntry entry = Types.EntryOf(TypeIdentity.Of(type)) ?? FindEntry(type);
        // An object may be written in the name of another type.
        if (!entry.IsCollectible && (ReferenceEquals(entry.Type, type) || !type.IsCollectible))
        {
            _lastEntry = entry;
            _lastType = type;
        }

        return entry;
    }

    private TypeEntry FindEntry(Type type)
    {
        TypeEntry entry = Serializer.Registry.Entry(type);
        if (ReferenceEquals(entry.Type, type))
        {
            Types.Remember(entry);
        }

        return entry;
    }
}
