using System.Runtime.CompilerServices;
using Wire.Types;

namespace Wire.Sessions;

/// <summary>
/// The memory of a writer that goes through the elements of one collection: the runtime types that come again, each with the byte that
/// stands for it and its compiled code. Their objects are all one level down the path, which is entered once.
/// </summary>
internal struct WrittenElements
{
    private const int MaxKinds = 8;

    private Kinds _kinds;
    private int _count;

    // A bit for each type that has come once, and maybe for another one: to add what never comes again would be in vain.
    private ulong _seen;

    // The number of types that the reader knew when the kinds were added: with one more, a byte may be another.
    private int _told;
    private bool _isInside;
    private bool _needsFreshStack;

    /// <summary>Moves on to an element. Before an object of it, parts may be written that enter no level.</summary>
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

    /// <summary>Writes the object of the current element, when its type is known; else goes back to the collection's own level.</summary>
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

    /// <summary>Goes back to the collection's own level, where the next part of the element is written.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void GoBack(ref WireWriter writer)
    {
        if (_isInside)
        {
            writer.Member = writer.Session.Path.Exit();
            _isInside = false;
        }
    }

    /// <summary>Says whether an object of this type may have come before.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool MayRepeat(object value)
    {
        ulong bit = 1UL << (int)(TypeIdentity.Get(value) >> 4);
        bool again = (_seen & bit) != 0;
        _seen |= bit;
        return again;
    }

    /// <summary>Takes note of the type of an element that has just been written.</summary>
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
            // What goes wrong from here on is no member's fault.
            writer.Member = GraphPath.Root;
        }

        return true;
    }

    // Out of line: once per collection, as a rule.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool TryEnter(ref WireWriter writer)
    {
        GraphPath path = writer.Session.Path;
        if (!path.Enter(writer.Member))
        {
            // Each element gets a fresh stack of its own.
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
