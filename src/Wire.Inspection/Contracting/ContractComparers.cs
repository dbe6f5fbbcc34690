namespace Wire.Contracting;

/// <summary>The comparers that maps and sets take, by the words of their types: a payload has the comparer of what was written.</summary>
internal static class ContractComparers
{
    // Of what is not here, and of interfaces, it is the first.
    private static readonly Dictionary<string, Kind> Kinds = new(StringComparer.Ordinal)
    {
        ["SortedDictionary"] = Kind.Order,
        ["SortedList"] = Kind.Order,
        ["SortedSet"] = Kind.Order,
        ["System.Collections.Immutable.ImmutableSortedDictionary"] = Kind.Order,
        ["System.Collections.Immutable.ImmutableSortedSet"] = Kind.Order,
        ["PriorityQueue"] = Kind.OrderOfPriorities,
        ["System.Collections.Hashtable"] = Kind.UntypedEquality,
        ["System.Collections.Specialized.HybridDictionary"] = Kind.UntypedEquality,
        ["System.Collections.Specialized.NameValueCollection"] = Kind.UntypedEquality,
        ["System.Collections.Specialized.OrderedDictionary"] = Kind.UntypedEquality,
        ["System.Collections.SortedList"] = Kind.UntypedOrder,
        ["System.Collections.Specialized.ListDictionary"] = Kind.UntypedOrder,
        ["System.Collections.Specialized.StringDictionary"] = Kind.None,
        ["System.Dynamic.ExpandoObject"] = Kind.None,
    };

    private enum Kind
    {
        Equality,
        Order,
        OrderOfPriorities,
        UntypedEquality,
        UntypedOrder,
        None,
    }

    /// <summary>Returns whether each comparer that a collection may have is one for another collection.</summary>
    public static bool AreTaken(string written, string own) =>
        KindOf(written) is var kind && (kind == Kind.None || kind == KindOf(own));

    private static Kind KindOf(string type) =>
        Kinds.GetValueOrDefault(type.IndexOf('<', StringComparison.Ordinal) is > 0 and var at ? type[..at] : type);
}
