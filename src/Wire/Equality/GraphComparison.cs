using System.Globalization;
using System.Runtime.CompilerServices;
using Wire.Copying;
using Wire.Errors;
using Wire.Sessions;
using Wire.Sessions.Objects;
using Wire.Slots;
using Wire.Types;
using Wire.Unknown;
using Wire.Values;

namespace Wire.Equality;

/// <summary>
/// One comparison of two graphs, depth first, without recursion: graphs may be as deep as they are large. Collections without an order come
/// last, when it is known which objects of the two graphs belong together.
/// </summary>
internal sealed class GraphComparison(Serializer serializer)
{
    private const int ShownCharacters = 100;

    // Without references.
    private static readonly Dictionary<object, int> NoNumbers = [];

    // Most elements differ within a few levels. More are looked at where that does not tell them apart.
    private const int Shallow = 6;
    private const int Deep = 64;

    private readonly Stack<Pair> _open = new();
    private readonly Queue<(UnorderedParts Parts, int Known)> _unordered = new();

    // The pairs that have been compared, or are being compared: a cycle has no end.
    private readonly HashSet<(object Left, object Right)> _seen = new(new Identities());

    // With references, an object belongs to one object of the other graph: the pair has a number.
    private readonly Dictionary<object, int> _leftNumbers = NewNumbers(serializer);
    private readonly Dictionary<object, int> _rightNumbers = NewNumbers(serializer);

    private readonly NodeIndices _nodes = new();

    // Of the pair that is being compared: others have them next, unless an unordered collection keeps them.
    private (GraphParts Left, GraphParts Right)? _parts;

    private bool _hasUnknown;

    private bool CountsSharing => serializer.Options.PreserveObjectReferences;

    /// <summary>Finds the first difference of two graphs; null when there is none.</summary>
    public static GraphDifference? Find(Serializer serializer, object? left, object? right)
    {
        var comparison = new GraphComparison(serializer);
        GraphDifference? difference = comparison.Run(left, right);
        return difference is not null && comparison._hasUnknown && AreWrittenAlike(serializer, left, right) ? null : difference;
    }

    private static Dictionary<object, int> NewNumbers(Serializer serializer) =>
        serializer.Options.PreserveObjectReferences ? new(ReferenceEqualityComparer.Instance) : NoNumbers;

    // What is written of an unknown member does not tell whether the program has made an object of what is in it: that depends on what else
    // was in the payload. The copies are read from the same.
    private static bool AreWrittenAlike(Serializer serializer, object? left, object? right)
    {
        try
        {
            return new GraphComparison(serializer).Run(serializer.CloneByBytes(left), serializer.CloneByBytes(right)) is null;
        }
        catch (ObjectGraphException)
        {
            // A graph that cannot be written, because an object in it has lost its place, differs as it stands.
            return false;
        }
    }

    /// <summary>Returns the first difference; null when there is none.</summary>
    private GraphDifference? Run(object? left, object? right)
    {
        _open.Push(new Pair(left, right, null, null));
        Location? location = null;
        try
        {
            while (true)
            {
                if (_open.TryPop(out Pair pair))
                {
                    location = pair.Location;
                    if (Compare(pair) is { } difference)
                    {
                        return difference;
                    }
                }
                else if (_unordered.TryDequeue(out (UnorderedParts Parts, int Known) next))
                {
                    location = next.Parts.Location;
                    PairUnordered(next.Parts, next.Known);
                }
                else
                {
                    return null;
                }
            }
        }
        catch (Exception e) when (IsOfUser(e, location))
        {
            throw;
        }
    }

    // Elements that cannot be told apart wait until more is known of what is shared with them; if nothing is, one of them is chosen.
    private void PairUnordered(UnorderedParts parts, int known)
    {
        bool isStuck = known == _leftNumbers.Count;
        int depth = isStuck ? Deep : Shallow;
        var left = new Signatures(serializer, _leftNumbers, _nodes, depth);
        var right = new Signatures(serializer, _rightNumbers, _nodes, depth);
        Put(parts.Pair(left, right, mayChoose: isStuck && !CountsSharing), parts.Location);
        _hasUnknown |= left.HasUnknown || right.HasUnknown;
        if (isStuck && !parts.IsEmpty && _open.Count == 0)
        {
            Put(parts.Choose(left, right), parts.Location);
        }

        if (!parts.IsEmpty)
        {
            _unordered.Enqueue((parts, _leftNumbers.Count));
        }
    }

    // A user's surrogate or comparer may throw.
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
        new(Describe(location), reason, left is UnknownObject ? null : left, right is UnknownObject ? null : right);

    // Adds the parts of values that are alike so far to what is open.
    private GraphDifference? Compare(in Pair pair)
    {
        (object? left, object? right, _, ValueSerializer? slot) = pair;
        if (left is UnknownTypeManifest || right is UnknownTypeManifest)
        {
            _hasUnknown = true;
            return Equals(left, right) ? null : Difference(pair.Location, "they have unknown members of other types", null, null);
        }

        if (left is null || right is null)
        {
            return left is null && right is null ? null : Difference(pair, $"{Text(left)} and {Text(right)}");
        }

        if (left is UnknownObject || right is UnknownObject)
        {
            if (left is not UnknownObject ours || right is not UnknownObject theirs)
            {
                return Difference(pair, $"{Text(left)} and {Text(right)}");
            }

            if (FindSharing(ours.Identity, theirs.Identity, out bool isKnown) is { } sharing)
            {
                return Difference(pair, sharing);
            }

            if (isKnown)
            {
                return null;
            }
        }
        else if (slot is null or IObjectSlot)
        {
            TypeEntry entry = serializer.Registry.EntryFor(left), other = serializer.Registry.EntryFor(right);
            if (entry.Type != other.Type)
            {
                return Difference(pair, $"the types are {left.GetType()} and {right.GetType()}");
            }

            slot = entry.Serializer;
            if (entry.IsTracked)
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

        (GraphParts leftParts, GraphParts rightParts) = _parts ??= (new(_nodes), new(_nodes));
        leftParts.Clear();
        rightParts.Clear();
        return slot!.TryAddParts(leftParts, left) && slot.TryAddParts(rightParts, right)
            ? CompareParts(pair, leftParts, rightParts)
            : CompareBytes(pair, left, right);
    }

    private string? FindSharing(object left, object right, out bool isKnown)
    {
        isKnown = !_seen.Add((left, right));
        if (!CountsSharing || isKnown)
        {
            return null;
        }

        if (_leftNumbers.ContainsKey(left))
        {
            return "the left object occurred before, and the right one is not the one that it met there";
        }

        int number = _leftNumbers.Count;
        if (!_rightNumbers.TryAdd(right, number))
        {
            return "the right object occurred before, and the left one did not";
        }

        _leftNumbers.Add(left, number);
        return null;
    }

    private GraphDifference? CompareParts(in Pair pair, GraphParts left, GraphParts right)
    {
        if (left.Value != right.Value)
        {
            return Difference(pair, $"{Text(pair.Left)} and {Text(pair.Right)}");
        }

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

        if (left.HashOf is null || count <= 1)
        {
            for (int i = left.Items.Count - 1; i >= 0; i--)
            {
                Put(left.Items[i], right.Items[i], pair.Location);
            }
        }
        else
        {
            _unordered.Enqueue((new UnorderedParts(left, right, pair.Location), -1));
            _parts = null;
        }

        return null;
    }

    // The first pair is compared next.
    private void Put(List<(GraphParts.Part Left, GraphParts.Part Right)> pairs, Location? location)
    {
        for (int i = pairs.Count - 1; i >= 0; i--)
        {
            Put(pairs[i].Left, pairs[i].Right, location);
        }
    }

    private void Put(GraphParts.Part left, GraphParts.Part right, Location? location)
    {
        Location? at = left.Step == GraphPath.Root ? location : new Location(left.Step, location);
        _open.Push(new Pair(left.Value, right.Value, at, left.Slot));
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

    // An enum in a field of .NET's may be one that no payload names.
    private GraphDifference? CompareBytes(in Pair pair, object left, object right) =>
        ReferenceEquals(left, right)
        || (left is string text && right is string other
            ? text == other
            : left is Enum && left.GetType() == right.GetType()
            ? left.Equals(right)
            : serializer.SerializePart(left).AsSpan().SequenceEqual(serializer.SerializePart(right)))
            ? null
            : Difference(pair, $"{Text(left)} and {Text(right)}");

    // ToString of a class of the program may do anything.
    private static string Text(object? value) => value switch
    {
        null => "null",
        string text => $"'{(text.Length > ShownCharacters ? text[..ShownCharacters] + "..." : text)}'",
        DateTime time => time.ToString("O", CultureInfo.InvariantCulture),
        UnknownObject => "an object that the program does not know",
        Type or Enum or Version or Guid or bool => value.ToString()!,
        IFormattable number when value.GetType().Assembly == typeof(int).Assembly => number.ToString(null, CultureInfo.InvariantCulture),
        _ => $"a {value.GetType()}",
    };

    private readonly record struct Pair(object? Left, object? Right, Location? Location, ValueSerializer? Slot);

    private sealed class Identities : IEqualityComparer<(object Left, object Right)>
    {
        public bool Equals((object Left, object Right) x, (object Left, object Right) y) =>
            ReferenceEquals(x.Left, y.Left) && ReferenceEquals(x.Right, y.Right);

        public int GetHashCode((object Left, object Right) pair) =>
            HashCode.Combine(RuntimeHelpers.GetHashCode(pair.Left), RuntimeHelpers.GetHashCode(pair.Right));
    }
}
