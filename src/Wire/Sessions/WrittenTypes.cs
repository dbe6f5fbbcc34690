using System.Runtime.CompilerServices;
using Wire.Format;

namespace Wire;

/// <summary>The manifests that a writer's session has defined, and their identifiers: those with a name, and those that leave it to a sealed variable.</summary>
internal sealed class WrittenTypes
{
    private readonly FastTypeUShortDictionary _named = new();
    private readonly FastTypeUShortDictionary _sealed = new();
    private int _manifests;
    private bool _hasCollectible;

    // By identifier: how messages begin whose root is of a type that an earlier one has defined.
    private RootWriter?[] _roots = [];

    /// <summary>How many manifests have been defined.</summary>
    public int Count => _manifests;

    /// <summary>Takes note of a root's manifest, the first of all, which the caller writes.</summary>
    public void AddRoot(TypeEntry entry)
    {
        _manifests = 1;
        if (entry.IsCollectible)
        {
            _hasCollectible = true;
        }

        _named.Add(entry.Type, 0);
    }

    /// <summary>How a root is written whose type an earlier message has defined; null where none has, or <see cref="RootWriter.TryCreate"/> says so.</summary>
    public RootWriter? FindRoot(TypeEntry entry)
    {
        if (entry.Prefix is not null || entry.IsCollectible || !_named.TryGet(entry.Type, out ushort id))
        {
            return null;
        }

        if (id >= _roots.Length)
        {
            Array.Resize(ref _roots, Math.Max(4, (id + 1) * 2));
        }

        return _roots[id] ??= RootWriter.TryCreate(entry.Owner!.Options, 0, Tag.OfIdentifier(id), entry.Serializer, null);
    }

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

        if (_named.TryGet(entry.Type, out ushort id))
        {
            WriteIdentifier(ref writer, id);
        }
        else if (!exact || !entry.IsClosed || entry.IsSurrogate)
        {
            Define(ref writer, entry, _named, entry.NamedManifest);
        }
        else if (_sealed.TryGet(entry.Type, out id))
        {
            WriteIdentifier(ref writer, id);
        }
        else
        {
            Define(ref writer, entry, _sealed, entry.SealedManifest);
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

        if (!_named.TryGet(entry.Type, out ushort id) && !(exact && _sealed.TryGet(entry.Type, out id)))
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
        if (_manifests != manifests)
        {
            _named.Truncate(manifests);
            _sealed.Truncate(manifests);
            _manifests = manifests;
            if (manifests < _roots.Length)
            {
                Array.Clear(_roots, manifests, _roots.Length - manifests);
            }

            if (_hasCollectible && manifests == 0)
            {
                Release();
            }
        }
    }

    // What the tables keep for reuse would keep a type that can be unloaded.
    private void Release()
    {
        _hasCollectible = false;
        _named.Release();
        _sealed.Release();
    }

    private static void WriteIdentifier(ref WireWriter writer, ushort id)
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

    private void Define(ref WireWriter writer, TypeEntry entry, FastTypeUShortDictionary table, byte[] definition)
    {
        Limits limits = writer.Session.Limits;
        if (_manifests >= limits.MaxManifests)
        {
            writer.Session.Refuse(writer.Member, nameof(Limits.MaxManifests), limits.MaxManifests, "The number of types that the session defines");
        }

        _hasCollectible |= entry.IsCollectible;
        table.Add(entry.Type, (ushort)_manifests++);
        writer.WriteBytes(definition);
    }
}
