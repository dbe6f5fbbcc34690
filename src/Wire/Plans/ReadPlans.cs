using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Wire.Plans;

/// <summary>
/// The plans of standalone messages by their beginnings: a hash table over few of their bytes, those at two places in the manifest that
/// tell the known kinds apart. A slot is a guess: a payload for which it holds another plan is read by its manifest. The table grows with
/// the kinds of messages, up to a bound that no sender can move. Thread-safe; readers take no lock.
/// </summary>
internal sealed class ReadPlans
{
    private const int MaxPlans = 512;
    private const int MaxDisplaced = 16;

    private readonly Lock _lock = new();
    private readonly List<ReadPlan> _plans = [];
    private Table _table = new();

    // Plans that lost their slot to another one, at most MaxDisplaced: they are searched one by one.
    private ReadPlan[] _displaced = [];

    // The plan of programs with one kind of message.
    private ReadPlan? _only;

    /// <summary>Returns the plan of a payload, or of another that looks like it; null when there is none.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ReadPlan? Guess(ReadOnlySpan<byte> payload) => _only ?? _table.Guess(payload);

    /// <summary>Finds the plan of a payload for callers that request a <typeparamref name="T"/>; null when there is none.</summary>
    public ReadPlan<T>? Find<T>(ReadOnlySpan<byte> payload)
    {
        ReadPlan? plan = Guess(payload) is { } guess && guess.Begins(payload) ? guess : FindDisplaced(payload);
        return plan as ReadPlan<T> ?? plan?.Defined!.FindPlan<T>(plan);
    }

    /// <summary>Finds the plan of a payload among those whose slot another one has; null when there is none.</summary>
    public ReadPlan? FindDisplaced(ReadOnlySpan<byte> payload)
    {
        foreach (ReadPlan plan in _displaced)
        {
            if (plan.Begins(payload))
            {
                return plan;
            }
        }

        return null;
    }

    /// <summary>Adds a plan; of two for the same beginning the later one is found first.</summary>
    public void Add(ReadPlan plan)
    {
        lock (_lock)
        {
            bool isNew = _plans.RemoveAll(known => known.Begins(plan.Prefix) && plan.Begins(known.Prefix)) == 0;
            if (_plans.Count == MaxPlans)
            {
                _plans.Clear();
            }

            _plans.Add(plan);
            ReadPlan? other = _table.Guess(plan.Prefix);
            if (isNew && other is not null)
            {
                Volatile.Write(ref _table, _table.Apart(plan, other, _plans));
            }
            else if (other is null || !_plans.Contains(other) || _displaced.Length == MaxDisplaced)
            {
                _table.Put(plan);
            }

            Settle();
        }
    }

    /// <summary>Removes plans, so that messages of their kind are read by their manifest.</summary>
    public void Remove(ReadOnlySpan<ReadPlan> plans)
    {
        lock (_lock)
        {
            foreach (ReadPlan plan in plans)
            {
                _plans.Remove(plan);
                _table.Remove(plan);
            }

            Settle();
        }
    }

    private void Settle()
    {
        _only = _plans.Count == 1 && _table.Has(_plans[0]) ? _plans[0] : null;
        Volatile.Write(ref _displaced, [.. _plans.Where(plan => !_table.Has(plan)).Take(MaxDisplaced)]);
    }

    /// <param name="slots">The number of slots, a power of two.</param>
    /// <param name="first">An offset into the prefix; a shorter prefix is keyed by its last bytes.</param>
    /// <param name="second">Another such place.</param>
    /// <param name="spread">An odd number that makes slots of keys.</param>
    private sealed class Table(int slots, int first, int second, uint spread)
    {
        /// <summary>The place that stands for the last bytes of a beginning.</summary>
        public const int End = int.MaxValue;

        // The golden ratio, and steps to other odd numbers.
        private const uint FirstSpread = 0x9E3779B1;
        private const uint SpreadStep = 0x61C88646;
        private const int Spreads = 8;

        private const int MaxSlotsPerPlan = 32;
        private const int MaxPlaces = 16;
        // Of the product, the upper bits depend on all bits of the key.
        private const int UnusedBits = 15;

        private readonly ReadPlan?[] _slots = new ReadPlan?[slots];

        public Table()
            : this(slots: 8, first: 0, second: End, FirstSpread)
        {
        }

        /// <summary>Returns the plan of a payload, or of another that looks like it.</summary>
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public ReadPlan? Guess(ReadOnlySpan<byte> payload)
        {
            ReadPlan?[] all = _slots;
            return payload.Length < sizeof(uint)
                ? null
                : all[SlotOf(KeyOf(ref MemoryMarshal.GetReference(payload), payload.Length, first, second)) & (all.Length - 1)];
        }

        public void Put(ReadPlan plan) => Slot(plan) = plan;

        public bool Has(ReadPlan plan) => ReferenceEquals(Slot(plan), plan);

        public void Remove(ReadPlan plan)
        {
            ref ReadPlan? slot = ref Slot(plan);
            slot = ReferenceEquals(slot, plan) ? null : slot;
        }

        /// <summary>Makes a table that tells a new plan from one that has its slot, and all others apart, where that is possible.</summary>
        /// <param name="plan">The new plan.</param>
        /// <param name="other">The plan in its slot.</param>
        /// <param name="plans">All plans.</param>
        public Table Apart(ReadPlan plan, ReadPlan other, List<ReadPlan> plans)
        {
            int[] places = [first, second];
            if (KeyOf(plan, places) == KeyOf(other, places))
            {
                places = places.SelectMany(kept => Differences(plan.Prefix, other.Prefix), (kept, place) => (int[])[kept, place])
                    .DefaultIfEmpty(places)
                    .MaxBy(pair => plans.Select(known => KeyOf(known, pair)).Distinct().Count())!;
            }

            // Those with equal keys have one slot in every table.
            int least = plans.Count - plans.Select(known => KeyOf(known, places)).Distinct().Count();
            Table? best = null;
            int fewest = int.MaxValue;
            for (int size = slots; fewest > least && size < 2 * MaxSlotsPerPlan * plans.Count; size *= 2)
            {
                uint tried = FirstSpread;
                for (int i = 0; i < Spreads && fewest > least; i++, tried += SpreadStep)
                {
                    var table = new Table(size, places[0], places[1], tried);
                    plans.ForEach(table.Put);
                    int displaced = plans.Count(known => !table.Has(known));
                    if (displaced < fewest)
                    {
                        (best, fewest) = (table, displaced);
                    }
                }
            }

            return best ?? this;
        }

        // The places where two beginnings differ, some of them; and their ends.
        private static IEnumerable<int> Differences(byte[] one, byte[] other) =>
            Enumerable.Range(0, Math.Min(one.Length, other.Length)).Where(i => one[i] != other[i]).Take(MaxPlaces - 1).Append(End);

        private ref ReadPlan? Slot(ReadPlan plan) => ref _slots[SlotOf(KeyOf(plan, [first, second])) & (slots - 1)];

        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        private int SlotOf(uint key) => (int)((key * spread) >> UnusedBits);

        private static uint KeyOf(ReadPlan plan, int[] places) =>
            KeyOf(ref plan.Prefix[0], plan.Prefix.Length, places[0], places[1]);

        // Behind the header and the tag is the length of the manifest, in one byte or two; a wrong one only leads to a wrong slot. There
        // are no branches, which messages of many kinds would make the processor guess.
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        private static uint KeyOf(ref byte start, int length, int first, int second)
        {
            const int LengthAt = 2;
            int size = Unsafe.ReadUnaligned<ushort>(ref Unsafe.Add(ref start, LengthAt));
            int isLong = (size >> 7) & 1;
            int end = LengthAt + 1 + isLong + ((size & 0x7F) | ((size >> 1) & (0x3F80 * isLong)));
            int last = Math.Max(Math.Min(end, length) - sizeof(uint), 0);
            uint one = Unsafe.ReadUnaligned<uint>(ref Unsafe.Add(ref start, Math.Min(first, last)));
            uint two = Unsafe.ReadUnaligned<uint>(ref Unsafe.Add(ref start, Math.Min(second, last)));
            return ((uint)size * 0x85EBCA6B) + (one * 0x9E3779B1) + (two * 0xC2B2AE35);
        }
    }
}
