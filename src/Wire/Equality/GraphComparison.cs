using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Runtime.CompilerServices;
using Wire.Contracts;
using Wire.Copying;
using Wire.Errors;
using Wire.Messages;
using Wire.Sessions;
using Wire.Types;

namespace Wire.Equality;

/// <summary>
/// One comparison of two graphs, depth first, without recursion: graphs may be as deep as they are large. Collections without an order come
/// last, when it is known which objects of the two graphs belong together.
/// </summary>
internal sealed class GraphComparison(Serializer serializer, GraphComparison? around = null)
{
    private const int ShownCharacters = 100;

    private readonly Stack<Pair> _open = new();
    private readonly Queue<(GraphParts Left, GraphParts Right, Location? Location)> _unordered = new();

    // The pairs that have been compared, or are being compared: a cycle has no end.
    private readonly HashSet<(object Left, object Right)> _seen = new(new Identities());

    // With references, an object belongs to one object of the other graph.
    private readonly Dictionary<object, object> _rightOf = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<object, object> _leftOf = new(ReferenceEqualityComparer.Instance);

    /// <summary>Returns the first difference; null when there is none.</summary>
    public GraphDifference? Run(object? left, object? right, ValueSerializer? slot = null)
    {
        _open.Push(new Pair(left, right, null, slot));
        while (true)
        {
            if (_open.TryPop(out Pair pair))
            {
                if (CompareLocated(pair) is { } difference)
                {
                    return difference;
                }
            }
            else if (_unordered.TryDequeue(out (GraphParts Left, GraphParts Right, Location? Location) next))
            {
                Put(next.Left.Items, new UnorderedParts(serializer, this).Pair(next.Left, next.Right), next.Location);
            }
            else
            {
                return null;
            }
        }
    }

    /// <summary>
    /// Says whether two values, which may be parts of the graphs, are equal, without recording which objects belong together.
    /// </summary>
    public bool WouldBeEqual(object? left, object? right, ValueSerializer slot) =>
        !RuntimeHelpers.TryEnsureSufficientExecutionStack() || new GraphComparison(serializer, this).Run(left, right, slot) is null;

    /// <summary>Returns the object that an object of the left graph has been found to belong to.</summary>
    public bool TryFindRight(object left, [NotNullWhen(true)] out object? right) =>
        _rightOf.TryGetValue(left, out right) || (around is not null && around.TryFindRight(left, out right));

    // A user's surrogate or comparer may throw.
    private GraphDifference? CompareLocated(in Pair pair)
    {
        Location? location = pair.Location;
        try
        {
            return Compare(pair);
        }
        catch (Exception e) when (IsOfUser(e, location))
        {
            throw;
        }
    }

    private bool IsOfUser(Exception exception, Location? location)
    {
        if (UserCode.IsBehind(exception))
        {
            ErrorLocation.Add(exception, () => Describe(location), null);
        }

        return false;
    }

    private string Describe(Location? location)
    {
        var steps = new List<int>();
        for (Location? current = location; current is not null; current = current.Around)
        {
            steps.Add(current.Step);
        }

        steps.Reverse();
        return GraphPath.Describe([.. steps], 0, serializer.Registry);
    }

    private GraphDifference Difference(in Pair pair, string reason) => Difference(pair.Location, reason, pair.Left, pair.Right);

    private GraphDifference Difference(Location? location, string reason, object? left, object? right) =>
        new(Describe(location), reason, left, right);

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

            if (entry.IsStandIn || other.IsStandIn)
            {
                // A sequence that can only be enumerated is written as a list.
                return CompareBytes(pair, left, right);
            }
        }

        GraphParts ours = new(), theirs = new();
        return slot.TryAddParts(ours, left) && slot.TryAddParts(theirs, right)
            ? CompareParts(pair, ours, theirs)
            : CompareBytes(pair, left, right);
    }

    private string? FindSharing(object left, object right, out bool isKnown)
    {
        isKnown = IsSeen(left, right);
        if (!serializer.Options.PreserveObjectReferences || isKnown)
        {
            _seen.Add((left, right));
            return null;
        }

        _seen.Add((left, right));
        bool isLeftKnown = TryFindRight(left, out object? known);
        return isLeftKnown
            ? ReferenceEquals(known, right) ? null
            : "the left object occurred before, and the right one is not the one that it met there"
            : IsRightTaken(right) ? "the right object occurred before, and the left one did not"
            : Record(left, right);
    }

    private string? Record(object left, object right)
    {
        _rightOf.Add(left, right);
        _leftOf.Add(right, left);
        return null;
    }

    private bool IsSeen(object left, object right) => _seen.Contains((left, right)) || (around is not null && around.IsSeen(left, right));

    private bool IsRightTaken(object right) => _leftOf.ContainsKey(right) || (around is not null && around.IsRightTaken(right));

    private GraphDifference? CompareParts(in Pair pair, GraphParts left, GraphParts right)
    {
        if (left.Form != right.Form)
        {
            return Difference(pair, $"{left.Form} and {right.Form}");
        }

        (int count, int others) = (left.Block?.Count ?? left.Items.Count, right.Block?.Count ?? right.Items.Count);
        if (count != others)
        {
            return Difference(pair, string.Create(CultureInfo.InvariantCulture, $"{count} and {others} elements"));
        }

        if (left.Block is { } numbers && numbers.FindDifference(right.Block!) is >= 0 and int at)
        {
            (object? x, object? y) = (numbers[at], right.Block![at]);
            return Difference(new Location(~at, pair.Location), $"{Text(x)} and {Text(y)}", x, y);
        }

        if (CompareComparers(left.Comparer, right.Comparer, pair.Location) is { } reason)
        {
            return Difference(pair, reason);
        }

        if (left.HashOf is null)
        {
            Put(left.Items, right.Items, pair.Location);
        }
        else
        {
            _unordered.Enqueue((left, right, pair.Location));
        }

        return null;
    }

    // The first part is compared next.
    private void Put(List<GraphParts.Part> left, List<GraphParts.Part> right, Location? location)
    {
        for (int i = left.Count - 1; i >= 0; i--)
        {
            GraphParts.Part part = left[i];
            Location? at = part.Step == GraphPath.Root ? location : new Location(part.Step, location);
            _open.Push(new Pair(part.Value, right[i].Value, at, part.Slot));
        }
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

    private GraphDifference? CompareBytes(in Pair pair, object left, object right) =>
        ReferenceEquals(left, right)
        || (left is string text && right is string other
            ? text == other
            : serializer.Serialize(left).AsSpan().SequenceEqual(serializer.Serialize(right)))
            ? null
            : Difference(pair, $"{Text(left)} and {Text(right)}");

    // ToString of a class of the program may do anything.
    private static string Text(object? value) => value switch
    {
        null => "null",
        string text => $"'{(text.Length > ShownCharacters ? text[..ShownCharacters] + "..." : text)}'",
        DateTime time => time.ToString("O", CultureInfo.InvariantCulture),
        Type or Enum or Version or Guid or bool => value.ToString()!,
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
