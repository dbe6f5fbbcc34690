using System.Runtime.CompilerServices;

namespace Wire.Sessions;

/// <summary>
/// The indices of nodes in their linked lists. The nodes of a list are counted once, when the first of them is asked for, so that asking
/// for all takes a time proportional to their number.
/// </summary>
internal sealed class NodeIndices
{
    // The indices of the nodes, and of the lists the numbers of changes that they had seen when they were counted. Few graphs have any.
    private Dictionary<object, int>? _known;

    /// <summary>Returns the index of a node in its list.</summary>
    /// <param name="node">The node.</param>
    /// <param name="list">The list.</param>
    /// <param name="counted">The number of nodes that had to be counted.</param>
    public int Of<T>(LinkedListNode<T> node, LinkedList<T> list, out int counted)
    {
        counted = 0;
        Dictionary<object, int> known = _known ??= new(ReferenceEqualityComparer.Instance);
        if (known.TryAdd(list, ChangesOf(list)))
        {
            for (LinkedListNode<T>? next = list.First; next is not null; next = next.Next)
            {
                known[next] = counted++;
            }
        }

        return known.GetValueOrDefault(node);
    }

    /// <summary>Says whether a list is as it was when its nodes were counted.</summary>
    public bool AreOf<T>(LinkedList<T> list) => _known![list] == ChangesOf(list);

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "version")]
    private static extern ref int ChangesOf<T>(LinkedList<T> list);
}
