using System.ComponentModel;
using System.Diagnostics;
using System.Globalization;

namespace Wire.Instructions;

/// <summary>Runs this program in valgrind, with a runtime whose work is the same each time.</summary>
internal static class Callgrind
{
    /// <summary>The argument that makes this program the one that is counted.</summary>
    public const string Count = "--count";

    /// <summary>The argument that makes this program set a mark and do nothing else.</summary>
    public const string Probe = "--probe";

    private const string Dumps = "out";

    private static readonly (string Name, string Value)[] Environment =
    [
        // Compiled once, fully, and the same whatever ran before.
        ("DOTNET_TieredCompilation", "0"),
        ("DOTNET_TieredPGO", "0"),

        // No collection falls into what is counted (hexadecimal: 512 MB for the youngest generation), and none has a thread of its own.
        // The bound keeps the runtime from reserving more addresses than valgrind has.
        ("DOTNET_gcServer", "0"),
        ("DOTNET_gcConcurrent", "0"),
        ("DOTNET_GCgen0size", "20000000"),
        ("DOTNET_GCHeapHardLimit", "40000000"),

        // No thread that waits for a debugger or a profiler, and no second view of the memory of code, which takes valgrind long.
        ("DOTNET_EnableDiagnostics", "0"),
        ("DOTNET_EnableWriteXorExecute", "0"),
    ];

    /// <summary>Whether there is a valgrind.</summary>
    public static bool IsInstalled()
    {
        try
        {
            using Process version = Start(new ProcessStartInfo("valgrind", ["--version"]));
            version.StandardOutput.ReadToEnd();
            version.WaitForExit();
            return version.ExitCode == 0;
        }
        catch (Win32Exception)
        {
            return false;
        }
    }

    /// <summary>Whether valgrind can run .NET on this machine, and notices marks.</summary>
    public static bool IsUsable() => InFolder(folder => Run(folder, Probe, out _, out _) == 0 && File.Exists(Dump(folder, 1)));

    /// <summary>Counts every operation.</summary>
    /// <exception cref="InvalidOperationException">That has failed.</exception>
    public static Counts Measure() => InFolder(folder =>
    {
        int status = Run(folder, Count, out string output, out string error);
        if (status != 0)
        {
            throw new InvalidOperationException($"The program that is counted ended with {status}.\n{error}");
        }

        string[] slow = [.. File.ReadLines(Compiled(folder)).Where(line => !line.Contains("[FullOpts", StringComparison.Ordinal))];
        return slow.Length == 0
            ? Parse(folder, output.TrimEnd().Split('\n'))
            : throw new InvalidOperationException(
                $"{slow.Length} methods were not optimized, so the counts say nothing. The first one is:\n{slow[0]}");
    });

    // The lines say what was done between the marks, and callgrind has written down what it took.
    private static Counts Parse(string folder, string[] lines)
    {
        var counts = new Dictionary<string, double[]>();
        int marks = 1;
        foreach (string line in lines.Skip(1))
        {
            int space = line.IndexOf(' ', StringComparison.Ordinal);
            int times = int.Parse(line.AsSpan(0, space), CultureInfo.InvariantCulture);
            double[] rounds = new double[Counted.Rounds];
            foreach (ref double round in rounds.AsSpan())
            {
                // Between the first mark and the second are so many operations, between the second and the third twice as many.
                long once = Instructions(folder, marks + 2);
                round = (double)(Instructions(folder, marks + 3) - once) / times;
                marks += Counted.Marks;
            }

            counts.Add(line[(space + 1)..], rounds);
        }

        return File.Exists(Dump(folder, marks + 1))
            ? throw new InvalidOperationException(
                $"Something else has called {Mark.Function}: the stretches that were counted are not those of the operations.")
            : new Counts(lines[0], counts);
    }

    private static T InFolder<T>(Func<string, T> work)
    {
        string folder = Directory.CreateTempSubdirectory("wire").FullName;
        try
        {
            return work(folder);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    private static int Run(string folder, string argument, out string output, out string error)
    {
        var start = new ProcessStartInfo("valgrind",
        [
            "--tool=callgrind",
            "--smc-check=all-non-file", // The runtime writes code and changes it.

            // Above 4 GB: for code in the lowest addresses the compiler of .NET 10 gives up optimizing every method that calls another.
            "--aspace-minaddr=0x200000000",
            $"--instr-atstart={(Instrumentation.IsKnown ? "no" : "yes")}",
            $"--dump-before={Mark.Function}",
            $"--callgrind-out-file={Path.Combine(folder, Dumps)}",
            System.Environment.ProcessPath!,
            typeof(Callgrind).Assembly.Location,
            argument,
        ]);
        foreach ((string name, string value) in Environment)
        {
            start.Environment[name] = value;
        }

        // A line for each method that is compiled, and how.
        start.Environment["DOTNET_JitStdOutFile"] = Compiled(folder);
        start.Environment["DOTNET_JitDisasmSummary"] = "1";
        using Process process = Start(start);
        Task<string> errors = process.StandardError.ReadToEndAsync();
        output = process.StandardOutput.ReadToEnd();
        error = errors.GetAwaiter().GetResult();
        process.WaitForExit();
        return process.ExitCode;
    }

    private static Process Start(ProcessStartInfo start)
    {
        start.RedirectStandardOutput = true;
        start.RedirectStandardError = true;
        return Process.Start(start)!;
    }

    private static string Compiled(string folder) => Path.Combine(folder, "compiled");

    private static string Dump(string folder, int number) => Path.Combine(folder, $"{Dumps}.{number}");

    private static long Instructions(string folder, int number)
    {
        const string Total = "totals: ";
        string dump = Dump(folder, number);
        if (!File.Exists(dump))
        {
            throw new InvalidOperationException("Callgrind has not written down what it counted between two marks.");
        }

        string line = File.ReadLines(dump).First(line => line.StartsWith(Total, StringComparison.Ordinal));
        return long.Parse(line.AsSpan(Total.Length), CultureInfo.InvariantCulture);
    }
}
