using System.Runtime.CompilerServices;
using Wire.Sessions.Objects;

namespace Wire.Copying;

/// <summary>The objects of a graph that is being copied, by identity, and their copies.</summary>
internal sealed class CopiedObjects
{
    private const int FirstCopies = 32;

    // A table larger than this is released after the graph.
    private const int Retained = 1 << 16;

    private const int None = -1;

    private readonly ObjectTable _numbers = new();
    private Entry[] _copies = [];
    private int _count;

    /// <summary>Gets the number of the object that is being copied.</summary>
    public int Current { get; private set; } = None;

    /// <summary>Gets whether an object has been reached from inside itself: then it is unknown which copies are complete.</summary>
    public bool HasCycle { get; private set; }

    /// <summary>Returns true for an object that was met before; else begins it.</summary>
    /// <param name="value">The object.</param>
    /// <param name="copy">Its copy; null when it does not exist yet.</param>
    /// <param name="around">The object around one that begins, for <see cref="Complete"/>.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryFind(object value, out object? copy, out int around)
    {
        around = Current;
        if (_numbers.TryGetOrAdd(value, out int number))
        {
            ref Entry entry = ref _copies[number];
            copy = entry.Copy;
            HasCycle |= !entry.HasEnded;
            return true;
        }

        if (number >= _copies.Length)
        {
            Grow();
        }

        copy = null;
        _count = number + 1;
        Current = number;
        return false;
    }

    /// <summary>Registers the copy of the object that has just begun.</summary>
    public void Track(object copy) => _copies[Current].Copy = copy;

    /// <summary>Registers a complete copy.</summary>
    public void Complete(int number, int around, object copy)
    {
        ref Entry entry = ref _copies[number];
        entry.Copy = copy;
        entry.HasEnded = true;
        Current = around;
    }

    /// <summary>Forgets the graph.</summary>
    public void Clear()
    {
        _numbers.Clear();
        if (_copies.Length > Retained)
        {
            _copies = [];
        }
        else
        {
            Array.Clear(_copies, 0, _count);
        }

        _count = 0;
        Current = None;
        HasCycle = false;
    }

    // Out of line: rarely called.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Grow() => Array.Resize(ref _copies, Math.Max(FirstCopies, _copies.Length * 2));

    private struct Entry
    {
        public object? Copy;
        public bool HasEnded;
    }
}
