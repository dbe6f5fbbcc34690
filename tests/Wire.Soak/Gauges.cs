using System.Diagnostics;
using System.Runtime;

namespace Wire.Soak;

/// <summary>What the process holds when nothing is under way.</summary>
/// <param name="Heap">Bytes of the managed heap after full collections.</param>
/// <param name="Resident">
/// Bytes of memory that the operating system has given to the process: for information, it depends on the collector.
/// </param>
/// <param name="Handles">Files, sockets and the like that are open.</param>
/// <param name="Threads">Threads of the process.</param>
/// <param name="Methods">Methods that have been compiled so far, emitted ones too: grows as long as code is made.</param>
/// <param name="Assemblies">Loaded assemblies.</param>
internal sealed record Gauges(long Heap, long Resident, int Handles, int Threads, long Methods, int Assemblies)
{
    public static Gauges Read()
    {
        for (int i = 0; i < 3; i++)
        {
            GCSettings.LargeObjectHeapCompactionMode = GCLargeObjectHeapCompactionMode.CompactOnce;
            GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true);
            GC.WaitForPendingFinalizers();
        }

        using var process = Process.GetCurrentProcess();
        return new Gauges(
            GC.GetTotalMemory(forceFullCollection: true),
            process.WorkingSet64,
            process.HandleCount,
            process.Threads.Count,
            JitInfo.GetCompiledMethodCount(),
            AppDomain.CurrentDomain.GetAssemblies().Length);
    }
}
