using System.Collections;
using System.Globalization;
using System.Runtime.CompilerServices;
using Wire.Contracts;
using Wire.Copying;
using Wire.Messages;
using Wire.Sessions;
using Wire.Types;

namespace Wire.Equality;

/// <summary>One comparison of two graphs, depth first. Nothing recurses, so graphs may be as deep as they are large.</summary>
internal sealed class GraphComparison(Serializer serializer)
{
    private const int ShownCharacters = 100;

    private readonly Stack<Pair> _open = new();

    // Without references the same pair is compared once; with them, an object belongs to one object of the other graph.
    private readonly HashSet<(object Left, object Right)> _seen = new(new Identities());
    private readonly Dictionary<object, object> _rightOf = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<object, object> _leftOf = new(ReferenceEqualityComparer.Instance);

    /// <summary>Returns the first difference; null when there is none.</summary>
    public GraphDifference? Run(object? left, object? right)
    {
        _open.Push(new Pair(left, right, null, null));
        while (_open.TryPop(out Pair pair))
        {
            if (Compare(pair) is { } difference)
            {
                return difference;
            }
        }

        return null;
    }

    private GraphDifference Difference(in Pair pair, string reason) => Difference(pair.Location, reason, pair.Left, pair.Right);

    private GraphDifference Difference(Location? location, string reason, object? left, object? right)
    {
        var steps = new List<int>();
        for (Location? current = location; current is not null; current = current.Around)
        {
            steps.Add(current.Step);
        }

        steps.Reverse();
        return new GraphDifference(GraphPath.Describe([.. steps], 0, serializer.Registry), reason, left, right);
    }

    // Adds the parts of values that are alike so far to what is open.
    private GraphDifference? Compare(in Pair pair)
    {
        (object? left, object? right, _, ValueSerializer? slot) = pair;
        if (left is null || right is null)
        {
            return left is null && right is null ? null : Difference(pair, $"{Text(left)} and {Text(right)}");
        }

        if (slot is null or IObjectSlot)
        {
            TypeEntry entry = serializer.Registry.EntryFor(left), other = serializer.Registry.EntryFor(right);
            if (entry.Type != other.Type)
            {
                return Difference(pair, $"the types are {left.GetType()} and {right.GetType()}");
            }

            slot = entry.Serializer;
            if (entry.IsTracked && !slot.IsImmutable)
            {
                if (FindSharing(left, right, out bool isKnown) is { } sharing)
                {
                    return Difference(pair, sharing);
                }

                if (isKnown)
                {
                    return null;
                }
            }
        }

        GraphParts ours = new(), theirs = new();
        return !slot.TryAddParts(ours, left) || !slot.TryAddParts(theirs, right) ? CompareBytes(pair, left, right)
            : CompareParts(ours, theirs, pair.Location) is { } reason ? Difference(pair, reason)
            : null;
    }

    private string? FindSharing(object left, object right, out bool isKnown)
    {
        if (!serializer.Options.PreserveObjectReferences)
        {
            isKnown = !_seen.Add((left, right));
            return null;
        }

        isKnown = _rightOf.TryGetValue(left, out object? known);
        if (isKnown ? ReferenceEquals(known, right) : _leftOf.TryAdd(right, left))
        {
            if (!isKnown)
            {
                _rightOf.Add(left, right);
            }

            return null;
        }

        return isKnown
            ? "the left object occurred before, and the right one is not the one that it met there"
            : "the right object occurred before, and the left one did not";
    }

    private string? CompareParts(GraphParts left, GraphParts right, Location? location)
    {
        if (left.Form != right.Form)
        {
            return $"{left.Form} and {right.Form}";
        }

        if (left.Items.Count != right.Items.Count)
        {
            return Counts(left.Items.Count, right.Items.Count);
        }

        List<GraphParts.Part> others = left.HashOf is null ? right.Items : Paired(left, right);
        for (int i = left.Items.Count - 1; i >= 0; i--)
        {
            GraphParts.Part part = left.Items[i];
            Location? at = part.Step == GraphPath.Root ? location : new Location(part.Step, location);
            _open.Push(new Pair(part.Value, others[i].Value, at, part.Slot));
        }

        return CompareComparers(left.Comparer, right.Comparer, location);
    }

    private string? CompareComparers(object? left, object? right, Location? location)
    {
        if (left is ComparerPair keys && right is ComparerPair others)
        {
            return CompareComparers(keys.Keys, others.Keys, location) ?? CompareComparers(keys.Values, others.Values, location);
        }

        if (left is null || right is null || SharedComparers.Contains(left) || SharedComparers.Contains(right))
        {
            return ComparerFormat.AreSame(left, right) ? null : $"the comparers are {left?.GetType()} and {right?.GetType()}";
        }

        _open.Push(new Pair(left, right, location, null));
        return null;
    }

    // Elements of a collection without an order belong together by their keys: as the collection finds them, or, where keys are compared
    // by reference, by their bytes.
    private List<GraphParts.Part> Paired(GraphParts left, GraphParts right)
    {
        int[] hashes = [.. left.Items.Select(part => left.HashOf!(part.Value))];
        int[] others = [.. right.Items.Select(part => right.HashOf!(part.Value))];
        if (hashes.AsSpan().SequenceEqual(others) && hashes.Distinct().Count() == hashes.Length)
        {
            return right.Items;
        }

        ILookup<int, int> byHash = Enumerable.Range(0, others.Length).ToLookup(i => others[i]);
        var isTaken = new bool[others.Length];
        var paired = new GraphParts.Part?[hashes.Length];
        for (int i = 0; i < paired.Length; i++)
        {
            paired[i] = Take(byHash[hashes[i]], BytesOfKey(left, left.Items[i]));
        }

        ILookup<string, int> byBytes = Enumerable.Range(0, others.Length).Where(j => !isTaken[j])
            .ToLookup(j => Convert.ToHexString(BytesOfKey(right, right.Items[j])));
        for (int i = 0; i < paired.Length; i++)
        {
            paired[i] ??= TakeFirst(byBytes[Convert.ToHexString(BytesOfKey(left, left.Items[i]))]);
        }

        // What belongs to nothing differs from whatever is left.
        return [.. paired.Select(part => part ?? TakeFirst(Enumerable.Range(0, others.Length))!.Value)];

        GraphParts.Part? Take(IEnumerable<int> candidates, byte[] bytes) => TakeFirst(
            candidates.Where(j => !isTaken[j] && bytes.AsSpan().SequenceEqual(BytesOfKey(right, right.Items[j]))));

        GraphParts.Part? TakeFirst(IEnumerable<int> candidates)
        {
            foreach (int j in candidates.Where(j => !isTaken[j]))
            {
                isTaken[j] = true;
                return right.Items[j];
            }

            return null;
        }
    }

    private byte[] BytesOfKey(GraphParts parts, GraphParts.Part part) =>
        serializer.Serialize<object?>(parts.KeyOf is { } keyOf ? keyOf(part.Value!) : part.Value);

    private GraphDifference? CompareBytes(in Pair pair, object left, object right)
    {
        if (ReferenceEquals(left, right) || HaveSameBytes(left, right))
        {
            return null;
        }

        // Only now, because most arrays of numbers are equal.
        if (left is IList list && right is IList other)
        {
            if (list.Count != other.Count)
            {
                return Difference(pair, Counts(list.Count, other.Count));
            }

            for (int i = 0; i < list.Count; i++)
            {
                if (!HaveSameBytes(list[i], other[i]))
                {
                    return Difference(new Location(~i, pair.Location), $"{Text(list[i])} and {Text(other[i])}", list[i], other[i]);
                }
            }
        }

        return Difference(pair, $"{Text(left)} and {Text(right)}");
    }

    private static string Counts(int left, int right) => string.Create(CultureInfo.InvariantCulture, $"{left} and {right} elements");

    private bool HaveSameBytes(object? left, object? right) =>
        left is string text && right is string other
            ? text == other
            : serializer.Serialize(left).AsSpan().SequenceEqual(serializer.Serialize(right));

    // ToString of a class of the program may do anything.
    private static string Text(object? value) => value switch
    {
        null => "null",
        string text => $"'{(text.Length > ShownCharacters ? text[..ShownCharacters] + "..." : text)}'",
        DateTime time => time.ToString("O", CultureInfo.InvariantCulture),
        Type or Enum or Version or Guid => value.ToString()!,
        IFormattable number when value.GetType().Assembly == typeof(int).Assembly => number.ToString(null, CultureInfo.InvariantCulture),
        _ => $"a {value.GetType()}",
    };

    // A step, and where it leads from.
    private sealed record Location(int Step, Location? Around);

    private readonly record struct Pair(object? Left, object? Right, Location? Location, ValueSerializer? Slot);

    private sealed class Identities : IEqualityComparer<(object Left, object Right)>
    {
        public bool Equals((object Left, object Right) x, (object Left, object Right) y) =>
            ReferenceEquals(x.Left, y.Left) && ReferenceEquals(x.Right, y.Right);

        public int GetHashCode((object Left, object Right) pair) =>
            HashCode.Combine(RuntimeHelpers.GetHashCode(pair.Left), RuntimeHelpers.GetHashCode(pair.Right));
    }
}
