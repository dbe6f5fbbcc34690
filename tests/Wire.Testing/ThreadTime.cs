using System.Runtime.InteropServices;

namespace Wire.Testing;

/// <summary>
/// The time that the current thread has had on a processor: what something costs, however many others want the processor meanwhile.
/// </summary>
public static partial class ThreadTime
{
    // CLOCK_THREAD_CPUTIME_ID, of Linux and of macOS.
    private static readonly int Clock = OperatingSystem.IsMacOS() ? 16 : 3;

    /// <summary>Gets that time; on Windows the time of day, where a thread has none that it can ask for so simply.</summary>
    public static TimeSpan Now
    {
        get
        {
            if (OperatingSystem.IsWindows())
            {
                return TimeSpan.FromMilliseconds(Environment.TickCount64);
            }

            return GetTime(Clock, out Time time) == 0
                ? TimeSpan.FromTicks((time.Seconds * TimeSpan.TicksPerSecond) + (time.Nanoseconds / 100))
                : throw new InvalidOperationException("The thread has no clock.");
        }
    }

    [LibraryImport("libc", EntryPoint = "clock_gettime")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int GetTime(int clock, out Time time);

    [StructLayout(LayoutKind.Sequential)]
    private struct Time
    {
        public nint Seconds;
        public nint Nanoseconds;
    }
}
