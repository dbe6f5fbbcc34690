using System.Runtime.CompilerServices;

namespace Wire.Sessions;

/// <summary>
/// A cache for reading the elements of one collection: the bytes that stand for repeated types, each with the reader of its objects. All
/// elements are one level down the path, which is entered once.
/// </summary>
internal struct ReadElements
{
    // A byte's lowest bits select its slot.
    private const int Places = 8;

    private Kinds _kinds;

    // A bit per tag, or per group of tags, that has been seen once: a type is added only when it is repeated.
    private ulong _seen;
    private bool _isInside;
    private bool _needsFreshStack;

    /// <summary>Moves to an element. Parts that enter no level may be read before its object.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly void MoveTo(ref WireReader reader, int index)
    {
        if (_isInside)
        {
            reader.Session.Path.MoveTo(~index);
        }
        else
        {
            reader.Member = ~index;
        }
    }

    /// <summary>
    /// Finds the reader of the object after a tag; null, with the path back on the collection's level, when it is unknown.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ValueSerializer? Find(ref WireReader reader, byte tag)
    {
        ref Kind kind = ref _kinds[tag % Places];
        if (kind.Tag == tag && kind.Serializer is { } serializer && (_isInside || TryEnter(ref reader)))
        {
            return serializer;
        }

        GoBack(ref reader);
        return null;
    }

    /// <summary>Returns to the collection's level, to read the next part of the element.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void GoBack(ref WireReader reader)
    {
        if (_isInside)
        {
            reader.Member = reader.Session.Path.Exit();
            _isInside = false;
        }
    }

    /// <summary>Says whether a tag may have been seen before.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool MayRepeat(byte tag)
    {
        ulong bit = 1UL << tag;
        bool again = (_seen & bit) != 0;
        _seen |= bit;
        return again;
    }

    /// <summary>Records the reader of the object after a tag.</summary>
    /// <param name="tag">The tag.</param>
    /// <param name="serializer">The reader of the object.</param>
    /// <param name="variable">The type of the variables that hold the elements.</param>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public void Add(byte tag, ValueSerializer serializer, Type variable)
    {
        if (!_needsFreshStack && serializer.BodyReader is not null
            && (ReferenceEquals(variable, serializer.Type) || variable.IsAssignableFrom(serializer.Type)))
        {
            _kinds[tag % Places] = new Kind { Serializer = serializer, Tag = tag };
        }
    }

    // Out of line: usually called once per collection.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool TryEnter(ref WireReader reader)
    {
        GraphPath path = reader.Session.Path;
        if (!path.Enter(reader.Member))
        {
            // Each element gets its own fresh stack.
            path.Exit();
            _needsFreshStack = true;
            _kinds = default;
            return false;
        }

        reader.Member = GraphPath.Root;
        return _isInside = true;
    }

    private struct Kind
    {
        public ValueSerializer? Serializer;
        public byte Tag;
    }

    [InlineArray(Places)]
    private struct Kinds
    {
        private Kind _first;
    }
}
