using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Wire.Flat;
using Wire.Runtime;
using Wire.Types;

namespace Wire.Sessions.Objects;

/// <summary>
/// A cache for writing the elements of one collection: the repeated runtime types, each with its byte and its compiled code. All elements
/// are one level down the path, which is entered once.
/// </summary>
internal struct WrittenElements
{
    private const int MaxKinds = 8;

    /// <summary>The decision whether elements are tried in flat code.</summary>
    public FlatTrial Flat;

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

    /// <summary>
    /// Writes elements of cached types, up to one of another type; where the first one is, returns to the collection's level.
    /// </summary>
    /// <param name="writer">The writer.</param>
    /// <param name="first">The first element, a reference to an object.</param>
    /// <param name="count">The number of elements from there on.</param>
    /// <param name="index">The index of the first element.</param>
    /// <returns>The number of elements written; 0 when the type of the first one is not cached.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int Write(ref WireWriter writer, ref byte first, int count, int index)
    {
        ref Kind kind = ref Find(Unsafe.As<byte, object?>(ref first));
        if (Unsafe.IsNullRef(ref kind))
        {
            GoBack(ref writer);
            return 0;
        }

        return kind.Leaf is not null && WriteLeaves(ref writer, ref first, count) is > 0 and int written ? written
            : TryWrite(ref writer, Unsafe.As<byte, object>(ref first), index, ref kind) ? 1
            : 0;
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

    /// <summary>Returns whether an object of this type may have been written before.</summary>
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
            _kinds[_count++] = new Kind { Type = TypeIdentity.Get(type), Serializer = serializer, Leaf = serializer.Leaf, Tag = tag };
        }
    }

    // Out of line: the code for other elements needs no large stack frame. None of these defines a type.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private int WriteLeaves(ref WireWriter writer, ref byte first, int count)
    {
        SerializerSession session = writer.Session;
        if (!session.WritesFlat || session.Types.Count != _told)
        {
            return 0;
        }

        int done = 0;
        while (done < count)
        {
            ref object? element = ref Unsafe.Add(ref Unsafe.As<byte, object?>(ref first), done);
            ref Kind kind = ref Find(element);
            if (Unsafe.IsNullRef(ref kind) || (kind.Code ??= kind.Leaf?.WriterOf(count - done)) is not { } code)
            {
                break;
            }

            int written = FlatType.Write(
                code, ref writer, ref Unsafe.As<object?, byte>(ref element), count - done, kind.Serializer, kind.Tag);
            if (written == 0)
            {
                break;
            }

            done += written;
        }

        return done;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    [UnscopedRef]
    private ref Kind Find(object? value)
    {
        if (value is not null)
        {
            nint type = TypeIdentity.Get(value);
            for (int i = 0; i < _count; i++)
            {
                if (_kinds[i].Type == type)
                {
                    return ref _kinds[i];
                }
            }
        }

        return ref Unsafe.NullRef<Kind>();
    }

    private bool TryWrite(ref WireWriter writer, object value, int index, ref readonly Kind kind)
    {
        SerializerSession session = writer.Session;
        MoveTo(ref writer, index);
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
        public FlatType? Leaf;
        public FlatElementsWriter? Code;
        public byte Tag;
    }

    [InlineArray(MaxKinds)]
    private struct Kinds
    {
        private Kind _first;
    }
}
