using System.Globalization;
using System.Runtime.InteropServices;

namespace Wire.Benchmarks.Messaging.Tables;

/// <summary>Keeps all threads of the process on one core, until it is disposed of. Where the system has no such call, nothing happens.</summary>
internal sealed class OneCore : IDisposable
{
    // Of the last one: interrupts tend to go to the first.
    private static readonly int Core = Environment.ProcessorCount - 1;

    private OneCore(ulong mask) => Set(mask);

    /// <summary>Whether the system can do that.</summary>
    public static bool IsSupported => OperatingSystem.IsLinux() && Environment.ProcessorCount <= 64;

    public static OneCore? Enter() => IsSupported ? new OneCore(1UL << Core) : null;

    public void Dispose() => Set(ulong.MaxValue >> (64 - Environment.ProcessorCount));

    // The call is for one thread. Those that are made later have what the thread has that makes them.
    private static void Set(ulong mask)
    {
        foreach (string thread in Directory.GetDirectories("/proc/self/task"))
        {
            // A thread that has ended in between is the only one that it fails for.
            _ = SetAffinity(int.Parse(Path.GetFileName(thread), CultureInfo.InvariantCulture), sizeof(ulong), in mask);
        }
    }

    [DllImport("libc", EntryPoint = "sched_setaffinity")]
    private static extern int SetAffinity(int thread, nint size, in ulong mask);
}
