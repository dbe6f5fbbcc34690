using System.Globalization;
using System.Runtime.InteropServices;

namespace Wire.Benchmarks.Messaging.Tables;

/// <summary>What a broker uses, where it runs on this machine and a folder says which process it is.</summary>
/// <param name="folder">The folder, or none.</param>
internal sealed class BrokerUse(string folder)
{
    // Of the fields behind the name of the process, which is in brackets and may hold anything.
    private const int User = 11;
    private const int System = 12;

    // What the system calls a tick, which has been a hundredth of a second since long.
    private const double NanosecondsPerTick = 1e7;

    private readonly string? _stat = Find(folder);

    /// <summary>The processor time in nanoseconds since the broker was started; not a number where that is not known.</summary>
    public double Nanoseconds()
    {
        if (_stat is null)
        {
            return double.NaN;
        }

        string text = File.ReadAllText(_stat);
        string[] fields = text[(text.LastIndexOf(')') + 2)..].Split(' ');
        return (Ticks(fields[User]) + Ticks(fields[System])) * NanosecondsPerTick;
    }

    /// <summary>How many bytes all of its files have; null where that is not known.</summary>
    public double? DiskBytes() => _stat is null
        ? null
        : Directory.EnumerateFiles(folder, "*", SearchOption.AllDirectories).Sum(file => (double)new FileInfo(file).Length);

    private static double Ticks(string text) => double.Parse(text, CultureInfo.InvariantCulture);

    private static string? Find(string folder)
    {
        string file = Path.Combine(folder, "pid");
        return OperatingSystem.IsLinux() && File.Exists(file) ? $"/proc/{File.ReadAllText(file).Trim()}/stat" : null;
    }
}

/// <summary>
/// Keeps all threads of the process on one core, until it is disposed of. Where the system has no such call, nothing happens.
/// </summary>
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
