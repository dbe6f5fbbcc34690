using System.Text;
using Wire.Format;
using Wire.Paths;
using Wire.Values;

namespace Wire;

/// <summary>
/// A view of the pairs of a dictionary in a payload, which are looked at when they are asked for. It is valid as long as the memory of the
/// payload is, and does not change. The default value is a view of null, without pairs.
/// </summary>
/// <typeparam name="TKey">The type of the keys.</typeparam>
/// <typeparam name="TValue">The type of the values.</typeparam>
public readonly ref struct PayloadDictionaryView<TKey, TValue>
    where TKey : notnull
{
    // Of the dictionary itself, whose type is of no matter here.
    private readonly PayloadView<object> _map;
    private readonly PathPlace _first;
    private readonly byte _comparer;

    internal PayloadDictionaryView(ReadOnlySpan<byte> payload, scoped in PathPlace map, byte comparer, int first, int count)
    {
        _map = new PayloadView<object>(payload, map);
        _first = map with { At = first, Level = map.Level + 1 };
        _comparer = comparer;
        Count = count;
    }

    /// <summary>Gets whether there is no dictionary.</summary>
    public bool IsNull => _first.Part is null;

    /// <summary>Gets the number of pairs.</summary>
    public int Count { get; }

    /// <summary>
    /// Finds the value of a key, by the comparer of the dictionary. It takes a time that grows with the number of pairs: there is no table
    /// of keys in a payload.
    /// </summary>
    /// <param name="key">The key.</param>
    /// <param name="value">The view of the value; one of null where there is none.</param>
    /// <returns>False where there is no such key.</returns>
    /// <exception cref="WireFormatException">The bytes up to the value are damaged or exceed a limit.</exception>
    /// <exception cref="TypeRefusedException">A key or the value names a type that is not allowed.</exception>
    public bool TryGetValue(TKey key, out PayloadView<TValue> value)
    {
        ArgumentNullException.ThrowIfNull(key);
        value = default;
        if (Count == 0)
        {
            return false;
        }

        // Comparers that are not of keys alone, or not known here, are the dictionary's own.
        if (_comparer != ComparerCode.Default && !(key is string && _comparer == ComparerCode.Ordinal))
        {
            return TryGetOther(key, out value);
        }

        ViewWay way = ((ViewLayout)_first.Part.Reader!).ValueOf<TKey>(ViewLayout.Key);
        Shape map = _first.Part.Shape;
        string? text = map.Element!.Code == Tag.String ? key as string : null;
        Span<byte> narrow = stackalloc byte[StringFormat.MaxUncounted];
        ReadOnlySpan<byte> latin1 = text is null ? default : NarrowOf(text, narrow);
        PathCursor at = Begin();
        for (int i = 0; i < Count; i++)
        {
            if ((text is null ? IsKey(ref at, way, key) : IsText(ref at, text, latin1)) is not { } isKey)
            {
                return TryGetOther(key, out value);
            }

            if (isKey)
            {
                value = At<TValue>(at, ViewLayout.Element, (2 * i) + 1);
                return true;
            }

            if (!at.TrySkip(map.Value!, _first.Level + 1))
            {
                return TryGetOther(key, out value);
            }
        }

        return false;
    }

    /// <summary>Goes through the pairs, in the order of the payload.</summary>
    public Enumerator GetEnumerator() => new(this);

    private PathCursor Begin() => IsNull ? default : new PathCursor(_map.Payload, _first.Types, _first.At, _first.Objects, _first.Level);

    private PathPlace PlaceAt(scoped in PathCursor at) => _first with { At = at.At, Objects = at.Objects, Types = at.Types };

    // The characters as payloads have them; empty for a key that is long, or has others than Latin-1.
    private static ReadOnlySpan<byte> NarrowOf(string key, Span<byte> narrow) =>
        key.Length <= narrow.Length && !key.AsSpan().ContainsAnyExceptInRange('\0', '\u00FF')
            ? narrow[..Encoding.Latin1.GetBytes(key, narrow)]
            : default;

    // Passes over a key. Null where that is left to the general way.
    private bool? IsText(ref PathCursor at, string key, scoped ReadOnlySpan<byte> latin1)
    {
        if (!PayloadText.TryRead(_map.Payload[at.At..], out PayloadText text, out int length) || text.IsNull
            || text.Length > StringFormat.MaxUncounted)
        {
            return null;
        }

        at.At += length;
        return text.IsLatin1 && latin1.Length == key.Length ? text.Bytes.SequenceEqual(latin1) : text.Equals(key);
    }

    private bool? IsKey(ref PathCursor at, ViewWay way, TKey key)
    {
        PathPlace begin = PlaceAt(at), place = begin with { Part = way.Part };
        PathOutcome outcome = way.Part.IsPlain ? PathOutcome.Found : begin.Find(_map.Payload, way.Part, way.Compiler, out place);
        return place.TryEnd(outcome, _map.Payload, out TKey? there) == true && at.TrySkip(_first.Part.Shape.Element!, _first.Level + 1)
            ? EqualityComparer<TKey>.Default.Equals(key, there)
            : null;
    }

    private bool TryGetOther(TKey key, out PayloadView<TValue> value)
    {
        value = default;
        if (!_map.TryReadOther(null, out Dictionary<TKey, TValue>? read) || read is null || !read.TryGetValue(key, out TValue? found))
        {
            return false;
        }

        value = found is null ? default : _map.Rewritten(found);
        return true;
    }

    private PayloadView<TPart> At<TPart>(scoped in PathCursor at, int number, int part) =>
        new PayloadView<object>(_map.Payload, PlaceAt(at)).TryGo(
            ((ViewLayout)_first.Part.Reader!).ViewOf<TPart>(number), out PayloadView<TPart> view) is not null
            ? view
            : Rewrite<TPart>(part);

    private PayloadView<TPart> Rewrite<TPart>(int part) => _map.Rewrite<TPart>(PathStep.OfPart(part));

    /// <summary>A pair of a dictionary.</summary>
    public readonly ref struct Pair
    {
        internal Pair(PayloadView<TKey> key, PayloadView<TValue> value)
        {
            Key = key;
            Value = value;
        }

        /// <summary>Gets the view of the key.</summary>
        public PayloadView<TKey> Key { get; }

        /// <summary>Gets the view of the value.</summary>
        public PayloadView<TValue> Value { get; }
    }

    /// <summary>An enumerator of pairs.</summary>
    public ref struct Enumerator
    {
        private readonly PayloadDictionaryView<TKey, TValue> _map;
        private PathCursor _at;
        private int _index = -1;

        // What could not be passed over hides those behind it.
        private bool _isLost;

        internal Enumerator(PayloadDictionaryView<TKey, TValue> map)
        {
            _map = map;
            _at = map.Begin();
        }

        /// <summary>Gets the pair.</summary>
        /// <exception cref="WireFormatException">The bytes up to the pair are damaged or exceed a limit.</exception>
        /// <exception cref="TypeRefusedException">The key or the value names a type that is not allowed.</exception>
        public readonly Pair Current
        {
            get
            {
                PathCursor at = _at;
                PayloadView<TKey> key = _isLost
                    ? _map.Rewrite<TKey>(2 * _index)
                    : _map.At<TKey>(at, ViewLayout.Key, 2 * _index);
                return new Pair(
                    key,
                    _isLost || !at.TrySkip(_map._first.Part.Shape.Element!, _map._first.Level)
                        ? _map.Rewrite<TValue>((2 * _index) + 1)
                        : _map.At<TValue>(at, ViewLayout.Element, (2 * _index) + 1));
            }
        }

        /// <summary>Goes to the next pair; false where there is none.</summary>
        public bool MoveNext()
        {
            if (_index + 1 >= _map.Count)
            {
                return false;
            }

            _isLost = _isLost || (_index >= 0 && !(_at.TrySkip(_map._first.Part.Shape.Element!, _map._first.Level + 1)
                && _at.TrySkip(_map._first.Part.Shape.Value!, _map._first.Level + 1)));
            _index++;
            return true;
        }
    }
}
