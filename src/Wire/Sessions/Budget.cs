using System.Runtime.CompilerServices;

namespace Wire;

/// <summary>
/// What is left of what one message may cost: objects, and bytes of memory when it is read. Writers count the same as readers, so
/// that what is written can be read. A budget that has been exceeded once stays so until the next message.
/// </summary>
internal struct Budget
{
    /// <summary>What a collection keeps beside an element: the node of a tree or list, or the entry and bucket of a hash table.</summary>
    public const int ElementOverhead = 32;

    private long _bytes;
    private int _objects;

    /// <summary>How many bytes are left; negative when there were too few.</summary>
    public readonly long Bytes => _bytes;

    /// <summary>Starts a message.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Begin(Limits limits)
    {
        _bytes = limits.MaxAllocation;
        _objects = limits.MaxObjects;
    }

    /// <summary>Takes one object of so many bytes; false when that is too much.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryTakeObject(int size) => ((_bytes -= size) | (long)--_objects) >= 0;

    /// <summary>Takes memory; false when that is too much.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryTake(long bytes) => (_bytes -= bytes) >= 0;

    /// <summary>What has been exceeded: the limit's name, its value, and what to call what exceeds it.</summary>
    public readonly (string Option, long Limit, string What) Exceeded(Limits limits) => _objects < 0
        ? (nameof(Limits.MaxObjects), limits.MaxObjects, "The number of objects")
        : (nameof(Limits.MaxAllocation), limits.MaxAllocation, "The memory that reading takes");
}
