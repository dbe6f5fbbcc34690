using System.Diagnostics.CodeAnalysis;

namespace Wire.Tool.Walking;

/// <summary>The parts of one node, one after the other.</summary>
internal abstract class Level : IDisposable
{
    private bool _isClosed;

    /// <summary>Gets the current part.</summary>
    public NodePart Part { get; private set; }

    /// <summary>Goes into a node, where it has parts that are worth it: single bytes of bytes are not.</summary>
    public static bool TryEnter(PayloadNode node, [NotNullWhen(true)] out Level? level)
    {
        level = node.Kind switch
        {
            PayloadKind.Members or PayloadKind.Union => new OfMembers(node.EnumerateMembers().GetEnumerator()),
            PayloadKind.Sequence or PayloadKind.Set or PayloadKind.Array when !NodeFacts.IsOfBytes(node) =>
                new OfElements(node.EnumerateElements().GetEnumerator()),
            PayloadKind.Map => new OfPairs(node.EnumeratePairs().GetEnumerator()),
            _ => null,
        };
        return level is not null;
    }

    /// <summary>Goes to the next part.</summary>
    public bool MoveNext(out PayloadNode node, out NodePart part)
    {
        node = default;
        if (_isClosed || !TryMove(out node, out part))
        {
            part = default;
            return false;
        }

        Part = part;
        return true;
    }

    /// <summary>Leaves out all further parts.</summary>
    public void Close() => _isClosed = true;

    public abstract void Dispose();

    protected abstract bool TryMove(out PayloadNode node, out NodePart part);

    private sealed class OfMembers(IEnumerator<PayloadMember> members) : Level
    {
        public override void Dispose() => members.Dispose();

        protected override bool TryMove(out PayloadNode node, out NodePart part)
        {
            bool moved = members.MoveNext();
            node = moved ? members.Current.Value : default;
            part = moved ? new(PartKind.Member, members.Current.Name, 0, default) : default;
            return moved;
        }
    }

    private sealed class OfElements(IEnumerator<PayloadNode> elements) : Level
    {
        private int _index;

        public override void Dispose() => elements.Dispose();

        protected override bool TryMove(out PayloadNode node, out NodePart part)
        {
            bool moved = elements.MoveNext();
            node = moved ? elements.Current : default;
            part = moved ? new(PartKind.Element, null, _index++, default) : default;
            return moved;
        }
    }

    private sealed class OfPairs(IEnumerator<PayloadPair> pairs) : Level
    {
        private int _index = -1;
        private bool _isAtKey;

        public override void Dispose() => pairs.Dispose();

        protected override bool TryMove(out PayloadNode node, out NodePart part)
        {
            if (_isAtKey)
            {
                _isAtKey = false;
                node = pairs.Current.Value;
                part = new(PartKind.Value, null, _index, pairs.Current.Key);
                return true;
            }

            _isAtKey = pairs.MoveNext();
            node = _isAtKey ? pairs.Current.Key : default;
            part = _isAtKey ? new(PartKind.Key, null, ++_index, default) : default;
            return _isAtKey;
        }
    }
}
