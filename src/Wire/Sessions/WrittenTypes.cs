using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Wire.Format;
using Wire.Manifests;
using Wire.Types;

namespace Wire.Sessions;

/// <summary>
/// The manifests that a writer's session has defined, and their identifiers: named ones, and nameless ones for sealed variables.
/// </summary>
internal sealed class WrittenTypes
{
    // Distinguishes a manifest without a name from that of the same type with one: identities are even.
    private const nint Sealed = 1;

    private readonly FastTypeUShortDictionary _known = new();

    // By identifier: the number of bytes of all definitions up to its own.
    private int[] _bytes = new int[4];

    // The collectible types, which are kept alive while their identities are in the table.
    private List<(Type Type, int Identifier)>? _collectible;

    /// <summary>Gets the number of manifests that have been defined.</summary>
    public int Count => _known.Count;

    /// <summary>Records a root's manifest, the first of all, which the caller writes.</summary>
    public void AddRoot(TypeEntry entry)
    {
        _bytes[0] = entry.NamedManifest.Length;
        Add(entry, entry.Identity);
    }

    /// <summary>Finds the entry of a runtime type that is written as itself; null when it has not been seen.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public TypeEntry? EntryOf(nint type)
    {
        _known.TryGet(type, out _, out TypeEntry? entry);
        return entry;
    }

    /// <summary>
    /// Records the entry of a runtime type, unless it can be unloaded or is written as another type.
    /// </summary>
    public void Remember(TypeEntry entry)
    {
        if (!entry.IsCollectible && !entry.IsStandIn)
        {
            _known.Remember(entry.Identity, entry);
        }
    }

    /// <summary>Finds the byte that stands for a runtime type whose manifest, with a name, the reader knows.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryFind(nint type, [NotNullWhen(true)] out TypeEntry? entry, out byte tag)
    {
        bool isDefined = _known.TryGet(type, out ushort id, out entry);
        tag = (byte)(Tag.FirstShortIdentifier + id);
        return isDefined && id < Tag.ShortIdentifiers && entry is not null;
    }

    /// <summary>Finds the writer of a root whose runtime type the reader knows, and the type's identifier.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryFindRoot(nint type, [NotNullWhen(true)] out RootWriter? root, out ushort id)
    {
        root = _known.TryGet(type, out id, out TypeEntry? entry) ? entry?.LaterRootWriter : null;
        return root is not null;
    }

    /// <summary>Finds the identifier of a type whose manifest, with a name, the reader knows.</summary>
    public bool TryFindIdentifier(TypeEntry entry, out ushort id) => _known.TryGet(entry.Identity, out id);

    /// <summary>Writes the tag or manifest of a runtime type; the value follows.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="entry">The runtime type.</param>
    /// <param name="declared">The type of the variable that holds the value; null at the root.</param>
    public void Write(ref WireWriter writer, TypeEntry entry, Type? declared)
    {
        if (entry.Prefix is { } prefix)
        {
            writer.WriteBytes(prefix);
            return;
        }

        bool exact = ReferenceEquals(entry.Type, declared);
        if (exact && !entry.HasOwnManifest)
        {
            writer.WriteByte(Tag.Declared);
            return;
        }

        if (_known.TryGet(entry.Identity, out ushort id))
        {
            WriteIdentifier(ref writer, id);
        }
        else if (!exact || !entry.IsClosed || entry.IsSurrogate)
        {
            Define(ref writer, entry, entry.Identity, entry.NamedManifest);
        }
        else if (_known.TryGet(entry.Identity | Sealed, out id))
        {
            WriteIdentifier(ref writer, id);
        }
        else
        {
            Define(ref writer, entry, entry.Identity | Sealed, entry.SealedManifest);
        }
    }

    /// <summary>Finds the one byte that <see cref="Write"/> would write of a type.</summary>
    public bool TryGetTag(TypeEntry entry, Type declared, out byte tag)
    {
        tag = Tag.Declared;
        if (entry.Prefix is not null)
        {
            return false;
        }

        bool exact = ReferenceEquals(entry.Type, declared);
        if (exact && !entry.HasOwnManifest)
        {
            return true;
        }

        if (!_known.TryGet(entry.Identity, out ushort id) && !(exact && _known.TryGet(entry.Identity | Sealed, out id)))
        {
            return false;
        }

        tag = (byte)(Tag.FirstShortIdentifier + id);
        return id < Tag.ShortIdentifiers;
    }

    /// <summary>Forgets the manifests from <paramref name="manifests"/> up.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Truncate(int manifests)
    {
        _known.Truncate(manifests);
        if (_collectible is not null)
        {
            Release(manifests);
        }
    }

    /// <summary>Writes the identifier of a manifest that the reader knows.</summary>
    public static void WriteIdentifier(ref WireWriter writer, ushort id)
    {
        if (id < Tag.ShortIdentifiers)
        {
            writer.WriteByte((byte)(Tag.FirstShortIdentifier + id));
        }
        else
        {
            writer.WriteByte(Tag.Defined);
            writer.WriteVarUInt32(id);
        }
    }

    // Entries that the table keeps for the next message would keep a collectible type alive.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Release(int manifests)
    {
        if (_collectible!.RemoveAll(type => type.Identifier >= manifests) == 0)
        {
            return;
        }

        _known.Trim();
        if (_collectible.Count == 0)
        {
            _collectible = null;
        }
    }

    private void Define(ref WireWriter writer, TypeEntry entry, nint key, byte[] definition)
    {
        Limits limits = writer.Session.Limits;
        if (Count >= limits.MaxManifests)
        {
            writer.Session.Costs.Refuse(
                writer.Member, nameof(Limits.MaxManifests), limits.MaxManifests, "The number of types that the session defines");
        }

        int number = Count;
        long bytes = (number == 0 ? 0 : _bytes[number - 1]) + (long)definition.Length;
        if (bytes > limits.MaxManifestBytes)
        {
            writer.Session.Costs.Refuse(
                writer.Member,
                nameof(Limits.MaxManifestBytes),
                limits.MaxManifestBytes,
                "The size of the type definitions of the session or the payload, in bytes,");
        }

        if (number >= _bytes.Length)
        {
            Array.Resize(ref _bytes, number * 2);
        }

        _bytes[number] = (int)bytes;
        Add(entry, key);
        if (writer.Session.IsLasting)
        {
            // A reader that misses a message, or receives one twice, must not take one type for another.
            writer.WriteByte(Tag.Definition);
            writer.WriteVarUInt32((uint)number);
            writer.WriteBytes(definition.AsSpan(1));
        }
        else
        {
            writer.WriteBytes(definition);
        }
    }

    private void Add(TypeEntry entry, nint key)
    {
        if (entry.IsCollectible)
        {
            (_collectible ??= []).Add((entry.Type, Count));
        }

        _known.Add(key, entry.IsStandIn || key != entry.Identity ? null : entry);
    }
}
