using System.Text.Json;

namespace Wire.Benchmarks;

/// <summary>One operation of one row: medians.</summary>
/// <param name="Nanoseconds">For one operation.</param>
/// <param name="Ratio">The median ratio to the floor's slice of the same round.</param>
/// <param name="Bytes">Allocated in one operation.</param>
internal sealed record Figures(double Nanoseconds, double Ratio, double Bytes);

/// <summary>One line of a table; without figures when the library cannot do it.</summary>
internal sealed record RowResult(string Name, Typing Typing, int Payload, Figures? Write, Figures? Read, Figures? RoundTrip, string? Missing)
{
    public IEnumerable<Figures?> Operations => [Write, Read, RoundTrip];
}

/// <summary>The table of one scenario; the first row is the floor.</summary>
internal sealed record ScenarioResult(string Name, IReadOnlyList<RowResult> Rows);

/// <summary>What one run has measured: the file that reports are made of.</summary>
internal sealed record Results(string Machine, string Date, IReadOnlyList<ScenarioResult> Scenarios)
{
    private static readonly JsonSerializerOptions Json = new() { WriteIndented = true };

    public static Results Load(string path) => JsonSerializer.Deserialize<Results>(File.ReadAllText(path), Json)
        ?? throw new InvalidDataException($"{path} holds no results.");

    public void Save(string path) => File.WriteAllText(path, JsonSerializer.Serialize(this, Json) + "\n");
}
