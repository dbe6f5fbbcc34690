using System.Runtime.CompilerServices;

namespace Wire.Manifests;

/// <summary>
/// The readers of standalone roots by the beginnings of their payloads. A slot is a guess: a payload that another reader has it for is read
/// by its manifest. The table grows with the kinds of messages, up to a bound that no sender can move. Thread-safe; readers take no lock.
/// </summary>
internal sealed class RootReaders
{
    private const int SlotsPerReader = 8;
    private const int MaxSlots = 4096;

    private readonly Lock _lock = new();
    private RootReader?[] _slots = new RootReader?[8];
    private int _added;

    /// <summary>Finds the reader of a payload for callers that request a <typeparamref name="T"/>; null when there is none.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public RootReader<T>? Find<T>(ReadOnlySpan<byte> payload)
    {
        RootReader?[] slots = _slots;
        return slots[Prefix.SlotOf(payload, slots.Length)] is RootReader<T> root && root.Begins(payload) ? root : null;
    }

    /// <summary>Adds a reader; of two for the same beginning the later one stays.</summary>
    public void Add(RootReader reader)
    {
        lock (_lock)
        {
            _added++;
            while (_slots[Prefix.SlotOf(reader.Prefix, _slots.Length)] is { } other
                && CanPart(other, reader)
                && _slots.Length < Math.Min(MaxSlots, (long)_added * SlotsPerReader))
            {
                var larger = new RootReader?[_slots.Length * 2];
                foreach (RootReader? before in _slots)
                {
                    Put(larger, before);
                }

                Volatile.Write(ref _slots, larger);
            }

            Put(_slots, reader);
        }
    }

    // Beginnings that only differ where a guess does not look share a slot in a table of any size.
    private static bool CanPart(RootReader one, RootReader other) =>
        Prefix.SlotOf(one.Prefix, MaxSlots) != Prefix.SlotOf(other.Prefix, MaxSlots);

    private static void Put(RootReader?[] slots, RootReader? reader)
    {
        if (reader is not null)
        {
            slots[Prefix.SlotOf(reader.Prefix, slots.Length)] = reader;
        }
    }
}
