using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Wire.Errors;
using Wire.OptIn;

namespace Wire.Sessions;

/// <summary>
/// The objects of the message that a reader is reading, by their numbers, when the payload numbers them. Of each it knows whether it is
/// whole: whether all that it leads to has been read. An object that ends before its parent, and leads back to it, is not.
/// </summary>
/// <remarks>
/// This is Tarjan's algorithm for strongly connected components (SIAM Journal on Computing 1:2, 1972): an object remembers the
/// outermost object around it that it leads to and that has not ended. When that one ends, and leads no further out, the whole circle
/// is there, and what waited for it is done.
/// </remarks>
internal sealed class ReadObjects
{
    /// <summary>Leads to nothing that is not there: every number is lower.</summary>
    public const int Whole = int.MaxValue;

    /// <summary>Is there only when the message is: lower than every number.</summary>
    public const int EndOfMessage = -1;

    private const int FirstObjects = 32;

    // A message that made the table larger than this gives it back.
    private const int Retained = 1 << 16;

    // Around an object: none, and that it has ended.
    private const int Nothing = -1;
    private const int Ended = -2;

    // Stands in the table for an object that was passed over.
    private static readonly object Skipped = new();

    private readonly List<(int Lowest, Action Action)> _waiting = [];
    private Entry[] _objects = [];
    private int _count;

    // How many there were when a part began to be read again, and how many there are up to the end of that.
    private int _used;
    private int _endOfAgain;
    private int _open = Nothing;
    private int _lowestOutside = Whole;
    private SkippedObjects? _skipped;

    /// <summary>Says whether the payload's objects are numbered.</summary>
    public bool IsTracking { get; private set; }

    public int Count => _count;

    /// <summary>Says whether an object is being read that was passed over before.</summary>
    public bool IsReadingAgain { get; private set; }

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

    /// <summary>Makes the object whose body has just begun known, so that its members can refer to it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Track(object value)
    {
        if (IsTracking)
        {
            _objects[_open].Object = value;
        }
    }

    /// <summary>Makes an object known that has been read to its end.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void EndObject(int number, object value)
    {
        ref Entry entry = ref _objects[number];
        // Most are known since they began.
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

    /// <summary>Begins to take note of what is referred to.</summary>
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
    /// The outermost object that what has been read since leads to and that has not ended; <see cref="Whole"/> when there is none.
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

    /// <summary>Says whether a value is one of the objects around the current one, which have not been read to their ends.</summary>
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

    /// <summary>Puts off what needs whole objects until the circle that they are in is there.</summary>
    public void WhenWhole(int lowest, Action action) => _waiting.Add((lowest, action));

    /// <summary>Says whether something waits that was put off.</summary>
    public bool Waits => _waiting.Count > 0;

    /// <summary>Does what still waits, at the end of the message.</summary>
    public void DoRest() => DoWaiting(EndOfMessage);

    /// <summary>Takes a number for a value that is passed over.</summary>
    /// <param name="entry">Where it lies; null when no one will find it again.</param>
    /// <returns>Its number.</returns>
    public int BeginSkipped(in SkippedObjects.Entry? entry)
    {
        int around = _open;
        int number = BeginObject();
        _objects[number].Object = Skipped;
        if (entry is { } known)
        {
            (_skipped ??= new()).Add(number, known with { Around = around });
        }

        return number;
    }

    /// <summary>The value has been passed over.</summary>
    public void EndSkipped(int number, long end, int manifests)
    {
        _skipped?.EndObject(number, end, _count, manifests);
        EndObject(number, Skipped);
    }

    /// <summary>While what was passed over is read: goes behind the next object in it, which has been passed over once.</summary>
    /// <param name="entry">Where it lies.</param>
    public bool TrySkipAgain(out SkippedObjects.Entry entry)
    {
        if (!IsReadingAgain || FindNext() is not { End: > 0 } known)
        {
            entry = default;
            return false;
        }

        entry = known;
        _count = known.ObjectsBehind;
        return true;
    }

    /// <summary>While what was passed over is read: goes behind the next object in it, when a reference has led to it before.</summary>
    /// <param name="value">The object.</param>
    /// <param name="entry">Where it lies.</param>
    public bool TryGetAgain([NotNullWhen(true)] out object? value, out SkippedObjects.Entry entry)
    {
        value = null;
        entry = default;
        CheckEnd();
        int number = _count;
        ref object? there = ref _objects[number].Object;
        if (ReferenceEquals(there, Skipped))
        {
            // From now on it is one that has begun.
            there = null;
            return false;
        }

        if (!TrySkipAgain(out entry))
        {
            return false;
        }

        value = Find((uint)number)!;
        return true;
    }

    /// <summary>Returns the position of an object that was passed over; null when it is not known.</summary>
    public SkippedObjects.Entry? FindSkipped(uint number) =>
        number < (uint)_count && ReferenceEquals(_objects[(int)number].Object, Skipped) ? _skipped?.Find((int)number) : null;

    /// <summary>Goes back to the number of an object that was passed over.</summary>
    /// <returns>What <see cref="EndAgain"/> needs.</returns>
    public Turn BeginAgain(uint number, in SkippedObjects.Entry entry)
    {
        var before = new Turn(_count, _endOfAgain, IsReadingAgain);
        _used = Math.Max(_used, _count);
        _count = (int)number;
        _endOfAgain = entry.ObjectsBehind;
        IsReadingAgain = true;
        return before;
    }

    /// <summary>Continues where the object was referred to.</summary>
    public void EndAgain(Turn before) => (_count, _endOfAgain, IsReadingAgain) = before;

    /// <summary>The object with a number; null when it was passed over.</summary>
    /// <exception cref="WireFormatException">There is none, or not yet.</exception>
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

    /// <summary>Forgets the message.</summary>
    public void Clear()
    {
        IsTracking = false;
        IsReadingAgain = false;
        _open = Nothing;
        _lowestOutside = Whole;
        _skipped = null;
        _waiting.Clear();
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

    // What is read again does not lie inside the objects around it, so that their order says nothing.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void LeadTo(int lowest)
    {
        ref int own = ref LowestOfOpen;
        if (lowest < own)
        {
            own = IsReadingAgain ? EndOfMessage : lowest;
        }
    }

    // What stands for an object while it is written is no one's but that object's: nothing that was written refers to it.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool IsStandIn(object value, uint number)
    {
        if (IStandIn.Is(value.GetType()))
        {
            RefuseReference(number);
        }

        return false;
    }

    // Out of line: seldom.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void EndCircle(int number)
    {
        _objects[number].Lowest = Whole;
        if (_waiting.Count > 0)
        {
            DoWaiting(number);
        }
    }

    // In the order in which they were put off: what lies deeper came first.
    private void DoWaiting(int lowest)
    {
        // What waits for a circle was put off after its outermost object had begun, and nothing in there waits for one further out.
        int first = _waiting.Count;
        while (first > 0 && _waiting[first - 1].Lowest >= lowest)
        {
            first--;
        }

        List<(int Lowest, Action Action)> due = _waiting[first..];
        _waiting.RemoveRange(first, due.Count);
        due.ForEach(waiting => waiting.Action());
    }

    // What an object leads to may have ended meanwhile, and lead further out itself.
    private int LowestOf(ref Entry entry)
    {
        int lowest = entry.Lowest;
        while (lowest is >= 0 and < Whole && _objects[lowest].Around == Ended)
        {
            lowest = _objects[lowest].Lowest;
        }

        // The next one that asks comes to the same end at once, and so does who asks one of those on the way.
        for (int next = entry.Lowest; next != lowest;)
        {
            ref Entry passed = ref _objects[next];
            next = passed.Lowest;
            passed.Lowest = lowest;
        }

        return entry.Lowest = lowest;
    }

    /// <summary>Refuses a reference to an object that is not there.</summary>
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
                ? $"The payload refers to object {number}, which is in a member that this program's type no longer has, and cannot be " +
                    "read from there: its type is not in the payload, it is in the frame of a value serializer, or the input is a stream " +
                    "that cannot seek. Keep the member, or read the payload from memory."
                : $"The payload refers to object {number}, which is an inner part of another object.");
    }

    // Out of line: seldom.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Grow() => Array.Resize(ref _objects, Math.Max(FirstObjects, _objects.Length * 2));

    private SkippedObjects.Entry? FindNext()
    {
        CheckEnd();
        return _skipped!.Find(_count);
    }

    // What is read again has as many objects as when it was passed over.
    private void CheckEnd()
    {
        if (_count >= _endOfAgain)
        {
            ThrowHelper.Format(
                WireFormatError.Reference,
                "A removed member holds more objects than its layout says.");
        }
    }

    /// <summary>The position of the message before a part of it is read again.</summary>
    public readonly record struct Turn(int Count, int End, bool IsReadingAgain);

    private struct Entry
    {
        public object? Object;

        // The outermost object that has not ended and that this one leads to.
        public int Lowest;

        // The object around it, until it has ended.
        public int Around;
    }
}
