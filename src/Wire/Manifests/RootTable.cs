using System.Runtime.CompilerServices;

namespace Wire.Manifests;

/// <summary>
/// The common parts of messages, by a key of what they begin with, in two slots per key. Any thread may read while one adds. A slot is a
/// guess: callers compare what they find.
/// </summary>
internal sealed class RootTable
{
    private const int MinSlots = 64;
    private const int MaxSlots = 1024;

    // Fibonacci hashing: the upper bits of the product depend on all bits of the key.
    private const ulong Spread = 0x9E3779B97F4A7C15;
    private const int UpperBits = 40;

    private readonly Lock _gate = new();
    private Root?[] _slots = new Root?[MinSlots];

    /// <summary>Gets the first slot of a key.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Root? First(ulong key)
    {
        Root?[] slots = _slots;
        return slots[IndexOf(key, slots)];
    }

    /// <summary>Gets the second slot of a key.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Root? Second(ulong key)
    {
        Root?[] slots = _slots;
        return slots[IndexOf(key, slots) ^ 1];
    }

    /// <summary>Adds a root. It replaces its like; in a full table, another one with the same slots.</summary>
    public void Add(Root root)
    {
        lock (_gate)
        {
            while (!TryAdd(_slots, root))
            {
                if (_slots.Length >= MaxSlots)
                {
                    int index = IndexOf(root.Key, _slots);
                    _slots[index ^ 1] = _slots[index];
                    _slots[index] = root;
                    return;
                }

                Grow();
            }
        }
    }

    private void Grow()
    {
        var larger = new Root?[_slots.Length * 2];
        foreach (Root? root in _slots)
        {
            if (root is not null)
            {
                TryAdd(larger, root);
            }
        }

        _slots = larger;
    }

    private static bool TryAdd(Root?[] slots, Root root)
    {
        int index = IndexOf(root.Key, slots);
        for (int way = 0; way < 2; way++)
        {
            ref Root? slot = ref slots[index ^ way];
            if (slot is null || slot.IsLike(root))
            {
                slot = root;
                return true;
            }
        }

        return false;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int IndexOf(ulong key, Root?[] slots) => (int)((key * Spread) >> UpperBits) & (slots.Length - 1);
}

/// <summary>The common part of all messages of one kind: of one root type to write, or with one beginning to read.</summary>
internal abstract class Root(ulong key)
{
    /// <summary>Gets the key in a <see cref="RootTable"/>.</summary>
    public ulong Key { get; } = key;

    /// <summary>Says whether another root is for the same messages.</summary>
    public abstract bool IsLike(Root other);
}
