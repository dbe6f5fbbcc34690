using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Wire.Format;
using Wire.Plans;
using Wire.Runtime;
using Wire.Types;

namespace Wire.Sessions;

/// <summary>
/// A map from type to manifest identifier, for one session: a hash table over <see cref="TypeIdentity"/>. A type may have two, of its
/// manifest and of the one without a name for sealed variables. Identifiers are of an epoch: all are forgotten when the next one begins,
/// while the table stays, because the next message usually has the same types.
/// </summary>
internal struct FastTypeUShortDictionary()
{
    private const int SlotsPerKey = 8;

    // The slots of tables that are still empty; never written to.
    private static readonly Slot[] None = new Slot[1];

    private Slot[] _slots = None;
    private int _taken;
    private uint _epoch = 1;

    /// <summary>Gets the number of identifiers.</summary>
    public int Count { get; private set; }

    /// <summary>Finds the plan for messages with a root of a type that has a short identifier; null where none has been added.</summary>
    /// <param name="type">The type's identity.</param>
    /// <param name="tag">The byte that stands for the type.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly WritePlan? FindPlan(nint type, out byte tag)
    {
        ref Slot slot = ref Find(type);
        uint id = slot.Id;
        tag = (byte)(Tag.FirstShortIdentifier + id);
        return slot.Epoch == _epoch && id < Tag.ShortIdentifiers ? slot.Plan : null;
    }

    /// <summary>Adds that plan to a type that has an identifier.</summary>
    public readonly void AddPlan(nint type, WritePlan plan) => Find(type).Plan = plan;

    /// <summary>Finds the identifier of a type, and the type's entry, which may exist without one.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly bool TryGet(nint type, out ushort id, out TypeEntry? entry)
    {
        ref Slot slot = ref Find(type);
        id = slot.Id;
        entry = slot.Entry;
        return slot.Epoch == _epoch;
    }

    /// <summary>Finds the identifier by which an object of a type is written.</summary>
    /// <param name="type">The type's identity.</param>
    /// <param name="isSealed">True if the manifest without a name will do.</param>
    /// <param name="id">The identifier.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly bool TryGet(nint type, bool isSealed, out ushort id)
    {
        ref Slot slot = ref Find(type);
        if (slot.Epoch == _epoch)
        {
            id = slot.Id;
            return true;
        }

        id = slot.SealedId;
        return isSealed && slot.SealedEpoch == _epoch;
    }

    /// <summary>Gives a type the next identifier.</summary>
    /// <param name="type">The type's identity.</param>
    /// <param name="entry">What is known about the type; null to know only the identifier.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Add(nint type, TypeEntry? entry)
    {
        ref Slot slot = ref FindOrClaim(type);
        if (entry is not null && !ReferenceEquals(slot.Entry, entry))
        {
            slot.Entry = entry;
        }

        slot.Id = (ushort)Count++;
        slot.Epoch = _epoch;
    }

    /// <summary>Gives the manifest of a type without its name the next identifier.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void AddSealed(nint type)
    {
        ref Slot slot = ref FindOrClaim(type);
        slot.SealedId = (ushort)Count++;
        slot.SealedEpoch = _epoch;
    }

    /// <summary>Takes the next identifier for what is not in this table.</summary>
    public ushort AddOther() => (ushort)Count++;

    /// <summary>Records the entry of a type, without an identifier.</summary>
    public void Remember(nint type, TypeEntry entry) => FindOrClaim(type).Entry = entry;

    /// <summary>Forgets the identifiers from <paramref name="count"/> up.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Truncate(int count)
    {
        if (count < Count)
        {
            Forget(count);
        }
    }

    /// <summary>Forgets the entries of types without an identifier.</summary>
    public void Trim()
    {
        Slot[] before = _slots;
        _slots = None;
        _taken = 0;
        foreach (Slot slot in before)
        {
            if (slot.Epoch != _epoch && slot.SealedEpoch != _epoch)
            {
                continue;
            }

            ref Slot kept = ref ClaimSlot(slot.Key);
            kept = slot;
            kept.Entry = slot.Epoch == _epoch ? slot.Entry : null;
            kept.Plan = null;
        }
    }

    private void Forget(int count)
    {
        Count = count;
        if (count == 0 && ++_epoch != 0)
        {
            return;
        }

        // Some of them, or all epochs have been used.
        foreach (ref Slot slot in _slots.AsSpan())
        {
            slot.Epoch = slot.Id < count && _epoch != 0 ? slot.Epoch : 0;
            slot.SealedEpoch = slot.SealedId < count && _epoch != 0 ? slot.SealedEpoch : 0;
        }

        _epoch = Math.Max(1, _epoch);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ref Slot FindOrClaim(nint key)
    {
        ref Slot slot = ref Find(key);
        return ref slot.Key == key ? ref slot : ref ClaimSlot(key);
    }

    // The slot of a key, or the free one where it would be.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private readonly ref Slot Find(nint key)
    {
        Slot[] slots = _slots;
        ref Slot slot = ref Unsafe.Add(ref MemoryMarshal.GetArrayDataReference(slots), Hash(key) & (slots.Length - 1));
        return ref slot.Key == key ? ref slot : ref FindBehind(slots, key);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static ref Slot FindBehind(Slot[] slots, nint key)
    {
        int mask = slots.Length - 1;
        int i = Hash(key) & mask;
        while (slots[i].Key != key && slots[i].Key != 0)
        {
            i = (i + 1) & mask;
        }

        return ref slots[i];
    }

    // The table grows while another key has a key's first slot, and until at most half of the slots are taken.
    private ref Slot ClaimSlot(nint key)
    {
        _taken++;
        while (_taken * 2 > _slots.Length
            || (_slots[Hash(key) & (_slots.Length - 1)].Key != 0 && _slots.Length < _taken * SlotsPerKey))
        {
            var larger = new Slot[Math.Max(8, _slots.Length * 2)];
            // No query: it would have to be compiled for this table alone, before the first message.
            foreach (Slot slot in _slots)
            {
                if (slot.Key != 0)
                {
                    FindBehind(larger, slot.Key) = slot;
                }
            }

            _slots = larger;
        }

        ref Slot free = ref FindBehind(_slots, key);
        free.Key = key;
        return ref free;
    }

    // The runtime lays out what it knows of types one behind the other, with a few hundred bytes for each.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int Hash(nint key) => (int)(key >> 6);

    private struct Slot
    {
        public nint Key;
        public TypeEntry? Entry;
        public WritePlan? Plan;

        // The epochs of the identifiers.
        public uint Epoch;
        public uint SealedEpoch;
        public ushort Id;
        public ushort SealedId;
    }
}
