using System.Diagnostics;

namespace Wire.Benchmarks.Quoted;

/// <summary>
/// A row of a library that cannot do what the scenario asks for. The reason is what comes of the attempt, in a process of its own, since
/// it may end the process.
/// </summary>
internal sealed class RefusedRow(Scenario scenario, Row row) : Row(row.Name, row.Typing)
{
    /// <summary>The argument by which the program makes the attempt.</summary>
    public const string Mode = "--attempt";

    public override string Missing => field ??= Reason();

    /// <summary>Runs in that process: prints why the row does not read what it writes.</summary>
    public static void Attempt(Suite suite, string scenario, string name)
    {
        RefusedRow refused = suite.Scenarios.Single(item => item.Name == scenario).Rows().OfType<RefusedRow>()
            .Single(item => item.Name == name);
        try
        {
            refused.Prepare();
        }
        catch (Exception exception)
        {
            // Of any library: what it says is the reason.
            Console.WriteLine($"{exception.GetType().Name}: {exception.Message}");
        }
    }

    public override void Prepare() => row.Prepare();

    public override void Write(int times) => row.Write(times);

    public override void Read(int times) => row.Read(times);

    public override void RoundTrip(int times) => row.RoundTrip(times);

    public override void Check() => row.Check();

    private string Reason()
    {
        ProcessStartInfo start = OwnProcess.Information(Mode, scenario.Name, Name);
        start.RedirectStandardError = true;
        using Process process = Process.Start(start) ?? throw new InvalidOperationException("A process for an attempt did not start.");
        Task<string> errors = process.StandardError.ReadToEndAsync();
        string said = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        string reason = FirstLine(process.ExitCode == 0 ? said : errors.GetAwaiter().GetResult());
        return reason.Length > 0
            ? (process.ExitCode == 0 ? "" : "the process ends: ") + reason.TrimEnd('.')
            : throw new InvalidOperationException($"{scenario.Name}: {Name} reads what it writes: it is not refused any more.");
    }

    private static string FirstLine(string text) => text.Split('\n', '\r')[0];
}
