using System.Runtime.CompilerServices;

namespace Wire.Sessions;

/// <summary>
/// The remaining budget of one message: objects, and bytes of memory for reading it. Writers count the same as readers, so a written
/// message can be read. A budget that has been exceeded stays so until the next message.
/// </summary>
internal struct Budget
{
    /// <summary>
    /// The memory per element that a collection needs in addition to it: the node of a tree or list, or the entry and bucket of a hash
    /// table.
    /// </summary>
    public const int ElementOverhead = 32;

    /// <summary>The size of an object that has not been measured: larger than any budget.</summary>
    public const long Unmeasured = 1L << 62;

    private long _bytes;
    private long _objects;

    /// <summary>The budget of a message.</summary>
    public Budget(Limits limits)
    {
        _bytes = Math.Min(limits.MaxAllocation, Unmeasured - 1);
        _objects = limits.MaxObjects;
    }

    /// <summary>Gets the number of bytes that are left; negative when there were too few.</summary>
    public readonly long Bytes => _bytes;

    /// <summary>Takes one object; false, without taking it, when that is too much or the object has not been measured yet.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryTakeObject(ValueSerializer serializer)
    {
        long bytes = _bytes - serializer.ObjectSize;
        long objects = _objects - 1;
        if ((bytes | objects) < 0)
        {
            return false;
        }

        _bytes = bytes;
        _objects = objects;
        return true;
    }

    /// <summary>Returns how many objects can be taken, up to a number; none before they have been measured.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly int CountOf(ValueSerializer serializer, int count)
    {
        long size = serializer.ObjectSize;
        return size <= int.MaxValue && size * count <= _bytes && count <= _objects
            ? count
            : (int)Math.Min(count, Math.Min(_objects, _bytes / size));
    }

    /// <summary>Takes a number of objects that <see cref="CountOf"/> has allowed.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void TakeObjects(ValueSerializer serializer, int count)
    {
        _bytes -= serializer.ObjectSize * count;
        _objects -= count;
    }

    /// <summary>Takes one object, measured if need be; false when that is too much.</summary>
    public bool TryMeasureAndTakeObject(ValueSerializer serializer) => ((_bytes -= serializer.Measure()) | --_objects) >= 0;

    /// <summary>Takes a message's root from its budget; false when that is too much.</summary>
    public static bool TryTakeRoot(Limits limits, ValueSerializer serializer, out Budget left)
    {
        left = new Budget(limits);
        return left.TryMeasureAndTakeObject(serializer);
    }

    /// <summary>Takes memory; false when that is too much.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryTake(long bytes) => (_bytes -= bytes) >= 0;

    /// <summary>Returns the exceeded limit: its name, its value, and a noun for the error message.</summary>
    public readonly (string Option, long Limit, string What) Exceeded(Limits limits) => _objects < 0
        ? (nameof(Limits.MaxObjects), limits.MaxObjects, "The number of objects")
        : (nameof(Limits.MaxAllocation), limits.MaxAllocation, "The memory that reading takes");
}
