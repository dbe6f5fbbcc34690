using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Collections.Immutable;
using Wire.Format;
using Wire.Paths;

namespace Wire;

/// <content>Views of collections.</content>
public readonly ref partial struct PayloadView<T>
{
    /// <summary>Looks at the elements of an array, a list or another collection.</summary>
    /// <typeparam name="TElement">The type of the elements.</typeparam>
    /// <returns>The view; one of null where the value is null.</returns>
    /// <exception cref="NotSupportedException">The value is no collection of these.</exception>
    /// <exception cref="WireFormatException">The bytes up to the elements are damaged or exceed a limit.</exception>
    /// <exception cref="TypeRefusedException">The value names a type that is not allowed.</exception>
    public PayloadListView<TElement> AsList<TElement>()
    {
        if (TryList(out PayloadListView<TElement> list)
            || ToObject() is not { } value
            || value is ImmutableArray<TElement> { IsDefault: true })
        {
            return list;
        }

        return value is IEnumerable<TElement> elements && Rewritten(elements.ToArray()).TryList(out list) ? list : throw NotOf("elements");
    }

    /// <summary>Looks at the pairs of a dictionary.</summary>
    /// <typeparam name="TKey">The type of the keys.</typeparam>
    /// <typeparam name="TValue">The type of the values.</typeparam>
    /// <returns>The view; one of null where the value is null.</returns>
    /// <exception cref="NotSupportedException">
    /// The value is no dictionary of these, or is one whose keys are not found as a <see cref="Dictionary{TKey, TValue}"/> with the default
    /// comparer or one of <see cref="StringComparer"/> without a culture finds them: one with another comparer, one that is sorted, or one
    /// of another type. <see cref="ToObject"/> reads it.
    /// </exception>
    /// <exception cref="WireFormatException">The bytes up to the pairs are damaged or exceed a limit.</exception>
    /// <exception cref="TypeRefusedException">The value names a type that is not allowed.</exception>
    public PayloadDictionaryView<TKey, TValue> AsDictionary<TKey, TValue>()
        where TKey : notnull
    {
        if (TryDictionary(out PayloadDictionaryView<TKey, TValue> map) || ToObject() is not { } value)
        {
            return map;
        }

        if (value is not IEnumerable<KeyValuePair<TKey, TValue>> pairs)
        {
            throw NotOf("pairs");
        }

        // Of others it is not known which keys they take for equal.
        IEqualityComparer<TKey>? comparer = value switch
        {
            Dictionary<TKey, TValue> own => own.Comparer,
            ConcurrentDictionary<TKey, TValue> concurrent => concurrent.Comparer,
            ImmutableDictionary<TKey, TValue> immutable => immutable.KeyComparer,
            FrozenDictionary<TKey, TValue> frozen => frozen.Comparer,
            _ => null,
        };
        return comparer is not null
            && Rewritten(value as Dictionary<TKey, TValue> ?? new Dictionary<TKey, TValue>(pairs, comparer)).TryDictionary(out map)
                ? map
                : throw new NotSupportedException(
                    $"Keys of this {value.GetType()} are found by a comparer or an order of its own, which a view does not have: "
                        + "ToObject() reads it.");
    }

    private bool TryList<TElement>(out PayloadListView<TElement> list)
    {
        list = default;
        if (_place.Part is not { Reader: ViewLayout, Shape: { Code: ShapeCode.Sequence or ShapeCode.Set } shape })
        {
            return false;
        }

        PathCursor at = Begin();
        if ((shape.Code == ShapeCode.Set && !at.TrySkipComparer()) || !at.TryReadCount(shape, out uint count))
        {
            return false;
        }

        list = new PayloadListView<TElement>(_payload, _place, at.At, (int)count);
        return true;
    }

    private bool TryDictionary<TKey, TValue>(out PayloadDictionaryView<TKey, TValue> map)
        where TKey : notnull
    {
        map = default;
        if (_place.Part is not { Reader: ViewLayout, Shape: { Code: ShapeCode.Map } shape })
        {
            return false;
        }

        PathCursor at = Begin();
        if (!at.TryReadByte(out byte comparer) || !ComparerCode.IsKnown(comparer) || !at.TryReadCount(shape, out uint count))
        {
            return false;
        }

        map = new PayloadDictionaryView<TKey, TValue>(_payload, _place, comparer, at.At, (int)count);
        return true;
    }

    private PathCursor Begin() => new(_payload, _place.Types, _place.At, _place.Objects, _place.Level);

    private static NotSupportedException NotOf(string parts) =>
        new($"A view of {typeof(T)} has no {parts} of these types: ToObject() reads it.");
}
