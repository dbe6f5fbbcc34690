using System.Globalization;
using System.Text;
using Wire.Testing;
using Wire.Tests.Testing;

namespace Wire.Tests.Golden;

/// <summary>The files of the golden vectors.</summary>
internal static class GoldenFile
{
    private const string Heading = "payload: ";

    /// <summary>Where those of F# types are.</summary>
    public static string FSharpFolder { get; } = Path.Combine(GoldenVectors.Folder, "FSharp");

    /// <summary>The vector of a sample in the folder of a version.</summary>
    public static string Of(string folder, string name) => Path.Combine(folder, name + ".golden");

    /// <summary>Where the streams of messages are, whose payloads belong together.</summary>
    public static string StreamsFolder { get; } = Path.Combine(GoldenVectors.Folder, "streams");

    /// <summary>Appends the block of a payload.</summary>
    public static void Append(StringBuilder text, string title, byte[] payload)
    {
        text.Append(CultureInfo.InvariantCulture, $"\n{Heading}{title}\n");
        foreach (byte[] row in payload.Chunk(16))
        {
            string hex = string.Join(' ', row.Select(b => b.ToString("X2", CultureInfo.InvariantCulture)));
            string readable = string.Concat(row.Select(b => b is >= 0x20 and < 0x7F ? (char)b : '.'));
            text.Append(CultureInfo.InvariantCulture, $"{hex,-47}  |{readable}|\n");
        }
    }

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
