using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Wire.Format;
using Wire.Manifests;
using Wire.Plans;
using Wire.Types;
using Wire.Unknown;

namespace Wire.Sessions;

/// <summary>
/// The manifests that a writer's session has defined, and their identifiers: named ones, and nameless ones for sealed variables.
/// </summary>
internal sealed class WrittenTypes
{
    /// <summary>
    /// True if each object names its type, because what is being written may be read where no variable says it. A field, since each
    /// object asks it.
    /// </summary>
    public bool AreNamed;

    private FastTypeUShortDictionary _known = new();

    // By identifier: the number of bytes of all definitions up to its own.
    private int[] _bytes = new int[4];

    // The manifests that came with kept data, or describe objects that have some.
    private Dictionary<UnknownTypeManifest, ushort>? _kept;

    // True when there is any of these, or a collectible type.
    private bool _hasMore;

    // The collectible types, which are kept alive while their identities are in the table.
    private List<(Type Type, int Identifier)>? _collectible;

    /// <summary>Gets the number of manifests that have been defined.</summary>
    public int Count => _known.Count;

    /// <summary>Records a root's manifest, the first of all, which the caller writes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void AddRoot(TypeEntry entry)
    {
        _bytes[0] = entry.NamedManifest.Length;
        Keep(entry, 0);
        _known.Add(entry.Identity, Itself(entry));
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
        if (!entry.IsCollectible && !entry.IsStandIn && !entry.VariesByObject)
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

    /// <inheritdoc cref="FastTypeUShortDictionary.FindPlan"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public WritePlan? FindPlan(nint type, out byte tag) => _known.FindPlan(type, out tag);

    /// <summary>Finds the plan for a root whose runtime type the reader knows, and the type's identifier.</summary>
    public bool TryFindPlan(nint type, [NotNullWhen(true)] out WritePlan? plan, out ushort id)
    {
        plan = _known.TryGet(type, out id, out TypeEntry? entry) ? entry?.SessionPlan : null;
        if (plan is null)
        {
            return false;
        }

        _known.AddPlan(type, plan);
        return true;
    }

    /// <summary>Finds the identifier of a type whose manifest, with a name, the reader knows.</summary>
    public bool TryFindIdentifier(TypeEntry entry, out ushort id) => _known.TryGet(entry.Identity, isSealed: false, out id);

    /// <summary>Writes the tag or manifest of a runtime type; the value follows.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="entry">The runtime type.</param>
    /// <param name="declared">The type of the variable that holds the value; null at the root.</param>
    public void Write(ref WireWriter writer, TypeEntry entry, Type? declared)
    {
        if (entry.Prefix is { } prefix)
        {
            writer.WriteBytes(prefix);
        }
        else if (ReferenceEquals(entry.Type, declared))
        {
            WriteExact(ref writer, entry);
        }
        else if (_known.TryGet(entry.Identity, isSealed: false, out ushort id))
        {
            WriteIdentifier(ref writer, id);
        }
        else
        {
            Define(ref writer, entry, isSealed: false);
        }
    }

    /// <summary>Writes what says the type of an object in a variable that declares exactly it, and that has no tag of the format.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteExact(ref WireWriter writer, TypeEntry entry)
    {
        if (!entry.HasOwnManifest && !AreNamed)
        {
            writer.WriteByte(Tag.Declared);
        }
        else if (_known.TryGet(entry.Identity, entry.IsSealed && !AreNamed, out ushort id))
        {
            WriteIdentifier(ref writer, id);
        }
        else
        {
            Define(ref writer, entry, entry.IsSealed && !AreNamed);
        }
    }

    /// <summary>Finds the one byte that <see cref="Write"/> would write of a type.</summary>
    public bool TryGetTag(TypeEntry entry, Type declared, out byte tag)
    {
        tag = Tag.Declared;
        if (entry.Prefix is not null || entry.VariesByObject)
        {
            return false;
        }

        bool exact = ReferenceEquals(entry.Type, declared);
        if (exact && !entry.HasOwnManifest && !AreNamed)
        {
            return true;
        }

        bool isKnown = _known.TryGet(entry.Identity, exact && entry.IsSealed && !AreNamed, out ushort id);
        tag = (byte)(Tag.FirstShortIdentifier + id);
        return isKnown && id < Tag.ShortIdentifiers;
    }

    /// <summary>Forgets the manifests from <paramref name="manifests"/> up.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Truncate(int manifests)
    {
        _known.Truncate(manifests);
        if (_hasMore)
        {
            Release(manifests);
        }
    }

    /// <summary>Writes the identifier of a manifest that the reader knows.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void WriteIdentifier(ref WireWriter writer, ushort id)
    {
        if (id < Tag.ShortIdentifiers)
        {
            writer.WriteByte((byte)(Tag.FirstShortIdentifier + id));
        }
        else
        {
            WriteLongIdentifier(ref writer, id);
        }
    }

    private static void WriteLongIdentifier(ref WireWriter writer, ushort id)
    {
        writer.WriteByte(Tag.Defined);
        writer.WriteVarUInt32(id);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Release(int manifests)
    {
        foreach ((UnknownTypeManifest manifest, ushort id) in _kept ?? [])
        {
            if (id >= manifests)
            {
                // A dictionary may be changed in this way while it is enumerated.
                _kept!.Remove(manifest);
            }
        }

        _kept = _kept is { Count: > 0 } ? _kept : null;
        if (_collectible?.RemoveAll(type => type.Identifier >= manifests) > 0)
        {
            // Entries that the table keeps for the next message would keep a collectible type alive.
            _known.Trim();
            _collectible = _collectible.Count > 0 ? _collectible : null;
        }

        _hasMore = _kept is not null || _collectible is not null;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Keep(TypeEntry entry, int identifier)
    {
        if (entry.IsCollectible)
        {
            (_collectible ??= []).Add((entry.Type, identifier));
            _hasMore = true;
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Define(ref WireWriter writer, TypeEntry entry, bool isSealed)
    {
        byte[] definition = isSealed ? entry.SealedManifest : entry.NamedManifest;
        int number = Reserve(ref writer, definition.Length);
        Keep(entry, number);
        if (isSealed)
        {
            _known.AddSealed(entry.Identity);
        }
        else
        {
            _known.Add(entry.Identity, Itself(entry));
        }

        WriteDefinition(ref writer, number, definition);
    }

    /// <summary>Writes a kept manifest, or its identifier.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="manifest">The manifest.</param>
    /// <param name="nameless">An equivalent manifest without a name, used as long as it is the only one; null when there is none.</param>
    public void WriteKept(ref WireWriter writer, UnknownTypeManifest manifest, UnknownTypeManifest? nameless)
    {
        _kept ??= [];
        nameless = AreNamed ? null : nameless;
        if (_kept.TryGetValue(manifest, out ushort id) || (nameless is not null && _kept.TryGetValue(nameless, out id)))
        {
            WriteIdentifier(ref writer, id);
            return;
        }

        UnknownTypeManifest defined = nameless ?? manifest;
        int number = Reserve(ref writer, defined.Definition.Length);
        _kept.Add(defined, _known.AddOther());
        _hasMore = true;
        WriteDefinition(ref writer, number, defined.Definition);
    }

    // Checks that one more definition is allowed.
    private int Reserve(ref WireWriter writer, int length)
    {
        SerializerSession session = writer.Session;
        Limits limits = session.Limits;
        int number = Count;
        long bytes = (number == 0 ? 0 : _bytes[number - 1]) + (long)length;
        if (number >= limits.MaxManifests)
        {
            session.Costs.Refuse(
                writer.Member, nameof(Limits.MaxManifests), limits.MaxManifests, "The number of types that the session defines");
        }

        if (bytes > limits.MaxManifestBytes)
        {
            session.Costs.Refuse(
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
        return number;
    }

    private static void WriteDefinition(ref WireWriter writer, int number, ReadOnlySpan<byte> definition)
    {
        if (writer.Session.IsLasting)
        {
            // A reader that misses a message, or receives one twice, must not take one type for another.
            writer.WriteByte(Tag.Definition);
            writer.WriteVarUInt32((uint)number);
            writer.WriteBytes(definition[1..]);
            writer.WriteFixed(DefinitionCheck.Compute((uint)number, ManifestDefinition.ManifestOf(definition)));
        }
        else
        {
            writer.WriteBytes(definition);
        }
    }

    // A stand-in has the identity of the type that it is written as, whose own entry it is not; and where objects of a type have different
    // manifests, none is found by the type alone.
    private static TypeEntry? Itself(TypeEntry entry) => entry.IsStandIn || entry.VariesByObject ? null : entry;
}
