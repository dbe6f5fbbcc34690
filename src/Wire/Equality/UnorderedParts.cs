using Wire.Contracts;
using Wire.Types;

namespace Wire.Equality;

/// <summary>
/// Finds which elements of two collections without an order belong together: as the collections find them, by the hash codes of their keys;
/// where several have the same, or keys are compared by reference, by what they hold.
/// </summary>
internal sealed class UnorderedParts(Serializer serializer, GraphComparison comparison)
{
    // So many values say enough of an element to tell most others apart.
    private const int SignificantValues = 32;

    /// <summary>Returns the parts of the right collection in the order of those of the left one, of which there are as many.</summary>
    public List<GraphParts.Part> Pair(GraphParts left, GraphParts right)
    {
        int[] hashes = [.. left.Items.Select(part => left.HashOf!(part.Value))];
        int[] others = [.. right.Items.Select(part => right.HashOf!(part.Value))];
        if (hashes.AsSpan().SequenceEqual(others) && hashes.Distinct().Count() == hashes.Length)
        {
            return right.Items;
        }

        var paired = new GraphParts.Part?[hashes.Length];
        var isTaken = new bool[hashes.Length];
        PairBy(i => hashes[i], j => others[j], mayBeOther: true);
        PairBy(i => Signature(left.Items[i]), j => Signature(right.Items[j]), mayBeOther: false);
        var rest = new Queue<int>(Enumerable.Range(0, isTaken.Length).Where(j => !isTaken[j]));

        // What belongs to nothing differs from whatever is left.
        return [.. paired.Select(part => part ?? right.Items[rest.Dequeue()])];

        // Equal keys with the same hash code are one key for the collection, so that a single candidate is the right one, equal or not.
        void PairBy(Func<int, int> ofLeft, Func<int, int> ofRight, bool mayBeOther)
        {
            ILookup<int, int> candidates = Enumerable.Range(0, isTaken.Length).Where(j => !isTaken[j]).ToLookup(ofRight);
            ILookup<int, int> mine = Enumerable.Range(0, paired.Length).Where(i => paired[i] is null).ToLookup(ofLeft);
            foreach (IGrouping<int, int> group in mine)
            {
                bool isOnly = mayBeOther && group.Count() == 1 && candidates[group.Key].Count() == 1;
                foreach (int i in group)
                {
                    int? found = isOnly ? candidates[group.Key].First() : Find(left.Items[i], candidates[group.Key]);
                    if (found is { } j)
                    {
                        paired[i] = right.Items[j];
                        isTaken[j] = true;
                    }
                }
            }
        }

        int? Find(GraphParts.Part part, IEnumerable<int> candidates)
        {
            int[] free = [.. candidates.Where(j => !isTaken[j])];
            object? key = KeyOf(left, part);
            if (key is not null && comparison.TryFindRight(key, out object? known))
            {
                return free.Cast<int?>().FirstOrDefault(j => ReferenceEquals(KeyOf(right, right.Items[j!.Value]), known));
            }

            return free.Cast<int?>().FirstOrDefault(j => comparison.WouldBeEqual(part.Value, right.Items[j!.Value].Value, part.Slot))
                ?? free.Cast<int?>().FirstOrDefault(j => IsSameKey(part, right.Items[j!.Value]));
        }

        bool IsSameKey(GraphParts.Part part, GraphParts.Part other) => part.Slot is IPairSerializer pair
            && comparison.WouldBeEqual(KeyOf(left, part), KeyOf(right, other), pair.Key);
    }

    private static object? KeyOf(GraphParts parts, GraphParts.Part part) =>
        parts.KeyOf is { } keyOf ? keyOf(part.Value!) : part.Value;

    // A hash code of the first values in a key, which is the same for keys that are equal.
    private int Signature(GraphParts.Part part)
    {
        var hash = new HashCode();
        var waiting = new Queue<(object? Value, ValueSerializer Slot)>();
        waiting.Enqueue(part.Slot is IPairSerializer pair ? (pair.KeyOf(part.Value!), pair.Key) : (part.Value, part.Slot));
        for (int i = 0; i < SignificantValues && waiting.TryDequeue(out (object? Value, ValueSerializer Slot) next); i++)
        {
            Add(ref hash, next.Value, next.Slot, waiting);
        }

        return hash.ToHashCode();
    }

    private void Add(ref HashCode hash, object? value, ValueSerializer slot, Queue<(object? Value, ValueSerializer Slot)> waiting)
    {
        if (value is null)
        {
            hash.Add(0);
            return;
        }

        TypeEntry? entry = slot is IObjectSlot ? serializer.Registry.EntryFor(value) : null;
        hash.Add(entry?.Type);
        var parts = new GraphParts();
        if (value is string text)
        {
            hash.Add(text);
        }
        else if (value.GetType().IsPrimitive || value is Enum)
        {
            hash.Add(value);
        }
        else if (entry is not { IsStandIn: true } && (entry?.Serializer ?? slot).TryAddParts(parts, value))
        {
            hash.Add(parts.Form);
            hash.Add(parts.Block?.Count ?? parts.Items.Count);
            if (parts.HashOf is null)
            {
                parts.Items.ForEach(item => waiting.Enqueue((item.Value, item.Slot)));
            }
        }
    }
}
