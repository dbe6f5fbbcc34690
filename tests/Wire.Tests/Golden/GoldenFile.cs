using Wire.Tests.Testing;

namespace Wire.Tests.Golden;

/// <summary>The files of the golden vectors.</summary>
internal static class GoldenFile
{
    private const string Heading = "payload: ";

    /// <summary>Where the vectors are.</summary>
    public static string Folder { get; } = Path.Combine(Repository.TestProject, "Golden");

    /// <summary>Where those of F# types are.</summary>
    public static string FSharpFolder { get; } = Path.Combine(Repository.Root, "tests", "Wire.FSharp.Tests", "Golden");

    /// <summary>The payloads that the lines of a file have, each with the options that it was written with.</summary>
    public static List<(string Title, byte[] Bytes)> Payloads(string[] lines)
    {
        var payloads = new List<(string Title, byte[] Bytes)>();
        bool inPayload = false;
        foreach (string line in lines)
        {
            if (line.StartsWith(Heading, StringComparison.Ordinal))
            {
                payloads.Add((line[Heading.Length..], []));
                inPayload = true;
            }
            else if (line.Length == 0)
            {
                inPayload = false;
            }
            else if (inPayload)
            {
                (string title, byte[] bytes) = payloads[^1];
                byte[] row = Convert.FromHexString(line.Split('|')[0].Replace(" ", "", StringComparison.Ordinal));
                payloads[^1] = (title, [.. bytes, .. row]);
            }
        }

        return payloads;
    }
}
