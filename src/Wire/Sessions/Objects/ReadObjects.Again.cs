using System.Diagnostics.CodeAnalysis;
using Wire.Errors;
using Wire.Skipping;

namespace Wire.Sessions.Objects;

/// <content>Objects that were skipped, and are read again when something refers to them.</content>
internal sealed partial class ReadObjects
{
    /// <summary>Takes a number for a value that is skipped.</summary>
    /// <param name="entry">Its position; null when it will not be needed again.</param>
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

    /// <summary>Records the end of a skipped value.</summary>
    public void EndSkipped(int number, long end, int manifests)
    {
        _skipped?.EndObject(number, end, _count, manifests);
        EndObject(number, Skipped);
    }

    /// <summary>While a skipped value is read: moves to the end of the next object in it, which has been skipped once.</summary>
    /// <param name="entry">Its position.</param>
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

    /// <summary>While a skipped value is read: moves to the end of the next object in it, if a reference has reached it before.</summary>
    /// <param name="value">The object.</param>
    /// <param name="entry">Its position.</param>
    public bool TryGetAgain([NotNullWhen(true)] out object? value, out SkippedObjects.Entry entry)
    {
        value = null;
        entry = default;
        CheckEnd();
        int number = _count;
        ref object? there = ref _objects[number].Object;
        if (ReferenceEquals(there, Skipped))
        {
            // From now on it counts as begun.
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

    /// <summary>Returns the position of an object that was skipped; null when it is not known.</summary>
    public SkippedObjects.Entry? FindSkipped(uint number) =>
        number < (uint)_count && ReferenceEquals(_objects[(int)number].Object, Skipped) ? _skipped?.Find((int)number) : null;

    /// <summary>Returns the position of an object that was skipped as a whole, whether it has been read since or not.</summary>
    public SkippedObjects.Entry? FindAgain(uint number) =>
        number < (uint)_count && _skipped?.Find((int)number) is { End: > 0 } entry ? entry : null;

    /// <summary>Goes back to the number of an object that was skipped.</summary>
    /// <returns>What <see cref="EndAgain"/> needs.</returns>
    public Turn BeginAgain(uint number, in SkippedObjects.Entry entry)
    {
        var before = new Turn(_count, _endOfAgain, IsReadingAgain);
        _used = Math.Max(_used, _count);
        _count = (int)number;
        _endOfAgain = entry.ObjectsBehind;
        IsReadingAgain = HasReadAgain = true;
        return before;
    }

    /// <summary>Goes into an object that was skipped, without reading it: it stays what it is.</summary>
    public void EnterSkipped()
    {
        CheckEnd();
        _count++;
    }

    /// <summary>Returns to an earlier number of objects, where a part is to be gone through again.</summary>
    public void GoTo(int count)
    {
        _used = Math.Max(_used, _count);
        _count = count;
    }

    /// <summary>Continues at the reference to the object.</summary>
    public void EndAgain(Turn before) => (_count, _endOfAgain, IsReadingAgain) = before;

    private SkippedObjects.Entry? FindNext()
    {
        CheckEnd();
        return _skipped!.Find(_count);
    }

    // A part that is read again has as many objects as when it was skipped.
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
}
