using System.Globalization;
using Wire.Testing;

namespace Wire.Tool.Tests;

/// <summary>The payloads in tests/Compat.</summary>
internal static class Golden
{
    /// <summary>Reads all of them.</summary>
    public static IEnumerable<(string Name, byte[] Bytes)> Payloads() =>
        Directory.EnumerateFiles(Repository.Tests("Compat"), "*.golden", SearchOption.AllDirectories).SelectMany(Read);

    private static IEnumerable<(string Name, byte[] Bytes)> Read(string file)
    {
        string title = "";
        var bytes = new List<byte>();
        foreach (string line in File.ReadLines(file).Append(""))
        {
            if (line.StartsWith("payload: ", StringComparison.Ordinal))
            {
                title = line;
            }
            else if (title.Length > 0 && line.Length > 2 && line[2] == ' ' && line.IndexOf('|') is > 0 and int bar)
            {
                bytes.AddRange(line[..bar].Split(' ', StringSplitOptions.RemoveEmptyEntries)
                    .Select(hex => byte.Parse(hex, NumberStyles.HexNumber, CultureInfo.InvariantCulture)));
            }
            else if (line.Length == 0 && bytes.Count > 0)
            {
                yield return ($"{Path.GetFileName(file)}, {title}", bytes.ToArray());
                bytes.Clear();
                title = "";
            }
        }
    }
}
