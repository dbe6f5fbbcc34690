using System.Runtime.CompilerServices;

namespace Wire.Sessions;

/// <summary>
/// The memory of a reader that goes through the elements of one collection: the bytes that stand for types that come again, each with what
/// reads its objects. These are all one level down the path, which is entered once.
/// </summary>
internal struct ReadElements
{
    // A byte has its place by its lowest bits.
    private const int Places = 8;

    private Kinds _kinds;

    // A bit for each tag that has come once, and maybe for another one: to add what never comes again would be in vain.
    private ulong _seen;
    private bool _isInside;
    private bool _needsFreshStack;

    /// <summary>Moves on to an element. Before an object of it, parts may be read that enter no level.</summary>
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

    /// <summary>Finds what reads the object behind a tag; null, back on the collection's own level, when it is not known.</summary>
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

    /// <summary>Goes back to the collection's own level, where the next part of the element is read.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void GoBack(ref WireReader reader)
    {
        if (_isInside)
        {
            reader.Member = reader.Session.Path.Exit();
            _isInside = false;
        }
    }

    /// <summary>Says whether a tag may have come before.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool MayRepeat(byte tag)
    {
        ulong bit = 1UL << tag;
        bool again = (_seen & bit) != 0;
        _seen |= bit;
        return again;
    }

    /// <summary>Takes note of what has just read the object behind a tag.</summary>
    /// <param name="tag">The tag.</param>
    /// <param name="serializer">What has read it.</param>
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

    // Out of line: once per collection, as a rule.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool TryEnter(ref WireReader reader)
    {
        GraphPath path = reader.Session.Path;
        if (!path.Enter(reader.Member))
        {
            // Each element gets a fresh stack of its own.
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
