using Wire.Documents;
using Wire.Format;
using Wire.Runtime;
using Wire.Values;

namespace Wire;

/// <content>Members, elements and pairs.</content>
public readonly partial struct PayloadNode
{
    /// <summary>Gets an element, by its place in the order of the payload.</summary>
    /// <remarks>Takes a constant time where all elements are of one size, and else one that grows with the index.</remarks>
    /// <param name="index">The place, from 0.</param>
    /// <exception cref="ArgumentOutOfRangeException">There is none.</exception>
    public PayloadNode this[int index]
    {
        get
        {
            Parts parts = Elements();
            ArgumentOutOfRangeException.ThrowIfNegative(index);
            ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(index, parts.Count);
            parts.GoTo(index);
            return parts.Current;
        }
    }

    /// <summary>Gets a member by its name.</summary>
    /// <exception cref="KeyNotFoundException">There is none.</exception>
    public PayloadNode this[string name] => TryGetMember(name, out PayloadNode value) ? value
        : throw new KeyNotFoundException(
            $"The object at byte {_start} has no member '{OneLine.Show(name)}'; it has " +
            $"{OneLine.Show(string.Join(", ", (Layout?.Members ?? []).Take(100).Select(member => member.Name)))}.");

    /// <summary>Finds a member of an object, or a field of a union's case.</summary>
    /// <param name="name">The name, as the payload has it.</param>
    /// <param name="value">The value.</param>
    public bool TryGetMember(string name, out PayloadNode value)
    {
        ArgumentNullException.ThrowIfNull(name);
        Parts parts = Members();
        ShapeMember[] members = Layout?.Members ?? [];
        for (int i = 0; i < members.Length; i++)
        {
            // Of a payload that ends too early the last ones are not there.
            if (members[i].Name == name && i < parts.Count)
            {
                parts.GoTo(i);
                value = parts.Current;
                return true;
            }
        }

        value = default;
        return false;
    }

    /// <summary>Finds the value of a pair by its key.</summary>
    /// <param name="key">The key: a string, or else the text of a number or of another scalar as JSON has it.</param>
    /// <param name="value">The value; the first one, where a damaged payload has a key twice.</param>
    /// <returns>False where there is no such key, or several of different types have the text.</returns>
    public bool TryGetValueOf(string key, out PayloadNode value)
    {
        ArgumentNullException.ThrowIfNull(key);
        return TryFindValue(key, isText: true, out value) || TryFindValue(key, isText: false, out value);
    }

    /// <summary>Finds the value of a pair by the text of its key.</summary>
    /// <param name="key">The text.</param>
    /// <param name="isText">True for a key that is a string, and false for others.</param>
    /// <param name="value">The value.</param>
    internal bool TryFindValue(string key, bool isText, out PayloadNode value)
    {
        Parts parts = Pairs();
        bool hasTypes = Layout!.Element!.Code == ShapeCode.Tagged;
        bool isThere = false;
        value = default;
        while (parts.MoveNext())
        {
            PayloadNode found = parts.Current;
            bool isFound = found.Kind == PayloadKind.Scalar && found.ScalarType == typeof(string) == isText && found.GetText() == key;
            parts.MoveNext();
            if (isFound && isThere)
            {
                value = default;
                return false;
            }

            if (isFound)
            {
                isThere = true;
                value = parts.Current;
                if (!hasTypes)
                {
                    break;
                }
            }
        }

        return isThere;
    }

    /// <summary>Lists the members of an object, or the fields of a union's case, in the order of the payload.</summary>
    public IEnumerable<PayloadMember> EnumerateMembers() => List(Members());

    /// <summary>Lists the elements of a sequence, set or array, in the order of the payload.</summary>
    public IEnumerable<PayloadNode> EnumerateElements() => ListElements(Elements());

    /// <summary>Lists the pairs of a map, in the order of the payload.</summary>
    public IEnumerable<PayloadPair> EnumeratePairs() => ListPairs(Pairs());

    /// <summary>Gets the lengths of an array of several dimensions, and the index at which each begins.</summary>
    public (int Length, int LowerBound)[] GetDimensions() =>
        Kind == PayloadKind.Array ? Parts.From(this).Dimensions : throw NotOf("dimensions");

    /// <summary>Finds a value inside this one.</summary>
    /// <param name="path">
    /// Names of members, with points between, and in brackets indexes of elements, and keys of maps or names with other characters in
    /// quotes: <c>Lines[2].Price</c>, <c>Prices["apple"]</c>, <c>["name@Class"]</c>. A number in brackets is a key where a map is: where
    /// keys of several types have its text, none is found. In quotes, <c>\"</c> and <c>\\</c> stand for a quote and a backslash.
    /// References are followed. Empty is the node itself.
    /// </param>
    /// <param name="node">The value.</param>
    /// <returns>False where there is no such value.</returns>
    /// <exception cref="FormatException">The path is none.</exception>
    public bool TryGet(string path, out PayloadNode node)
    {
        ArgumentNullException.ThrowIfNull(path);
        node = this;
        foreach (PathStep step in PathStep.Parse(path))
        {
            if (!node.TryGetTarget(out PayloadNode target) || !TryTake(target, step, out node))
            {
                return false;
            }
        }

        return true;
    }

    private static bool TryTake(in PayloadNode from, PathStep step, out PayloadNode node)
    {
        node = default;
        switch (from.Kind)
        {
            case PayloadKind.Members or PayloadKind.Union:
                return step.IsName && from.TryGetMember(step.Text, out node);
            case PayloadKind.Map:
                // Of quoted keys a string comes first, and of others last.
                return step.IsInBrackets && (from.TryFindValue(step.Text, isText: step.IsQuoted, out node)
                    || from.TryFindValue(step.Text, isText: !step.IsQuoted, out node));
            case PayloadKind.Sequence or PayloadKind.Set or PayloadKind.Array:
                int index = step.Index;
                if (index < 0 || index >= from.Count)
                {
                    return false;
                }

                node = from[index];
                return true;
            default:
                return false;
        }
    }

    private static IEnumerable<PayloadMember> List(Parts parts)
    {
        while (parts.MoveNext())
        {
            yield return new(parts.Name, parts.Current);
        }
    }

    private static IEnumerable<PayloadNode> ListElements(Parts parts)
    {
        while (parts.MoveNext())
        {
            yield return parts.Current;
        }
    }

    private static IEnumerable<PayloadPair> ListPairs(Parts parts)
    {
        while (parts.MoveNext())
        {
            PayloadNode key = parts.Current;
            parts.MoveNext();
            yield return new(key, parts.Current);
        }
    }

    private Parts Members() => Kind is PayloadKind.Members or PayloadKind.Union ? Parts.From(this) : throw NotOf("members");

    private Parts Elements() =>
        Kind is PayloadKind.Sequence or PayloadKind.Set or PayloadKind.Array ? Parts.From(this) : throw NotOf("elements");

    private Parts Pairs() => Kind == PayloadKind.Map ? Parts.From(this) : throw NotOf("pairs");
}
