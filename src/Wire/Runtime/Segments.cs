using System.Runtime.CompilerServices;

namespace Wire.Runtime;

/// <summary>
/// A list that grows without being copied: behind its first items, it takes memory for as many more at a time. So what it takes is known
/// before it is taken. Not thread-safe while it changes.
/// </summary>
internal sealed class Segments<T>
    where T : struct
{
    /// <summary>The number of items that are in one array: the first is as long as needed.</summary>
    public const int Size = 1 << Shift;

    private const int Shift = 10;
    private const int FewItems = 4;

    // The head of an array, and its place in a list that doubles.
    private const int Overhead = 48;

    private T[][] _arrays = [[]];
    private int _most;

    /// <summary>Gets the number of items.</summary>
    public int Count { get; private set; }

    /// <summary>
    /// Gets the bytes of memory that one more item takes. Of the first <see cref="Size"/> each counts for itself, wherever it comes to lie.
    /// </summary>
    public int MemoryOfNext => Count < _most ? 0
        : Count < Size ? Unsafe.SizeOf<T>()
        : Count % Size == 0 ? (Size * Unsafe.SizeOf<T>()) + Overhead
        : 0;

    /// <summary>Gets an item.</summary>
    public ref T this[int index] => ref _arrays[index >> Shift][index & (Size - 1)];

    /// <summary>Gets the last item.</summary>
    public ref T Last => ref this[Count - 1];

    public void Add(in T item)
    {
        int array = Count >> Shift;
        if (array == 0 && Count == _arrays[0].Length)
        {
            Array.Resize(ref _arrays[0], Math.Max(FewItems, 2 * Count));
        }
        else if (array == _arrays.Length)
        {
            Array.Resize(ref _arrays, 2 * array);
        }

        (_arrays[array] ??= new T[Size])[Count & (Size - 1)] = item;
        Count++;
        _most = Math.Max(_most, Count);
    }

    /// <summary>Removes the last item, whose memory stays.</summary>
    public void RemoveLast() => Count--;

    /// <summary>Gets the items for good: themselves if they are many, and else a copy, so that this list can be used again.</summary>
    public Segments<T> Take() => Count > Size ? this : new() { _arrays = [_arrays[0][..Count]], Count = Count };

    /// <summary>Removes all items, and the memory of more than <see cref="Size"/>.</summary>
    public void Clear()
    {
        if (_most > Size)
        {
            _arrays = [[]];
        }

        Array.Clear(_arrays[0], 0, Math.Min(_most, _arrays[0].Length));
        (Count, _most) = (0, 0);
    }
}
