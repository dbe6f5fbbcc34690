using Wire.Contracts;

namespace Wire.Equality;

/// <summary>
/// The elements of two collections without an order, of which it is not known yet which belong together: first those that hold the same,
/// then those with the same key, then those that the collections find by the same hash code.
/// </summary>
/// <param name="Left">The left collection.</param>
/// <param name="Right">The right collection, with as many elements.</param>
/// <param name="Location">The way to both.</param>
internal sealed record UnorderedParts(GraphParts Left, GraphParts Right, Location? Location)
{
    private readonly List<GraphParts.Part> _left = [.. Left.Items];
    private readonly List<GraphParts.Part> _right = [.. Right.Items];
    private int _choices = 1;

    /// <summary>Says whether all elements have been paired.</summary>
    public bool IsEmpty => _left.Count == 0;

    /// <summary>Finds elements that belong together.</summary>
    /// <param name="left">The signatures of the left graph.</param>
    /// <param name="right">Those of the right graph.</param>
    /// <param name="mayChoose">
    /// True if it does not matter which of several alike are paired: where sharing counts, more may be known of them later.
    /// </param>
    /// <returns>The pairs, which are removed.</returns>
    public List<(GraphParts.Part Left, GraphParts.Part Right)> Pair(Signatures left, Signatures right, bool mayChoose)
    {
        var pairs = new List<(GraphParts.Part, GraphParts.Part)>();
        bool isClear = PairBy(
            part => left.Compute(part.Value, part.Slot), part => right.Compute(part.Value, part.Slot), mayChoose, pairs);
        isClear &= PairBy(part => Key(left, part), part => Key(right, part), mayChoose, pairs);
        if (isClear)
        {
            PairBy(part => (ulong)Left.HashOf!(part.Value), part => (ulong)Right.HashOf!(part.Value), mayChoose: true, pairs);

            // What belongs to nothing differs from whatever is left.
            pairs.AddRange(_left.Zip(_right));
            _left.Clear();
            _right.Clear();
        }

        _choices = pairs.Count > 0 ? 1 : _choices;
        return pairs;
    }

    /// <summary>
    /// Pairs an element with one that holds the same: all of them are alike as far as is known. Where the last choice told nothing of the
    /// others, they have nothing to do with each other, and twice as many are chosen.
    /// </summary>
    public List<(GraphParts.Part Left, GraphParts.Part Right)> Choose(Signatures left, Signatures right)
    {
        ulong own = left.Compute(_left[0].Value, _left[0].Slot), key = Key(left, _left[0]);
        var pairs = new List<(GraphParts.Part, GraphParts.Part)>();
        int[] ours = [.. Alike(_left, left)], theirs = [.. Alike(_right, right)];
        bool[] leftTaken = new bool[_left.Count], rightTaken = new bool[_right.Count];
        foreach ((int i, int j) in ours.Zip(theirs.Length > 0 ? theirs : [0]).Take(_choices))
        {
            pairs.Add((_left[i], _right[j]));
            leftTaken[i] = rightTaken[j] = true;
        }

        Remove(_left, leftTaken);
        Remove(_right, rightTaken);
        _choices *= 2;
        return pairs;

        IEnumerable<int> Alike(List<GraphParts.Part> parts, Signatures signatures)
        {
            int[] same = [.. Enumerable.Range(0, parts.Count).Where(
                i => signatures.Compute(parts[i].Value, parts[i].Slot) == own)];
            return same.Length > 0 ? same : Enumerable.Range(0, parts.Count).Where(i => Key(signatures, parts[i]) == key);
        }
    }

    // False if several on both sides are alike and remain.
    private bool PairBy(
        Func<GraphParts.Part, ulong> ofLeft,
        Func<GraphParts.Part, ulong> ofRight,
        bool mayChoose,
        List<(GraphParts.Part Left, GraphParts.Part Right)> pairs)
    {
        Dictionary<ulong, List<int>> candidates = Group(_right, ofRight);
        bool isClear = true;
        var leftTaken = new bool[_left.Count];
        var rightTaken = new bool[_right.Count];
        foreach ((ulong signature, List<int> own) in Group(_left, ofLeft))
        {
            if (!candidates.TryGetValue(signature, out List<int>? others))
            {
                continue;
            }

            if (!mayChoose && (own.Count > 1 || others.Count > 1))
            {
                isClear = false;
                continue;
            }

            foreach ((int i, int j) in own.Zip(others))
            {
                pairs.Add((_left[i], _right[j]));
                leftTaken[i] = rightTaken[j] = true;
            }
        }

        Remove(_left, leftTaken);
        Remove(_right, rightTaken);
        return isClear;
    }

    private static Dictionary<ulong, List<int>> Group(List<GraphParts.Part> parts, Func<GraphParts.Part, ulong> of)
    {
        var groups = new Dictionary<ulong, List<int>>();
        for (int i = 0; i < parts.Count; i++)
        {
            ulong signature = of(parts[i]);
            if (!groups.TryGetValue(signature, out List<int>? group))
            {
                groups.Add(signature, group = []);
            }

            group.Add(i);
        }

        return groups;
    }

    private static void Remove(List<GraphParts.Part> parts, bool[] isTaken)
    {
        int i = 0;
        parts.RemoveAll(_ => isTaken[i++]);
    }

    private static ulong Key(Signatures signatures, GraphParts.Part part) => part.Slot is IPairSerializer pair
        ? signatures.Compute(pair.KeyOf(part.Value!), pair.Key)
        : signatures.Compute(part.Value, part.Slot);
}
