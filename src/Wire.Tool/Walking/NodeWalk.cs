namespace Wire.Tool.Walking;

/// <summary>
/// Goes through a node and all nodes inside it, each before those inside it, in the order of the payload. No depth takes stack. References
/// are not followed.
/// </summary>
internal sealed class NodeWalk
{
    private readonly List<Level> _levels = [];
    private bool _enters;

    /// <summary>Begins before a node.</summary>
    public NodeWalk(PayloadNode root)
    {
        Node = root;
        Part = new NodePart(PartKind.Root, null, 0, default);
        Depth = -1;
    }

    /// <summary>Gets the current node.</summary>
    public PayloadNode Node { get; private set; }

    /// <summary>Gets its part of the node around it.</summary>
    public NodePart Part { get; private set; }

    /// <summary>Gets the number of nodes around it.</summary>
    public int Depth { get; private set; }

    /// <summary>Goes to the next node.</summary>
    public bool MoveNext()
    {
        if (Depth < 0)
        {
            Depth = 0;
            _enters = true;
            return true;
        }

        if (_enters && Level.TryEnter(Node, out Level? inside))
        {
            _levels.Add(inside);
        }

        _enters = true;
        while (_levels.Count > 0)
        {
            Level level = _levels[^1];
            if (level.MoveNext(out PayloadNode node, out NodePart part))
            {
                (Node, Part, Depth) = (node, part, _levels.Count);
                return true;
            }

            level.Dispose();
            _levels.RemoveAt(_levels.Count - 1);
        }

        return false;
    }

    /// <summary>Leaves out what is inside the current node.</summary>
    public void Skip() => _enters = false;

    /// <summary>Leaves out what is behind the current node in the one around it, and inside the current one.</summary>
    public void SkipBehind()
    {
        _enters = false;
        if (_levels.Count > 0)
        {
            _levels[^1].Close();
        }
    }

    /// <summary>Returns the path from the first node to the current one, plain. A long one has three dots in its middle.</summary>
    public string DescribePath()
    {
        IEnumerable<NodePart> last = Enumerable.Range(1, _levels.Count).Select(i => _levels[^i].Part);
        return PathText.Describe(_levels.Select(level => level.Part), last, _levels.Count);
    }
}
