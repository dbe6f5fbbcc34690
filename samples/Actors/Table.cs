namespace Actors;

/// <summary>Prints one column for Wire, one for System.Text.Json, and how often the one goes into the other.</summary>
internal static class Table
{
    public static void PrintHead(string title) => Console.WriteLine($"{title,-50}{"Wire",20}{"System.Text.Json",20}{"x",8}");

    public static void PrintMedians(string label, Round[] wire, Round[] json, Func<Round, double> value, string format = "n0") =>
        Print(label, Median(wire, value), Median(json, value), format);

    public static void Print(string label, double wire, double json, string format = "n0") => Console.WriteLine(
        $"{"  " + label,-50}{wire.ToString(format, null),20}{json.ToString(format, null),20}{(json == 0 ? "" : $"{wire / json:f2}"),8}");

    public static void PrintWords(string label, object wire, object json) => Console.WriteLine($"{"  " + label,-50}{wire,20}{json,20}");

    private static double Median(Round[] rounds, Func<Round, double> value) => rounds.Select(value).Order().ElementAt(rounds.Length / 2);
}
