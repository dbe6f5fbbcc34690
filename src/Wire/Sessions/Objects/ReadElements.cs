using System.Runtime.CompilerServices;
using Wire.Flat;

namespace Wire.Sessions.Objects;

/// <summary>
/// A cache for reading the elements of one collection: the bytes that stand for repeated types, each with the reader of its objects. All
/// elements are one level down the path, which is entered once.
/// </summary>
internal struct ReadElements
{
    // A byte's lowest bits select its slot.
    private const int Places = 8;

    /// <summary>The decision whether elements are tried in flat code.</summary>
    public FlatTrial Flat;

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
    /// Reads elements of cached types, up to one of another type; where the first one is, returns to the collection's level.
    /// </summary>
    /// <param name="reader">The reader, in front of the first element's tag.</param>
    /// <param name="first">The first element, a reference that can hold the objects.</param>
    /// <param name="count">The number of elements from there on.</param>
    /// <param name="index">The index of the first element.</param>
    /// <returns>The number of elements read; 0 when the type of the first one is not cached.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int Read(ref WireReader reader, ref byte first, int count, int index)
    {
        if (reader.Unread > 0)
        {
            byte tag = reader.Position;
            ref Kind kind = ref _kinds[tag % Places];
            if (kind.Tag == tag && kind.Serializer is { } serializer)
            {
                return kind.Leaf is not null && ReadLeaves(ref reader, ref first, count) is > 0 and int read ? read
                    : TryRead(ref reader, ref first, index, serializer) ? 1
                    : 0;
            }
        }

        GoBack(ref reader);
        return 0;
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

    /// <summary>Returns whether a tag may have been seen before.</summary>
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
            && (ReferenceEquals(variable, serializer.Type) || ReferenceEquals(variable, serializer.FittingVariable)
                || variable.IsAssignableFrom(serializer.Type)))
        {
            _kinds[tag % Places] = new Kind { Serializer = serializer, Leaf = serializer.Leaf, Tag = tag };
        }
    }

    // Out of line: the code for other elements needs no large stack frame.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private int ReadLeaves(ref WireReader reader, ref byte first, int count)
    {
        if (!reader.Session.ReadsFlat)
        {
            return 0;
        }

        int done = 0;
        while (done < count && reader.Unread > 0)
        {
            byte tag = reader.Position;
            ref Kind kind = ref _kinds[tag % Places];
            if (kind.Tag != tag || (kind.Code ??= kind.Leaf?.ReaderOf(count - done)) is not { } code)
            {
                break;
            }

            ref byte element = ref Unsafe.As<object?, byte>(ref Unsafe.Add(ref Unsafe.As<byte, object?>(ref first), done));
            int read = FlatType.Read(code, ref reader, ref element, count - done, kind.Serializer!, tag);
            if (read == 0)
            {
                break;
            }

            done += read;
        }

        return done;
    }

    private bool TryRead(ref WireReader reader, ref byte element, int index, ValueSerializer serializer)
    {
        MoveTo(ref reader, index);
        if (!_isInside && !TryEnter(ref reader))
        {
            GoBack(ref reader);
            return false;
        }

        reader.Advance(1);
        Unsafe.As<byte, object>(ref element) = reader.Session.ReadObjectHere(ref reader, serializer);
        return true;
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
        public FlatType? Leaf;
        public FlatElementsReader? Code;
        public byte Tag;
    }

    [InlineArray(Places)]
    private struct Kinds
    {
        private Kind _first;
    }
}
