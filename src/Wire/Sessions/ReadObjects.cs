using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace Wire;

/// <summary>The objects of the message that a reader has in hand, by their numbers, when the payload numbers them.</summary>
internal sealed class ReadObjects
{
    private const int FirstObjects = 32;

    // A message that made the table larger than this gives it back.
    private const int Retained = 1 << 16;

    // Stands in the table for an object that was passed over.
    private static readonly object Skipped = new();

    private Entry[] _objects = [];
    private int _count;
    private int _current;

    /// <summary>Whether the payload's objects are numbered.</summary>
    public bool IsTracking { get; private set; }

    public int Count => _count;

    /// <summary>How many references to objects that are not complete yet have been read: without one, nothing goes round in a circle.</summary>
    public int ReferencesToUnfinished { get; private set; }

    public void BeginTracking() => IsTracking = true;

    /// <summary>Takes the next number, for an object that begins.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int Begin()
    {
        int number = _count;
        if (number >= _objects.Length)
        {
            Grow();
        }

        _count = number + 1;
        _current = number;
        return number;
    }

    /// <summary>Makes the object whose body has just begun known, so that its members can refer to it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Track(object value)
    {
        if (IsTracking)
        {
            _objects[_current].Object = value;
        }
    }

    /// <summary>Makes an object known that is complete.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void End(int number, object value)
    {
        ref Entry entry = ref _objects[number];
        entry.IsComplete = true;
        // Most are known since they began.
        if (!ReferenceEquals(entry.Object, value))
        {
            entry.Object = value;
        }
    }

    /// <summary>Takes a number for a value that is passed over.</summary>
    public void Skip()
    {
        if (IsTracking)
        {
            End(Begin(), Skipped);
        }
    }

    /// <summary>The object with a number.</summary>
    /// <exception cref="WireFormatException">There is none, or not yet, or it was passed over.</exception>
    public object Find(uint number)
    {
        if (!IsTracking || number >= (uint)_count || _objects[(int)number].Object is not { } value || ReferenceEquals(value, Skipped))
        {
            RefuseReference(number);
            return null;
        }

        // What stands for an object while it is written is nobody's but that object's: nothing that was written refers to it.
        if (value is Array && IStandIn.Is(value.GetType()))
        {
            RefuseReference(number);
        }

        if (!_objects[(int)number].IsComplete)
        {
            ReferencesToUnfinished++;
        }

        return value;
    }

    /// <summary>Forgets the message.</summary>
    public void Clear()
    {
        IsTracking = false;
        ReferencesToUnfinished = 0;
        if (_objects.Length > Retained)
        {
            _objects = [];
        }
        else
        {
            Array.Clear(_objects, 0, _count);
        }

        _count = 0;
    }

    [DoesNotReturn]
    private void RefuseReference(uint number)
    {
        if (!IsTracking)
        {
            Throw.Format(WireFormatError.Reference, "A reference stands in a payload whose header says that it has none.");
        }

        if (number >= (uint)_count)
        {
            Throw.Format(WireFormatError.Reference, $"The payload refers to object {number}, and has carried {_count}.");
        }

        object? value = _objects[(int)number].Object;
        Throw.Format(WireFormatError.Reference, value is null
            ? $"The payload refers to object {number} from inside itself, and an object of its type exists only when it is complete."
            : ReferenceEquals(value, Skipped)
                ? $"The payload refers to object {number}, which stood in a member that this program's type no longer has."
                : $"The payload refers to object {number}, which is part of how another object is written, and of nothing else.");
    }

    // Out of line: seldom.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Grow() => Array.Resize(ref _objects, Math.Max(FirstObjects, _objects.Length * 2));

    private struct Entry
    {
        public object? Object;
        public bool IsComplete;
    }
}
