using System.Reflection;

namespace Wire.Tests.Testing;

/// <summary>The sessions that a serializer keeps for the current thread, for tests of what a failure leaves in them.</summary>
internal static class CachedSessions
{
    private const BindingFlags Inside = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic;

    /// <summary>Returns the session for writing; null when the thread has not needed one.</summary>
    public static object? Writing(Serializer serializer) => Find(serializer, "Writing");

    /// <summary>Returns the session for reading; null when the thread has not needed one.</summary>
    public static object? Reading(Serializer serializer) => Find(serializer, "Reading");

    private static object? Find(Serializer serializer, string name)
    {
        object threads = typeof(Serializer).GetField("_threads", Inside)!.GetValue(serializer)!;
        object pair = threads.GetType().GetProperty("Current", Inside)!.GetValue(threads)!;
        return pair.GetType().GetProperty(name, Inside)!.GetValue(pair);
    }
}
