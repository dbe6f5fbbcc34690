using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Wire.Errors;
using Wire.Runtime;
using Wire.Skipping;

namespace Wire.Sessions.Objects;

/// <summary>
/// The objects of the message that a reader is reading, by their numbers, when the payload numbers them. Each object is known to be
/// complete or not: it is complete when everything reachable from it has been read. An object that ends before its parent, and refers back
/// to it, is not.
/// </summary>
/// <remarks>
/// This is Tarjan's algorithm for strongly connected components (SIAM Journal on Computing 1:2, 1972): an object records the outermost
/// enclosing object that it refers to and that has not ended. When that one ends, and refers no further out, the whole cycle is complete,
/// and the work that waited for it runs.
/// </remarks>
internal sealed partial class ReadObjects
{
    /// <summary>Marks an object that refers only to complete ones: higher than every number.</summary>
    public const int Whole = int.MaxValue;

    /// <summary>Marks an object that is complete only with the message: lower than every number.</summary>
    public const int EndOfMessage = -1;

    private const int FirstObjects = 32;

    // A table larger than this is released after the message.
    private const int Retained = 1 << 16;

    // Parents of an object: none, and "has ended".
    private const int Nothing = -1;
    private const int Ended = -2;

    // The entry in the table for a skipped object.
    private static readonly object Skipped = new();

    private Entry[] _objects = [];
    private int _count;

    // The number of objects when a part began to be read again, and the number at the end of that part.
    private int _used;
    private int _endOfAgain;
    private int _open = Nothing;
    private int _lowestOutside = Whole;
    private SkippedObjects? _skipped;

    /// <summary>Gets whether the payload's objects are numbered.</summary>
    public bool IsTracking { get; private set; }

    public int Count => _count;

    /// <summary>Gets whether a skipped object is being read.</summary>
    public bool IsReadingAgain { get; private set; }

    /// <summary>Gets whether objects of the message were read out of their order.</summary>
    public bool HasReadAgain { get; private set; }

    private ref int LowestOfOpen
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => ref _open >= 0 ? ref _objects[_open].Lowest : ref _lowestOutside;
    }

    public void BeginTracking() => IsTracking = true;

    /// <summary>Takes the next number, for an object that begins.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int BeginObject()
    {
        int number = _count;
        if (number >= _objects.Length)
        {
            Grow();
        }

        ref Entry entry = ref _objects[number];
        entry.Around = _open;
        entry.Lowest = Whole;
        _count = number + 1;
        _open = number;
        return number;
    }

    /// <summary>Registers the object whose body has just begun, so that its members can refer to it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Track(object value)
    {
        if (IsTracking)
        {
            _objects[_open].Object = value;
        }
    }

    /// <summary>Registers an object that has been read completely.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void EndObject(int number, object value)
    {
        ref Entry entry = ref _objects[number];
        // Most were registered when they began.
        if (!ReferenceEquals(entry.Object, value))
        {
            entry.Object = value;
        }

        int around = entry.Around;
        entry.Around = Ended;
        _open = around;
        int lowest = entry.Lowest;
        if (lowest <= number)
        {
            if (lowest < number)
            {
                LeadTo(lowest);
            }
            else
            {
                EndCircle(number);
            }
        }
    }

    /// <summary>Begins to record references.</summary>
    /// <returns>What <see cref="EndScope"/> needs.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int BeginScope()
    {
        if (!IsTracking)
        {
            return Whole;
        }

        ref int lowest = ref LowestOfOpen;
        int before = lowest;
        lowest = Whole;
        return before;
    }

    /// <summary>
    /// The outermost unfinished object that the values read since refer to; <see cref="Whole"/> when there is none.
    /// </summary>
    public int LowestOfScope => IsTracking ? LowestOfOpen : Whole;

    /// <summary>Ends what <see cref="BeginScope"/> began.</summary>
    /// <returns><see cref="LowestOfScope"/>.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int EndScope(int before)
    {
        if (!IsTracking)
        {
            return Whole;
        }

        ref int lowest = ref LowestOfOpen;
        int inner = lowest;
        lowest = Math.Min(before, inner);
        return inner;
    }

    /// <summary>Returns whether a value is one of the enclosing objects, which are not complete.</summary>
    public bool IsOpen(object value)
    {
        for (int number = _open; number >= 0; number = _objects[number].Around)
        {
            if (ReferenceEquals(_objects[number].Object, value))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Gets the actions that need complete objects.</summary>
    public WaitingActions Waiting { get; } = new();

    /// <summary>Gets the object with a number; null when it was skipped.</summary>
    /// <exception cref="WireFormatException">There is no such object, or not yet.</exception>
    public object? Find(uint number)
    {
        if (number >= (uint)_count || _objects[(int)number].Object is not { } value)
        {
            RefuseReference(number);
            return null;
        }

        ref Entry entry = ref _objects[(int)number];
        if (entry.Around != Ended)
        {
            LeadTo((int)number);
        }
        else if (entry.Lowest != Whole)
        {
            LeadTo(LowestOf(ref entry));
        }

        return ReferenceEquals(value, Skipped) || (value is Array && IsStandIn(value, number)) ? null : value;
    }

    /// <summary>Gets what the program has made of the object with a number; null when it was skipped, or there is none.</summary>
    public object? FindRead(int number) =>
        number < _count && _objects[number].Object is { } value && !ReferenceEquals(value, Skipped) ? value : null;

    /// <summary>Forgets the message.</summary>
    public void Clear()
    {
        IsTracking = false;
        IsReadingAgain = HasReadAgain = false;
        _open = Nothing;
        _lowestOutside = Whole;
        _skipped = null;
        Waiting.Clear();
        if (_objects.Length > Retained)
        {
            _objects = [];
        }
        else
        {
            Array.Clear(_objects, 0, Math.Max(_count, _used));
        }

        _count = _used = 0;
    }

    // A value that is read again is not inside the enclosing objects, so their order means nothing.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void LeadTo(int lowest)
    {
        ref int own = ref LowestOfOpen;
        if (lowest < own)
        {
            own = IsReadingAgain ? EndOfMessage : lowest;
        }
    }

    // An object's stand-in belongs to that object alone: no reference in the bytes leads to it.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool IsStandIn(object value, uint number)
    {
        if (IStandIn.Is(value.GetType()))
        {
            RefuseReference(number);
        }

        return false;
    }

    // Out of line: rarely called.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void EndCircle(int number)
    {
        _objects[number].Lowest = Whole;
        Waiting.Do(number);
    }

    // An object referred to may have ended meanwhile, and itself refer further out.
    private int LowestOf(ref Entry entry)
    {
        int lowest = entry.Lowest;
        while (lowest is >= 0 and < Whole && _objects[lowest].Around == Ended)
        {
            lowest = _objects[lowest].Lowest;
        }

        // Path compression: later lookups from here, and from the objects on the way, take one step.
        for (int next = entry.Lowest; next != lowest;)
        {
            ref Entry passed = ref _objects[next];
            next = passed.Lowest;
            passed.Lowest = lowest;
        }

        return entry.Lowest = lowest;
    }

    /// <summary>Refuses a reference to an object that does not exist.</summary>
    [DoesNotReturn]
    public void RefuseReference(uint number)
    {
        if (!IsTracking)
        {
            ThrowHelper.Format(WireFormatError.Reference, "A reference stands in a payload whose header says that it has none.");
        }

        if (number >= (uint)_count)
        {
            ThrowHelper.Format(WireFormatError.Reference, $"The payload refers to object {number}, but has only {_count} so far.");
        }

        object? value = _objects[(int)number].Object;
        ThrowHelper.Format(WireFormatError.Reference, value is null
            ? $"The payload refers to object {number} from inside itself, but an object of its type is created after its parts."
            : ReferenceEquals(value, Skipped)
                ? $"The payload refers to object {number}, which was skipped, in a member that this program's type no longer has or " +
                    "outside of the part that is read. It cannot be read from there: its type is not in the payload, it is in the " +
                    "block of a value serializer, or the input is a stream that cannot seek. Keep the member, or read the whole " +
                    "payload from memory."
                : $"The payload refers to object {number}, which is an inner part of another object.");
    }

    // Out of line: rarely called.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Grow() => Array.Resize(ref _objects, Math.Max(FirstObjects, _objects.Length * 2));

    private struct Entry
    {
        public object? Object;

        // The outermost unfinished object that this one refers to.
        public int Lowest;

        // The enclosing object, until this one has ended.
        public int Around;
    }
}
