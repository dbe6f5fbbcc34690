using System.Diagnostics;
using System.Globalization;
using Wire.Fuzz.Coverage;
using Wire.Testing.Fuzzing;

namespace Wire.Fuzz.Running;

/// <summary>
/// Makes a copy of the program with instrumented assemblies, lets a worker run in it, and watches: an input with which the worker
/// crashes or stops to go on is a finding, and another worker goes on after it.
/// </summary>
internal sealed class Supervisor(FuzzOptions options)
{
    private const int Confirmations = 2;
    private const int Frames = 2;
    private const int MaxMessage = 4000;

    // A case may take Oracle.Hang, twice; on a busy machine that much more.
    private static readonly TimeSpan Silence = 8 * Oracle.Hang;
    private static readonly TimeSpan Poll = TimeSpan.FromMilliseconds(200);
    private static readonly TimeSpan MinimizeFor = TimeSpan.FromSeconds(120);

    private static string Bin => Path.Combine(FuzzOptions.Work, "bin");

    /// <summary>Runs it all.</summary>
    /// <returns>How many findings there were.</returns>
    public int Run()
    {
        Directory.CreateDirectory(FuzzOptions.Work);
        using FileStream alone = new(FuzzOptions.Work + ".lock", FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None);
        (string Name, int Blocks)[] assemblies = Prepare();
        using var journal = new Journal(FuzzOptions.Work, assemblies.Sum(assembly => assembly.Blocks));
        var findings = new Findings(options.Vectors);
        long start = Stopwatch.GetTimestamp();
        for (int worker = 0; ; worker++)
        {
            double left = options.Seconds - Stopwatch.GetElapsedTime(start).TotalSeconds;
            if (left <= 0 || journal.Executions >= options.Executions)
            {
                break;
            }

            (int exit, string errors, bool isHung) =
                Watch((options with { Seed = options.Seed + worker }).ToWorkerArguments(left), journal);
            if (exit == 0)
            {
                break;
            }

            if (journal.Current() is not var (number, input) || (journal.Executions == 0 && worker > 0))
            {
                throw new InvalidOperationException($"The worker ended with {exit}, and not because of an input:\n{errors}");
            }

            Confirm(findings, AllTargets.All[number], input, isHung ? "hang" : "crash", errors);
        }

        return Summarize(assemblies, journal, Stopwatch.GetElapsedTime(start));
    }

    private (string Name, int Blocks)[] Prepare()
    {
        foreach (string old in new[] { Bin, Path.Combine(FuzzOptions.Work, "corpus") }.Where(Directory.Exists))
        {
            Directory.Delete(old, recursive: true);
        }

        Directory.CreateDirectory(options.CorpusFolder);
        foreach (string file in Directory.GetFiles(FuzzOptions.Work))
        {
            File.Delete(file);
        }

        CopyAll(AppContext.BaseDirectory, Bin);
        (string, int)[] assemblies =
            [.. InstrumentedAssemblies.Names.Select(name => (name, Instrumenter.Rewrite(Path.Combine(Bin, name + ".dll"))))];
        InstrumentedAssemblies.Write(Bin, assemblies);
        return assemblies;
    }

    private static void CopyAll(string from, string to)
    {
        Directory.CreateDirectory(to);
        foreach (string file in Directory.GetFiles(from))
        {
            File.Copy(file, Path.Combine(to, Path.GetFileName(file)));
        }
    }

    private void Confirm(Findings findings, Target target, byte[] input, string kind, string errors)
    {
        // The innermost methods of the library, as the runtime prints them.
        string place = string.Join(" < ", errors.Split('\n').Select(line => line.Trim()).Where(IsOfLibrary).Take(Frames));
        var finding = new Finding(
            target.Name, kind, place, kind == "hang" ? "It does not end." : errors.Length > MaxMessage ? errors[..MaxMessage] : errors);
        if (!findings.IsNew(finding))
        {
            return;
        }

        bool IsBad(byte[] candidate)
        {
            string file = new Regression(target.Name, kind, candidate).Write(Path.Combine(FuzzOptions.Work, "candidates"));
            (int exit, _, bool isHung) = Watch(["--replay", file], journal: null);
            return isHung || exit is not (0 or 1);
        }

        if (Enumerable.Range(0, Confirmations).All(_ => IsBad(input)))
        {
            findings.Add(finding, kind == "crash" ? Minimizer.Minimize(input, IsBad, MinimizeFor) : input);
        }
        else
        {
            // A machine that was busy, or the state that earlier inputs had left: a hang that does not come again is not counted.
            Console.WriteLine($"A {kind} in {target.Name} did not come again: {Convert.ToHexString(input)}");
            if (kind == "crash")
            {
                findings.Add(finding with { Kind = "crash, once" }, input);
            }
        }
    }

    private static bool IsOfLibrary(string line) =>
        line.StartsWith("at Wire.", StringComparison.Ordinal)
            && !line.StartsWith("at Wire.Tests", StringComparison.Ordinal)
            && !line.StartsWith("at Wire.Fuzz", StringComparison.Ordinal);

    private static (int Exit, string Errors, bool IsHung) Watch(IEnumerable<string> arguments, Journal? journal)
    {
        var start = new ProcessStartInfo("dotnet", [Path.Combine(Bin, typeof(Supervisor).Assembly.GetName().Name + ".dll"), .. arguments])
        {
            RedirectStandardError = true,

            // Only what a worker says is of interest; a replay says by its exit code what it has seen.
            RedirectStandardOutput = journal is null,
        };
        start.Environment["DOTNET_DbgEnableMiniDump"] = "0";
        using Process process = Process.Start(start) ?? throw new InvalidOperationException("No worker could be started.");
        Task<string> errors = process.StandardError.ReadToEndAsync();
        Task<string>? replayed = journal is null ? process.StandardOutput.ReadToEndAsync() : null;
        long beats = -1;
        long since = Stopwatch.GetTimestamp();
        while (!process.WaitForExit(Poll))
        {
            if (journal is not null && journal.Beats != beats)
            {
                beats = journal.Beats;
                since = Stopwatch.GetTimestamp();
            }
            else if (Stopwatch.GetElapsedTime(since) > Silence)
            {
                process.Kill(entireProcessTree: true);
                process.WaitForExit();
                return (process.ExitCode, errors.Result, true);
            }
        }

        replayed?.Wait();
        return (process.ExitCode, errors.Result, false);
    }

    private static int Summarize((string Name, int Blocks)[] assemblies, Journal journal, TimeSpan taken)
    {
        string[] findings = Findings.All();
        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture, $"executions: {journal.Executions:N0}, {journal.Executions / taken.TotalSeconds:N0} a second"));
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"corpus: {journal.CorpusSize:N0} inputs"));
        Span<byte> seen = journal.Seen.Span;
        foreach ((string name, int blocks) in assemblies)
        {
            int reached = blocks - seen[..blocks].Count((byte)0);
            Console.WriteLine(string.Create(
                CultureInfo.InvariantCulture, $"blocks of {name}: {reached:N0} of {blocks:N0} ({100.0 * reached / blocks:N1} %)"));
            seen = seen[blocks..];
        }

        Console.WriteLine($"findings: {findings.Length}");
        foreach (string finding in findings)
        {
            Console.WriteLine($"  {finding}");
        }

        return findings.Length;
    }
}
