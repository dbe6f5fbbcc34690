namespace Actors.Trial;

/// <summary>Prints a column for Wire and one for System.Text.Json, and of figures how much of the second the first is.</summary>
internal static class Table
{
    public static void PrintHead(string title, string last = "") =>
        Console.WriteLine($"{title,-50}{"Wire",20}{"System.Text.Json",20}{last,8}".TrimEnd());

    public static void PrintMedians(string label, Round[] wire, Round[] json, Func<Round, double> value, string format = "n0")
    {
        double byWire = Median(wire, value), byJson = Median(json, value);
        Console.WriteLine($"{"  " + label,-50}{byWire.ToString(format, null),20}{byJson.ToString(format, null),20}{byWire / byJson,8:f2}");
    }

    public static void Print(string label, object wire, object json) => Console.WriteLine($"{"  " + label,-50}{wire,20:n0}{json,20:n0}");

    private static double Median(Round[] rounds, Func<Round, double> value) => rounds.Select(value).Order().ElementAt(rounds.Length / 2);
}
