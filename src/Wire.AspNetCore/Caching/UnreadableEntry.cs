namespace Wire.AspNetCore.Caching;

/// <summary>Tells the exception of an entry that cannot be read from one of the program's own, which made the value with Wire.</summary>
internal static class UnreadableEntry
{
    private const string Key = "Wire.AspNetCore.CacheEntry";

    /// <summary>Marks an exception as that of an entry.</summary>
    public static void Mark(WireFormatException exception) => exception.Data[Key] = true;

    /// <summary>Says whether an exception is that of an entry.</summary>
    public static bool IsMarked(WireFormatException exception) => exception.Data.Contains(Key);
}
