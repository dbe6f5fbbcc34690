using System.Runtime.CompilerServices;
using Wire.Format;

namespace Wire.Paths;

/// <content>
/// Elements that are passed over. What one takes depends on few of its bytes: tags, counts and lengths, which are remembered. The next one
/// that has the same bytes there takes as much, and need not be looked at, nor waited for to find the one after it.
/// </content>
internal ref partial struct PathCursor
{
    private const int MostMarks = 8;
    private const int MostMarked = int.MaxValue >> 8;

    /// <summary>Passes over the first elements or pairs of a value.</summary>
    /// <param name="shape">The shape of the value.</param>
    /// <param name="count">How many.</param>
    /// <param name="level">How many values they are inside of.</param>
    public bool TrySkipElements(Shape shape, uint count, int level)
    {
        if (shape.ElementFixedSize is > 0 and long size)
        {
            return TrySkip(count * size);
        }

        while (count > 0)
        {
            count--;
            if (_isMarking)
            {
                if (!TrySkipElement(shape, level))
                {
                    return false;
                }

                continue;
            }

            int begin = At;
            int objects = Objects;
            (_isMarking, _marked, _markedFrom) = (true, 0, begin);
            bool isPassed = TrySkipElement(shape, level);
            bool isMarked = _isMarking;
            _isMarking = false;
            if (!isPassed)
            {
                return false;
            }

            if (isMarked && _marked > 0)
            {
                count -= SkipAlike(count, At - begin, Objects - objects);
            }
        }

        return true;
    }

    private bool TrySkipElement(Shape shape, int level) =>
        TrySkip(shape.Element!, level + 1) && (shape.Value is null || TrySkip(shape.Value, level + 1));

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Mark(byte value)
    {
        if (_marked == MostMarks || At - _markedFrom > MostMarked)
        {
            // Of the parts of this element, each may be like the one before it.
            _isMarking = false;
            return;
        }

        _marks[_marked++] = ((uint)(At - _markedFrom) << 8) | value;
    }

    // Passes over elements that are like the last one, and returns how many.
    private uint SkipAlike(uint most, int size, int objects)
    {
        most = Math.Min(most, (uint)(Left / size));
        ref byte at = ref Here;
        uint alike = 0;
        if (_marked <= 2)
        {
            // Most often a tag and the length of a text.
            uint first = _marks[0], last = _marks[_marked - 1];
            while (alike < most && Has(ref at, first) && Has(ref at, last))
            {
                at = ref Unsafe.Add(ref at, size);
                alike++;
            }
        }
        else
        {
            ReadOnlySpan<uint> marks = ((ReadOnlySpan<uint>)_marks)[.._marked];
            while (alike < most && IsAlike(ref at, marks))
            {
                at = ref Unsafe.Add(ref at, size);
                alike++;
            }
        }

        At += (int)alike * size;
        Objects += (int)alike * objects;
        return alike;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool IsAlike(ref byte at, ReadOnlySpan<uint> marks)
    {
        foreach (uint mark in marks)
        {
            if (!Has(ref at, mark))
            {
                return false;
            }
        }

        return true;
    }

    // A mark is an offset from the beginning of the element, and in its last byte the byte that was there.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool Has(ref byte at, uint mark) => Unsafe.Add(ref at, mark >> 8) == (byte)mark;

    [InlineArray(MostMarks)]
    private struct Marks
    {
        private uint _first;
    }
}
