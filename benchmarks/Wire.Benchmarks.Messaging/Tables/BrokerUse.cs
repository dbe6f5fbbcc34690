using System.Globalization;

namespace Wire.Benchmarks.Messaging.Tables;

/// <summary>What the broker uses, where it runs on this machine and <c>WIRE_RABBITMQ_FOLDER</c> says where its process is noted.</summary>
internal static class BrokerUse
{
    // Of the fields behind the name of the process, which is in brackets and may hold anything.
    private const int User = 11;
    private const int System = 12;

    // What the system calls a tick, which has been a hundredth of a second since long.
    private const double NanosecondsPerTick = 1e7;

    private static readonly string Folder = Environment.GetEnvironmentVariable("WIRE_RABBITMQ_FOLDER") ?? "";

    private static readonly string? Stat = Find();

    /// <summary>The processor time in nanoseconds since the broker was started; not a number where that is not known.</summary>
    public static double Nanoseconds()
    {
        if (Stat is null)
        {
            return double.NaN;
        }

        string text = File.ReadAllText(Stat);
        string[] fields = text[(text.LastIndexOf(')') + 2)..].Split(' ');
        return (Ticks(fields[User]) + Ticks(fields[System])) * NanosecondsPerTick;
    }

    /// <summary>How many bytes all of its files have; null where that is not known.</summary>
    public static double? DiskBytes() => Stat is null ? null : Directory.EnumerateFiles(Folder, "*", SearchOption.AllDirectories).Sum(file => (double)new FileInfo(file).Length);

    private static double Ticks(string text) => double.Parse(text, CultureInfo.InvariantCulture);

    private static string? Find()
    {
        string file = Path.Combine(Folder, "pid");
        return OperatingSystem.IsLinux() && File.Exists(file) ? $"/proc/{File.ReadAllText(file).Trim()}/stat" : null;
    }
}
