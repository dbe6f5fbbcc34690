using System.Runtime.CompilerServices;
using Wire.Types;

namespace Wire.Sessions;

/// <summary>
/// A map from type to manifest identifier, for one session: a hash table over <see cref="TypeIdentity"/>, and an array of keys by
/// identifier. An identifier is valid only while both agree, so identifiers are forgotten by lowering the count: the table stays, because
/// the next message usually has the same types.
/// </summary>
internal sealed class FastTypeUShortDictionary
{
    // The slots of tables that are still empty; never written to.
    private static readonly Slot[] None = new Slot[1];

    private Slot[] _slots = None;
    private nint[] _keys = [];
    private int _taken;

    /// <summary>Gets the number of identifiers.</summary>
    public int Count { get; private set; }

    /// <summary>Finds the identifier of a key.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryGet(nint key, out ushort id) => Has(in Find(key), key, out id);

    /// <summary>Finds the identifier of a key and the entry of its type, which may exist without an identifier.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryGet(nint key, out ushort id, out TypeEntry? entry)
    {
        ref Slot slot = ref Find(key);
        entry = slot.Entry;
        return Has(in slot, key, out id);
    }

    /// <summary>Gives a key the next identifier.</summary>
    /// <param name="key">The type's identity, or one derived from it.</param>
    /// <param name="entry">What is known about the type; null to know only the identifier.</param>
    public void Add(nint key, TypeEntry? entry)
    {
        int id = Count;
        if (id == _keys.Length)
        {
            Array.Resize(ref _keys, Math.Max(4, id * 2));
        }

        Remember(key, entry).Id = (ushort)id;
        _keys[id] = key;
        Count = id + 1;
    }

    /// <summary>Records a type, without an identifier.</summary>
    public ref Slot Remember(nint key, TypeEntry? entry)
    {
        ref Slot slot = ref Find(key);
        if (slot.Key == 0)
        {
            slot = ref ClaimSlot(key);
        }

        if (entry is not null && !ReferenceEquals(slot.Entry, entry))
        {
            slot.Entry = entry;
        }

        return ref slot;
    }

    /// <summary>Forgets the identifiers from <paramref name="count"/> up.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Truncate(int count) => Count = count;

    /// <summary>Forgets the entries of types without an identifier.</summary>
    public void Trim()
    {
        var kept = new (nint Key, TypeEntry? Entry)[Count];
        for (int i = 0; i < kept.Length; i++)
        {
            kept[i] = (_keys[i], Find(_keys[i]).Entry);
        }

        _slots = None;
        _keys = [];
        _taken = Count = 0;
        foreach ((nint key, TypeEntry? entry) in kept)
        {
            Add(key, entry);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool Has(ref readonly Slot slot, nint key, out ushort id)
    {
        id = slot.Id;
        nint[] keys = _keys;
        return id < Count && id < keys.Length && keys[id] == key;
    }

    // The slot of a key, or the free one where it would be.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ref Slot Find(nint key)
    {
        Slot[] slots = _slots;
        int mask = slots.Length - 1;
        for (int i = Hash(key) & mask; ; i = (i + 1) & mask)
        {
            ref Slot slot = ref slots[i];
            if (slot.Key == key || slot.Key == 0)
            {
                return ref slot;
            }
        }
    }

    // At most half of the slots are taken.
    private ref Slot ClaimSlot(nint key)
    {
        if (++_taken * 2 > _slots.Length)
        {
            Slot[] before = _slots;
            _slots = new Slot[Math.Max(8, before.Length * 2)];
            foreach (Slot slot in before)
            {
                if (slot.Key != 0)
                {
                    Find(slot.Key) = slot;
                }
            }
        }

        ref Slot free = ref Find(key);
        free.Key = key;
        return ref free;
    }

    private static int Hash(nint key) => (int)(((ulong)key * 0x9E37_79B9_7F4A_7C15) >> 32);

    public struct Slot
    {
        public nint Key;
        public TypeEntry? Entry;

        // From the last message that had the type.
        public ushort Id;
    }
}
