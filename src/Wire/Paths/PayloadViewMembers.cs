using System.Collections.Concurrent;

namespace Wire.Paths;

/// <summary>The members of a type that views are asked for.</summary>
internal static class PayloadViewMembers<T>
{
    private static readonly ConcurrentDictionary<(string, Type), int> Numbers = new();
    private static int _count;

    public static int NumberOf(string name, Type type) =>
        Numbers.GetOrAdd((name, type), static _ => Interlocked.Increment(ref _count) - 1);
}
