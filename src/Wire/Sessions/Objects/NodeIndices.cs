using Wire.Errors;

namespace Wire.Sessions.Objects;

/// <summary>
/// The indices of nodes in their linked lists. The nodes of a list are counted once, when the first of them is asked for, so that asking
/// for all takes a time proportional to their number.
/// </summary>
internal sealed class NodeIndices
{
    private const int MostKept = 1024;

    // The lists that were noted, in a table only when one of their nodes is met: few graphs have any.
    private object? _noted;

    /// <summary>Notes the state of a list: its elements and the indices of its nodes belong to one.</summary>
    /// <exception cref="InvalidOperationException">It has changed since it was noted first.</exception>
    public void Note<T>(LinkedList<T> list)
    {
        if (_noted is Dictionary<object, Known>)
        {
            Find(list);
        }
        else
        {
            var lists = (List<(object List, int Version)>)(_noted ??= new List<(object List, int Version)>());
            lists.Add((list, ListVersion.Of(list)));
        }
    }

    /// <summary>Forgets the lists at the end of a message.</summary>
    public void Clear()
    {
        if (_noted is List<(object List, int Version)> { Capacity: <= MostKept } lists)
        {
            lists.Clear();
        }
        else
        {
            _noted = null;
        }
    }

    /// <summary>Returns the index of a node in its list.</summary>
    /// <param name="node">The node.</param>
    /// <param name="list">The list.</param>
    /// <param name="counted">The number of nodes that had to be counted.</param>
    /// <exception cref="InvalidOperationException">The list has changed since it was noted first.</exception>
    public int Of<T>(LinkedListNode<T> node, LinkedList<T> list, out int counted)
    {
        Known known = Find(list);
        counted = 0;
        if (known.Indices is not { } indices)
        {
            known.Indices = indices = Changes.Taken(list, Count);
            counted = indices.Count;
        }

        return indices.TryGetValue(node, out int index) ? index : throw Changed<T>();
    }

    private static Dictionary<object, int> Count<T>(LinkedList<T> list)
    {
        var indices = new Dictionary<object, int>(ReferenceEqualityComparer.Instance);
        for (LinkedListNode<T>? next = list.First; next is not null; next = next.Next)
        {
            indices.Add(next, indices.Count);
        }

        return indices;
    }

    private static InvalidOperationException Changed<T>() => Changes.Seen(typeof(LinkedList<T>), new InvalidOperationException());

    private Known Find<T>(LinkedList<T> list)
    {
        int version = ListVersion.Of(list);
        if (_noted is not Dictionary<object, Known> lists)
        {
            lists = new(ReferenceEqualityComparer.Instance);
            (_noted as List<(object List, int Version)>)?.ForEach(noted => lists.TryAdd(noted.List, new(noted.Version)));
            _noted = lists;
        }

        if (!lists.TryGetValue(list, out Known? known))
        {
            lists.Add(list, known = new(version));
        }

        return known.Version == version ? known : throw Changed<T>();
    }

    /// <summary>The state of a list.</summary>
    /// <param name="version">Its version when it was noted.</param>
    private sealed class Known(int version)
    {
        public int Version => version;

        /// <summary>Gets or sets the indices of its nodes; null until one is asked for.</summary>
        public Dictionary<object, int>? Indices { get; set; }
    }
}
