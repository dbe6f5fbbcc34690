using System.Globalization;
using System.Reflection;

namespace Wire.Fuzz.Coverage;

/// <summary>Which assemblies are instrumented, and how many blocks each has: a file beside them says so.</summary>
internal static class InstrumentedAssemblies
{
    private const string FileName = "blocks.txt";

    public static IReadOnlyList<string> Names { get; } =
        ["Wire", "Wire.Inspection", "Wire.FSharp", "Wire.Amqp", "Wire.Transport", "Wire.RabbitMQ.Streams"];

    public static void Write(string folder, IEnumerable<(string Name, int Blocks)> assemblies) =>
        File.WriteAllLines(
            Path.Combine(folder, FileName), assemblies.Select(a => $"{a.Name} {a.Blocks.ToString(CultureInfo.InvariantCulture)}"));

    /// <summary>Those of this program.</summary>
    public static (Assembly Assembly, int Blocks)[] Load() =>
    [
        .. File.ReadAllLines(Path.Combine(AppContext.BaseDirectory, FileName))
            .Select(line => line.Split(' '))
            .Select(parts => (Assembly.Load(parts[0]), int.Parse(parts[1], CultureInfo.InvariantCulture))),
    ];
}
