using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Wire.Runtime;

/// <summary>
/// A map from types: a hash table over <see cref="TypeIdentity"/>. The entry of a type that can be unloaded lives only as long as the type,
/// so a serializer keeps no such assembly alive. Thread-safe; readers take no lock.
/// </summary>
[UnconditionalSuppressMessage("Trimming", "IL2091", Justification = "Values are given: the table makes none.")]
internal sealed class TypeMap<TValue>
    where TValue : class
{
    // More slots only make it likelier that a type is in the first one that is looked at.
    private const int SlotsPerType = 8;

    private readonly Lock _lock = new();

    // A value may refer to its type: the table ensures that this does not keep the type alive.
    private readonly ConditionalWeakTable<Type, TValue> _unloadable = [];

    // At most half of the slots are taken, so that a search ends.
    private Slot[] _slots = new Slot[2];
    private int _taken;

    public TypeMap()
    {
        // What is initialized before the code that uses it is compiled is a constant in it.
        TypeIdentity.Get(this);
    }

    /// <summary>The types that are still alive.</summary>
    public IEnumerable<Type> Types => _slots
        .Where(slot => slot.Type != 0)
        .Select(slot => Type.GetTypeFromHandle(RuntimeTypeHandle.FromIntPtr(slot.Type))!)
        .Concat(_unloadable.Select(pair => pair.Key));

    /// <summary>Gets the number of types.</summary>
    public int Count => _taken + _unloadable.Count();

    /// <summary>Finds the value for an object's type, which cannot be unloaded; null when there is none.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public TValue? FindFor(object value)
    {
        nint type = TypeIdentity.Get(value);
        Slot[] slots = _slots;
        ref Slot slot = ref Unsafe.Add(ref MemoryMarshal.GetArrayDataReference(slots), Hash(type) & (slots.Length - 1));
        return Volatile.Read(ref slot.Type) == type ? slot.Value : FindBehind(slots, type);
    }

    public bool TryGetValue(Type type, [MaybeNullWhen(false)] out TValue value)
    {
        value = FindBehind(_slots, TypeIdentity.Get(type));
        return value is not null || TryGetUnloadable(type, out value);
    }

    /// <summary>Finds a type's value, or adds the given one; the first one stays.</summary>
    public TValue GetOrAdd(Type type, TValue value)
    {
        if (type.IsCollectible)
        {
            return _unloadable.GetOrAdd(type, value);
        }

        nint key = TypeIdentity.Get(type);
        lock (_lock)
        {
            if (FindBehind(_slots, key) is { } before)
            {
                return before;
            }

            _taken++;
            Slot[] slots = _slots;
            while (_taken * 2 > slots.Length || (slots[Hash(key) & (slots.Length - 1)].Type != 0 && slots.Length < _taken * SlotsPerType))
            {
                var larger = new Slot[slots.Length * 2];
                // No query: it would have to be compiled for this table alone, before the first message.
                foreach (Slot slot in slots)
                {
                    if (slot.Type != 0)
                    {
                        Put(larger, slot.Type, slot.Value!);
                    }
                }

                slots = larger;
            }

            Put(slots, key, value);
            Volatile.Write(ref _slots, slots);
            return value;
        }
    }

    /// <summary>Finds a type's value, or makes it.</summary>
    public TValue GetOrAdd<TState>(Type type, Func<Type, TState, TValue> make, TState state) =>
        TryGetValue(type, out TValue? value) ? value : GetOrAdd(type, make(type, state));

    private static void Put(Slot[] slots, nint type, TValue value)
    {
        int mask = slots.Length - 1;
        int i = Hash(type) & mask;
        while (slots[i].Type != 0)
        {
            i = (i + 1) & mask;
        }

        slots[i].Value = value;
        // A reader that sees the type sees its value.
        Volatile.Write(ref slots[i].Type, type);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static TValue? FindBehind(Slot[] slots, nint type)
    {
        int mask = slots.Length - 1;
        for (int i = Hash(type) & mask; ; i = (i + 1) & mask)
        {
            ref Slot slot = ref slots[i];
            nint found = Volatile.Read(ref slot.Type);
            if (found == type || found == 0)
            {
                return found == 0 ? null : slot.Value;
            }
        }
    }

    // The runtime lays out what it knows of types one behind the other, with a few hundred bytes for each.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int Hash(nint type) => (int)(type >> 6);

    // Out of line: the check for collectible types is a call of the runtime, needed only for new types.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool TryGetUnloadable(Type type, [MaybeNullWhen(false)] out TValue value)
    {
        value = null;
        return type.IsCollectible && _unloadable.TryGetValue(type, out value);
    }

    private struct Slot
    {
        public nint Type;
        public TValue? Value;
    }
}
