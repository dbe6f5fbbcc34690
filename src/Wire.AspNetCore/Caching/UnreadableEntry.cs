using Microsoft.Extensions.Caching.Hybrid;

namespace Wire.AspNetCore.Caching;

/// <summary>
/// Tells the exception of an entry that cannot be read from one of the program's own, which made the value with Wire, and from that of
/// another entry, which the factory has read.
/// </summary>
internal sealed class UnreadableEntry
{
    private const string Key = "Wire.AspNetCore.CacheEntry";

    // HybridCache hands one exception to all who wait for an entry, so that the same may be that of an entry for one of them, and have
    // left the factory of another.
    private readonly HashSet<(HybridCache Cache, string Key)> _left = [];

    private UnreadableEntry()
    {
    }

    /// <summary>Marks an exception as that of an entry.</summary>
    public static void Mark(WireFormatException exception) => exception.Data[Key] = new UnreadableEntry();

    /// <summary>Notes that an exception has left the factory of an entry: it is not that of the entry itself.</summary>
    public static void LeaveFactory(WireFormatException exception, HybridCache cache, string key)
    {
        if (exception.Data[Key] is UnreadableEntry entry)
        {
            lock (entry._left)
            {
                entry._left.Add((cache, key));
            }
        }
    }

    /// <summary>Returns whether an exception is that of the entry of a key.</summary>
    public static bool IsOf(WireFormatException exception, HybridCache cache, string key)
    {
        if (exception.Data[Key] is not UnreadableEntry entry)
        {
            return false;
        }

        lock (entry._left)
        {
            return !entry._left.Contains((cache, key));
        }
    }
}
