using Wire.Format;
using Wire.Paths;
using Wire.Values;

namespace Wire;

/// <summary>
/// A view of the elements of an array, list or set in a payload, which are looked at when they are asked for. It is valid as long as the
/// memory of the payload is, and does not change. The default value is a view of null, without elements.
/// </summary>
/// <typeparam name="T">The type of the elements.</typeparam>
public readonly ref struct PayloadListView<T>
{
    // Of the list itself, whose type is of no matter here.
    private readonly PayloadView<object> _list;
    private readonly PathPlace _first;

    internal PayloadListView(ReadOnlySpan<byte> payload, scoped in PathPlace list, int first, int count)
    {
        _list = new PayloadView<object>(payload, list);
        _first = list with { At = first, Level = list.Level + 1 };
        Count = count;
    }

    /// <summary>Gets whether there is no list.</summary>
    public bool IsNull => _first.Part is null;

    /// <summary>Gets the number of elements.</summary>
    public int Count { get; }

    /// <summary>
    /// Gets a view of an element. It takes a constant time where elements are of one size, and else one that grows with the index;
    /// <c>foreach</c> goes from each element to the next.
    /// </summary>
    /// <param name="index">Its index, from 0.</param>
    /// <exception cref="ArgumentOutOfRangeException">There are not so many elements.</exception>
    /// <exception cref="WireFormatException">The bytes up to the element are damaged or exceed a limit.</exception>
    /// <exception cref="TypeRefusedException">The element names a type that is not allowed.</exception>
    public PayloadView<T> this[int index]
    {
        get
        {
            ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual((uint)index, (uint)Count, nameof(index));
            PathCursor at = Begin();
            return at.TrySkipElements(_first.Part.Shape, (uint)index, _first.Level) ? At(at, index) : Rewrite(index);
        }
    }

    /// <summary>Goes through the elements.</summary>
    public Enumerator GetEnumerator() => new(this);

    // Those of elements of one byte each.
    internal ReadOnlySpan<byte> Bytes => Count == 0 ? default
        : _first.Part.Shape.Element!.Code == Tag.Byte ? _list.Payload.Slice(_first.At, Count)
        : _list.TryReadOther(null, out byte[]? bytes) ? bytes : default;

    private PathCursor Begin() => IsNull ? default : new PathCursor(_list.Payload, _first.Types, _first.At, _first.Objects, _first.Level);

    private PayloadView<T> At(scoped in PathCursor at, int index)
    {
        var element = new PayloadView<object>(_list.Payload, _first with { At = at.At, Objects = at.Objects, Types = at.Types });
        ViewWay way = ((ViewLayout)_first.Part.Reader!).ViewOf<T>(ViewLayout.Element);
        return element.TryGo(way, out PayloadView<T> view) is not null ? view : Rewrite(index);
    }

    private PayloadView<T> Rewrite(int index) => _list.Rewrite<T>(PathStep.OfPart(index));

    /// <summary>An enumerator of views of elements.</summary>
    public ref struct Enumerator
    {
        private readonly PayloadListView<T> _list;
        private readonly Shape? _element;
        private readonly ViewWay? _way;
        private PathCursor _at;
        private int _index = -1;

        // What could not be passed over hides those behind it.
        private bool _isLost;

        internal Enumerator(PayloadListView<T> list)
        {
            _list = list;
            _element = list._first.Part?.Shape.Element;
            _way = list._first.Part is null ? null : ((ViewLayout)list._first.Part.Reader!).ViewOf<T>(ViewLayout.Element);
            _at = list.Begin();
        }

        /// <summary>Gets the view of the element.</summary>
        /// <exception cref="WireFormatException">The bytes up to the element are damaged or exceed a limit.</exception>
        /// <exception cref="TypeRefusedException">The element names a type that is not allowed.</exception>
        public readonly PayloadView<T> Current => _isLost ? _list.Rewrite(_index) : _list.At(_at, _index);

        /// <summary>Goes to the next element; false where there is none.</summary>
        public bool MoveNext()
        {
            if (_index + 1 >= _list.Count)
            {
                return false;
            }

            _isLost = _isLost || (_index >= 0 && !TryPass());
            _index++;
            return true;
        }

        // Objects go the shortest way, where one byte says what they are.
        private bool TryPass()
        {
            PathPlace place = _list._first with { At = _at.At, Objects = _at.Objects, Types = _at.Types };
            if ((_list._list.Payload[0] & PayloadHeader.References) == 0
                && _way!.Part.TryEnter(_list._list.Payload, ref place)
                && place.Part.Reader is ViewLayout { Behind: { } behind })
            {
                int at = place.At;
                if (behind.TryPass(_list._list.Payload, ref at))
                {
                    (_at.At, _at.Objects) = (at, place.Objects);
                    return true;
                }
            }

            return _at.TrySkip(_element!, _list._first.Level + 1);
        }
    }
}
