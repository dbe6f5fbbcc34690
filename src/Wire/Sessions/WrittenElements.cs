using System.Runtime.CompilerServices;
using Wire.Types;

namespace Wire.Sessions;

/// <summary>
/// A cache for writing the elements of one collection: the repeated runtime types, each with its byte and its compiled code. All elements
/// are one level down the path, which is entered once.
/// </summary>
internal struct WrittenElements
{
    private const int MaxKinds = 8;

    private Kinds _kinds;
    private int _count;

    // A bit per type, or per group of types, that has been seen once: a type is added only when it is repeated.
    private ulong _seen;

    // The number of types that the reader knew when the entries were added: with one more, their bytes may change.
    private int _told;
    private bool _isInside;
    private bool _needsFreshStack;

    /// <summary>Moves to an element. Parts that enter no level may be written before its object.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly void MoveTo(ref WireWriter writer, int index)
    {
        if (_isInside)
        {
            writer.Session.Path.MoveTo(~index);
        }
        else
        {
            writer.Member = ~index;
        }
    }

    /// <summary>Writes the object of the current element, if its type is cached; otherwise returns to the collection's level.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryWrite(ref WireWriter writer, object value)
    {
        nint type = TypeIdentity.Get(value);
        for (int i = 0; i < _count; i++)
        {
            if (_kinds[i].Type == type)
            {
                return TryWrite(ref writer, value, ref _kinds[i]);
            }
        }

        GoBack(ref writer);
        return false;
    }

    /// <summary>Returns to the collection's level, to write the next part of the element.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void GoBack(ref WireWriter writer)
    {
        if (_isInside)
        {
            writer.Member = writer.Session.Path.Exit();
            _isInside = false;
        }
    }

    /// <summary>Says whether an object of this type may have been written before.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool MayRepeat(object value)
    {
        ulong bit = 1UL << (int)(TypeIdentity.Get(value) >> 4);
        bool again = (_seen & bit) != 0;
        _seen |= bit;
        return again;
    }

    /// <summary>Records the type of an element that has just been written.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public void Add(ref WireWriter writer, Type type, TypeEntry entry, Type declared)
    {
        WrittenTypes types = writer.Session.Types;
        if (_told != types.Count)
        {
            _count = 0;
            _told = types.Count;
        }

        ValueSerializer serializer = entry.Serializer;
        if (_count < MaxKinds && !_needsFreshStack && serializer.BodyWriter is not null
            && (ReferenceEquals(type, serializer.Type) || serializer.Type.IsAssignableFrom(type))
            && types.TryGetTag(entry, declared, out byte tag))
        {
            _kinds[_count++] = new Kind { Type = TypeIdentity.Get(type), Serializer = serializer, Tag = tag };
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool TryWrite(ref WireWriter writer, object value, ref readonly Kind kind)
    {
        SerializerSession session = writer.Session;
        if (session.Types.Count != _told || !(_isInside || TryEnter(ref writer)))
        {
            GoBack(ref writer);
            return false;
        }

        if (!session.TracksReferences || !session.Objects.WriteReference(ref writer, value))
        {
            session.Costs.TakeObject(ref writer, kind.Serializer);
            writer.WriteByte(kind.Tag);
            kind.Serializer.BodyWriter!(ref writer, value);
            // Errors from here on belong to no member.
            writer.Member = GraphPath.Root;
        }

        return true;
    }

    // Out of line: usually called once per collection.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool TryEnter(ref WireWriter writer)
    {
        GraphPath path = writer.Session.Path;
        if (!path.Enter(writer.Member))
        {
            // Each element gets its own fresh stack.
            path.Exit();
            _needsFreshStack = true;
            _count = 0;
            return false;
        }

        writer.Member = GraphPath.Root;
        return _isInside = true;
    }

    private struct Kind
    {
        public nint Type;
        public ValueSerializer Serializer;
        public byte Tag;
    }

    [InlineArray(MaxKinds)]
    private struct Kinds
    {
        private Kind _first;
    }
}
