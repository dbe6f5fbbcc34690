using Wire.Tool.Running;
using Wire.Tool.Walking;

namespace Wire.Tool.Comparing;

/// <summary>
/// Compares two payloads by their structure: types by name, members by name, elements by place, pairs by key, references by the objects
/// that they mean. Neither identifiers of types nor positions matter. No depth takes stack.
/// </summary>
/// <param name="report">What is called for each difference.</param>
internal sealed class Comparison(Action<Difference> report)
{
    private readonly Stack<NodePair> _open = new();
    private readonly Dictionary<int, int> _objects = [];
    private readonly HashSet<(int First, int Second)> _compared = [];

    /// <summary>Compares two nodes and what is inside them.</summary>
    public void Compare(PayloadNode first, PayloadNode second)
    {
        _objects.Clear();
        _compared.Clear();
        _open.Push(new NodePair(null, new(PartKind.Root, null, 0, default), first, second));
        while (_open.TryPop(out NodePair? pair))
        {
            if (pair.First is { } a && pair.Second is { } b)
            {
                Compare(pair, a, b);
            }
            else
            {
                report(new(pair.First is null ? DifferenceKind.OnlyInSecond : DifferenceKind.OnlyInFirst, pair, null));
            }
        }
    }

    private void Compare(NodePair pair, PayloadNode a, PayloadNode b)
    {
        if (a.Kind == PayloadKind.Reference || b.Kind == PayloadKind.Reference)
        {
            CompareReferences(pair, a, b);
            return;
        }

        if (a.ObjectNumber >= 0 && b.ObjectNumber >= 0)
        {
            _objects[a.ObjectNumber] = b.ObjectNumber;
        }

        if (NodeFacts.NameOf(a) is { } typeA && NodeFacts.NameOf(b) is { } typeB && typeA != typeB && !AreNumbers(a, b))
        {
            report(new(DifferenceKind.Changed, pair, $"type {typeA} -> {typeB}"));
        }

        if (a.Kind != b.Kind)
        {
            report(new(DifferenceKind.Changed, pair, null));
            return;
        }

        switch (a.Kind)
        {
            case PayloadKind.Scalar:
                if (!AreEqual(a, b))
                {
                    report(new(DifferenceKind.Changed, pair, null));
                }

                break;
            case PayloadKind.Union when a.CaseName != b.CaseName:
                report(new(DifferenceKind.Changed, pair, $"case {PlainText.Show(a.CaseName)} -> {PlainText.Show(b.CaseName)}"));
                break;
            case PayloadKind.Members or PayloadKind.Union:
                CompareMembers(pair, a, b);
                break;
            case PayloadKind.Map:
                CompareComparers(pair, a, b);
                ComparePairs(pair, a, b);
                break;
            case PayloadKind.Opaque:
                CompareBytes(pair, a, b);
                break;
            case PayloadKind.Sequence when NodeFacts.IsOfBytes(a) && NodeFacts.IsOfBytes(b):
                CompareBytes(pair, a, b);
                break;
            case PayloadKind.Set:
                CompareComparers(pair, a, b);
                CompareElements(pair, a, b);
                break;
            case PayloadKind.Array when !a.GetDimensions().SequenceEqual(b.GetDimensions()):
                report(new(DifferenceKind.Changed, pair, $"lengths {Lengths(a)} -> {Lengths(b)}"));
                break;
            case PayloadKind.Sequence or PayloadKind.Array:
                CompareElements(pair, a, b);
                break;
        }
    }

    // The same object stands in both at the same place, or one of the two payloads has no references.
    private void CompareReferences(NodePair pair, PayloadNode a, PayloadNode b)
    {
        if (a.Kind == b.Kind)
        {
            // What is no node, such as a comparer, has the same number in both.
            if (b.ObjectNumber != _objects.GetValueOrDefault(a.ObjectNumber, a.ObjectNumber))
            {
                report(new(DifferenceKind.Changed, pair, null));
            }
        }
        else if (a.Kind != PayloadKind.Null && b.Kind != PayloadKind.Null
            && a.TryGetTarget(out PayloadNode first) && b.TryGetTarget(out PayloadNode second))
        {
            // A circle in one may be a longer one in the other: each pair is compared once.
            if (_compared.Add((first.Offset, second.Offset)))
            {
                _open.Push(pair with { First = first, Second = second });
            }
        }
        else
        {
            report(new(DifferenceKind.Changed, pair, null));
        }
    }

    private void CompareMembers(NodePair pair, PayloadNode a, PayloadNode b)
    {
        var others = b.EnumerateMembers().ToDictionary(member => member.Name, member => member.Value);
        var pairs = new List<NodePair>();
        foreach (PayloadMember member in a.EnumerateMembers())
        {
            PayloadNode? other = others.Remove(member.Name, out PayloadNode value) ? value : null;
            pairs.Add(new(pair, new(PartKind.Member, member.Name, 0, default), member.Value, other));
        }

        pairs.AddRange(others.Select(more => new NodePair(pair, new(PartKind.Member, more.Key, 0, default), null, more.Value)));
        Push(pairs);
    }

    // By the text of keys that have one; of others, by place.
    private void ComparePairs(NodePair pair, PayloadNode a, PayloadNode b)
    {
        (PayloadPair Pair, int Index)[] first = [.. a.EnumeratePairs().Select((one, i) => (one, i))];
        (PayloadPair Pair, int Index)[] second = [.. b.EnumeratePairs().Select((other, i) => (other, i))];
        HashSet<string> same = [.. first.Select(one => KeyOf(one.Pair.Key, one.Index))];
        same.IntersectWith(second.Select(other => KeyOf(other.Pair.Key, other.Index)));
        string NameOf(PayloadNode key, int at) => KeyOf(key, at) is var exact && same.Contains(exact) ? exact : NumberOf(key, at);

        var others = new Dictionary<string, PayloadPair>();
        var more = new List<PayloadPair>();
        foreach ((PayloadPair other, int at) in second)
        {
            if (!others.TryAdd(NameOf(other.Key, at), other))
            {
                more.Add(other);
            }
        }

        int index = 0;
        var pairs = new List<NodePair>();
        foreach ((PayloadPair one, _) in first)
        {
            bool isThere = others.Remove(NameOf(one.Key, index), out PayloadPair other);
            if (isThere && one.Key.Kind != PayloadKind.Scalar)
            {
                pairs.Add(new(pair, new(PartKind.Key, null, index, default), one.Key, other.Key));
            }

            pairs.Add(new(pair, new(PartKind.Value, null, index++, one.Key), one.Value, isThere ? other.Value : null));
        }

        pairs.AddRange(others.Values.Concat(more).Select(
            (other, i) => new NodePair(pair, new(PartKind.Value, null, i, other.Key), null, other.Value)));
        Push(pairs);
    }

    // What begins or ends both with the same bytes is taken for the same where their numbers differ, so that one more element in the middle
    // is one difference.
    private void CompareElements(NodePair pair, PayloadNode a, PayloadNode b)
    {
        PayloadNode[] first = [.. a.EnumerateElements()];
        PayloadNode[] second = [.. b.EnumerateElements()];
        int least = Math.Min(first.Length, second.Length);
        int same = 0;
        while (first.Length != second.Length && same < least && AreSame(first[same], second[same]))
        {
            same++;
        }

        int behind = 0;
        while (first.Length != second.Length && behind < least - same && AreSame(first[^(behind + 1)], second[^(behind + 1)]))
        {
            behind++;
        }

        var pairs = new List<NodePair>();
        for (int i = 0; i < least - behind; i++)
        {
            if (!AreSameScalars(first[i], second[i]))
            {
                pairs.Add(new(pair, Element(i), first[i], second[i]));
            }
        }

        for (int i = least - behind; i < Math.Max(first.Length, second.Length) - behind; i++)
        {
            pairs.Add(first.Length > second.Length ? new(pair, Element(i), first[i], null) : new(pair, Element(i), null, second[i]));
        }

        for (int i = behind; i > 0; i--)
        {
            pairs.Add(new(pair, Element(first.Length - i), first[^i], second[^i]));
        }

        Push(pairs);
    }

    private void CompareBytes(NodePair pair, PayloadNode a, PayloadNode b)
    {
        if (!a.GetBytes().Span.SequenceEqual(b.GetBytes().Span))
        {
            report(new(DifferenceKind.Changed, pair, null));
        }
    }

    private void CompareComparers(NodePair pair, PayloadNode a, PayloadNode b)
    {
        if (a.Comparer != b.Comparer)
        {
            string texts = $"comparer {PlainText.Show(a.Comparer ?? "Default")} -> {PlainText.Show(b.Comparer ?? "Default")}";
            report(new(DifferenceKind.Changed, pair, texts));
        }
    }

    private void Push(List<NodePair> pairs)
    {
        for (int i = pairs.Count - 1; i >= 0; i--)
        {
            _open.Push(pairs[i]);
        }
    }

    // A number that is read as another type is no difference of its value.
    private static bool AreNumbers(PayloadNode a, PayloadNode b) =>
        a.Kind == PayloadKind.Scalar && b.Kind == PayloadKind.Scalar && a.Type is null && b.Type is null && IsNumber(a) && IsNumber(b);

    private static bool IsNumber(PayloadNode node) =>
        Type.GetTypeCode(node.ScalarType) is >= TypeCode.SByte and <= TypeCode.Decimal || node.ScalarType == typeof(Half);

    private static bool AreSame(PayloadNode a, PayloadNode b) => a.RawBytes.Span.SequenceEqual(b.RawBytes.Span);

    // Most elements of large collections: they take no memory.
    private static bool AreSameScalars(PayloadNode a, PayloadNode b) => a.Kind == PayloadKind.Scalar && b.Kind == PayloadKind.Scalar
        && a.Type is null && b.Type is null && a.ScalarType == b.ScalarType && AreSame(a, b);

    private static NodePart Element(int index) => new(PartKind.Element, null, index, default);

    private static bool AreEqual(PayloadNode a, PayloadNode b)
    {
        if (a.ScalarType == b.ScalarType || (IsWhole(a) && IsWhole(b)))
        {
            return a.GetText() == b.GetText();
        }

        if (!IsNumber(a) || !IsNumber(b))
        {
            return false;
        }

        // 0.1 is another number as a float than as a double.
        try
        {
            return a.GetValue<double>().Equals(b.GetValue<double>());
        }
        catch (Exception exception) when (exception is OverflowException or InvalidOperationException)
        {
            return false;
        }
    }

    // Numbers whose texts are equal where they are.
    private static bool IsWhole(PayloadNode node) => IsNumber(node)
        && node.ScalarType != typeof(float) && node.ScalarType != typeof(double) && node.ScalarType != typeof(Half);

    // Keys of two types may have one text.
    private static string KeyOf(PayloadNode key, int index) =>
        key.Kind == PayloadKind.Scalar ? $"k {key.ScalarType} {key.GetText()}" : FormattableString.Invariant($"i{index}");

    // The same number as another type, where no key is exactly that.
    private static string NumberOf(PayloadNode key, int index) =>
        key.Kind == PayloadKind.Scalar && IsWhole(key) ? $"n {key.GetText()}" : KeyOf(key, index);

    private static string Lengths(PayloadNode array) => string.Join(" x ", array.GetDimensions().Select(dimension => dimension.Length));
}
