using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Wire;

/// <summary>The objects of the message that a reader has in hand, by their numbers, when the payload numbers them.</summary>
internal sealed class ReadObjects
{
    // A message that made the table larger than this gives it back.
    private const int Retained = 1 << 16;

    // Stands in the table for an object that was passed over.
    private static readonly object Skipped = new();

    private readonly List<object?> _objects = [];
    private readonly HashSet<int> _unfinished = [];
    private int _current;

    /// <summary>Whether the payload's objects are numbered.</summary>
    public bool IsTracking { get; private set; }

    public int Count => _objects.Count;

    /// <summary>How many references to objects that are not complete yet have been read: without one, nothing goes round in a circle.</summary>
    public int ReferencesToUnfinished { get; private set; }

    public void BeginTracking() => IsTracking = true;

    /// <summary>Takes the next number, for an object that begins.</summary>
    public int Begin()
    {
        _current = _objects.Count;
        _objects.Add(null);
        _unfinished.Add(_current);
        return _current;
    }

    /// <summary>Makes the object whose body has just begun known, so that its members can refer to it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Track(object value)
    {
        if (IsTracking)
        {
            CollectionsMarshal.AsSpan(_objects)[_current] = value;
        }
    }

    /// <summary>Makes an object known that is complete.</summary>
    public void End(int number, object value)
    {
        _objects[number] = value;
        _unfinished.Remove(number);
    }

    /// <summary>Takes a number for a value that is passed over.</summary>
    public void Skip()
    {
        if (IsTracking)
        {
            _objects.Add(Skipped);
        }
    }

    /// <summary>The object with a number.</summary>
    /// <exception cref="WireFormatException">There is none, or not yet, or it was passed over.</exception>
    public object Find(uint number)
    {
        if (!IsTracking)
        {
            Throw.Format(WireFormatError.Reference, "A reference stands in a payload whose header says that it has none.");
        }

        if (number >= (uint)_objects.Count)
        {
            Throw.Format(WireFormatError.Reference, $"The payload refers to object {number}, and has carried {_objects.Count}.");
        }

        object? value = _objects[(int)number];
        if (value is null)
        {
            Throw.Format(WireFormatError.Reference, $"The payload refers to object {number} from inside itself, and an object of its type exists only when it is complete.");
        }

        if (ReferenceEquals(value, Skipped))
        {
            Throw.Format(WireFormatError.Reference, $"The payload refers to object {number}, which stood in a member that this program's type no longer has.");
        }

        if (_unfinished.Contains((int)number))
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
        _unfinished.Clear();
        _objects.Clear();
        if (_objects.Capacity > Retained)
        {
            _objects.Capacity = 0;
        }
    }
}
