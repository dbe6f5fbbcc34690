using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Wire.Types;

namespace Wire.Manifests;

/// <summary>
/// The writers of standalone roots by the runtime type of the object, for all threads: a hash table over <see cref="TypeIdentity"/>. Types
/// that can be unloaded are not in it. Thread-safe; readers take no lock.
/// </summary>
internal sealed class RootWriters
{
    private readonly Lock _lock = new();

    // At most half of the slots are taken, so that a search ends.
    private Slot[] _slots = new Slot[2];
    private int _taken;

    public RootWriters()
    {
        // What is initialized before the code that uses it is compiled is a constant in it.
        TypeIdentity.Get(this);
    }

    /// <summary>Finds the writer for an object; null when its type has none.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public RootWriter? Find(object value)
    {
        nint type = TypeIdentity.Get(value);
        Slot[] slots = _slots;
        ref Slot slot = ref Unsafe.Add(ref MemoryMarshal.GetArrayDataReference(slots), Hash(type) & (slots.Length - 1));
        return Volatile.Read(ref slot.Type) == type ? slot.Root : FindBehind(slots, type);
    }

    /// <summary>Adds the writer for objects of a runtime type, which cannot be unloaded; the first one stays.</summary>
    public void Add(Type type, RootWriter root)
    {
        nint key = TypeIdentity.Get(type);
        lock (_lock)
        {
            if (FindBehind(_slots, key) is not null)
            {
                return;
            }

            if (++_taken * 2 > _slots.Length)
            {
                var larger = new Slot[_slots.Length * 2];
                foreach (Slot slot in _slots.Where(slot => slot.Type != 0))
                {
                    Put(larger, slot.Type, slot.Root!);
                }

                Volatile.Write(ref _slots, larger);
            }

            Put(_slots, key, root);
        }
    }

    private static void Put(Slot[] slots, nint type, RootWriter root)
    {
        int mask = slots.Length - 1;
        int i = Hash(type) & mask;
        while (slots[i].Type != 0)
        {
            i = (i + 1) & mask;
        }

        slots[i].Root = root;
        // A reader that sees the type sees its writer.
        Volatile.Write(ref slots[i].Type, type);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static RootWriter? FindBehind(Slot[] slots, nint type)
    {
        int mask = slots.Length - 1;
        for (int i = Hash(type) & mask; ; i = (i + 1) & mask)
        {
            ref Slot slot = ref slots[i];
            nint found = Volatile.Read(ref slot.Type);
            if (found == type || found == 0)
            {
                return found == 0 ? null : slot.Root;
            }
        }
    }

    // The runtime lays out what it knows of types one behind the other, with a few hundred bytes for each.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int Hash(nint type) => (int)(type >> 6);

    private struct Slot
    {
        public nint Type;
        public RootWriter? Root;
    }
}
