using Quickstart.Contest;
using Quickstart.Metadata;

namespace Quickstart;

/// <summary>A graph that nobody shaped for a serializer: what the runtime's core library says about itself.</summary>
internal static class RealData
{
    private const double Million = 1e6;

    /// <summary>Sends the graph through both serializers, prints how they did, and returns whether it came back as it went.</summary>
    public static bool RoundTrip()
    {
        var progress = new Progress();
        string path = typeof(object).Assembly.Location;
        progress.Step($"{Path.GetFileName(path)}: read metadata");
        var graph = AssemblyLoader.Load(path, (done, total) => progress.Detail($"{100 * done / total} %"));

        string filePath = Path.Combine(Path.GetTempPath(), Path.GetRandomFileName());
        using var file = new FileStream(filePath, new FileStreamOptions
        {
            Mode = FileMode.CreateNew,
            Access = FileAccess.ReadWrite,
            Options = FileOptions.DeleteOnClose,
        });
        var race = new Race(graph, file, progress);
        var wire = race.Run(new WireRun());
        var json = race.Run(new JsonRun());
        progress.Clear();

        Console.WriteLine($"{graph.Name} {graph.Version}: {wire.Check.Objects:N0} objects");
        Print(wire, json);
        return Verified(wire) & Verified(json);
    }

    private static void Print(RaceResult wire, RaceResult json)
    {
        var table = new Table();
        table.Add("", wire.Name, json.Name, "ratio");
        table.Add("file size", Size(wire), Size(json), Ratio(wire.Size, json.Size));
        table.Add("write", Milliseconds(wire.Write), Milliseconds(json.Write), Ratio(wire.Write, json.Write));
        table.Add("", Throughput(wire, wire.Write), Throughput(json, json.Write));
        table.Add("", ObjectRate(wire, wire.Write), ObjectRate(json, json.Write));
        table.Add("read", Milliseconds(wire.Read), Milliseconds(json.Read), Ratio(wire.Read, json.Read));
        table.Add("", Throughput(wire, wire.Read), Throughput(json, json.Read));
        table.Add("", ObjectRate(wire, wire.Read), ObjectRate(json, json.Read));
        table.Print();
    }

    private static bool Verified(RaceResult result)
    {
        bool equal = result.Check.Difference is null;
        string verdict = equal ? "equal to the original, object by object, sharing included" : $"DIFFERENT: {result.Check.Difference}";
        Console.WriteLine($"{result.Name}: {verdict}");
        return equal;
    }

    private static string Size(RaceResult result) => $"{result.Size / Million:F1} MB";

    private static string Milliseconds(TimeSpan time) => $"{time.TotalMilliseconds:F0} ms";

    private static string Throughput(RaceResult result, TimeSpan time) =>
        $"{result.Size / Million / time.TotalSeconds:F0} MB/s";

    private static string ObjectRate(RaceResult result, TimeSpan time) =>
        $"{result.Check.Objects / Million / time.TotalSeconds:F1} M objects/s";

    private static string Ratio(double wire, double json) => $"{json / wire:F1} x";

    private static string Ratio(TimeSpan wire, TimeSpan json) => Ratio(wire.TotalSeconds, json.TotalSeconds);
}
