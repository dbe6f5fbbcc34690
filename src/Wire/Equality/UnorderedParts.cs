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

    /// <summary>Gets whether all elements have been paired.</summary>
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
        int most = mayChoose ? int.MaxValue : 0;
        bool isClear = PairBy(left.Compute, right.Compute, most, pairs);
        isClear &= PairBy(left.ComputeKey, right.ComputeKey, most, pairs);
        if (isClear)
        {
            PairBy(part => (ulong)Left.HashOf!(part.Value), part => (ulong)Right.HashOf!(part.Value), int.MaxValue, pairs);

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
        var pairs = new List<(GraphParts.Part, GraphParts.Part)>();
        PairBy(left.Compute, right.Compute, _choices, pairs);
        if (pairs.Count == 0)
        {
            PairBy(left.ComputeKey, right.ComputeKey, _choices, pairs);
        }

        _choices *= 2;
        return pairs;
    }

    // Pairs those that only one on each side is like and, where several are, so many of the first such, or all. False if some of these
    // remain.
    private bool PairBy(
        Func<GraphParts.Part, ulong> ofLeft,
        Func<GraphParts.Part, ulong> ofRight,
        int most,
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

            int alike = Math.Min(own.Count, others.Count);
            int taken = alike;
            if (own.Count > 1 || others.Count > 1)
            {
                taken = Math.Min(alike, most);
                isClear &= taken == alike;
                most = most == int.MaxValue || taken == 0 ? most : 0;
            }

            for (int i = 0; i < taken; i++)
            {
                pairs.Add((_left[own[i]], _right[others[i]]));
                leftTaken[own[i]] = rightTaken[others[i]] = true;
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
}
