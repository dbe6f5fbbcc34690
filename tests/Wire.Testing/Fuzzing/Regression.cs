using System.Security.Cryptography;
using System.Text;

namespace Wire.Testing.Fuzzing;

/// <summary>An input that once broke a promise, kept in a file: a target, what had happened, and the bytes.</summary>
public sealed record Regression(string Target, string Found, byte[] Input)
{
    private const int BytesPerLine = 32;

    /// <summary>Where the vectors are of the targets that a project of tests has.</summary>
    public static string FolderOf(string project) => Repository.Tests(project, "Hostile", "Regressions");

    /// <summary>The files of these vectors; none where nothing was found yet.</summary>
    public static string[] FilesOf(string project) => Directory.Exists(FolderOf(project))
        ? [.. Directory.GetFiles(FolderOf(project), "*.txt").Order(StringComparer.Ordinal)]
        : [];

    public static Regression Read(string file)
    {
        string[] lines = File.ReadAllLines(file);
        string hex = string.Concat(
            lines.SkipWhile(line => line != "input:").Skip(1).Select(line => line.Replace(" ", "", StringComparison.Ordinal)));
        return new Regression(Field("target: "), Field("found: "), Convert.FromHexString(hex));

        string Field(string name) => lines.Single(line => line.StartsWith(name, StringComparison.Ordinal))[name.Length..];
    }

    /// <summary>Writes the vector to a folder, under a name that its contents give.</summary>
    public string Write(string folder)
    {
        Directory.CreateDirectory(folder);
        string hash = Convert.ToHexStringLower(SHA256.HashData(Input))[..8];
        string file = Path.Combine(folder, $"{Target.Replace(' ', '-')}-{hash}.txt");
        var text = new StringBuilder($"target: {Target}\nfound: {Found.Replace('\n', ' ')}\ninput:\n");
        foreach (byte[] row in Input.Chunk(BytesPerLine))
        {
            text.Append(Convert.ToHexString(row)).Append('\n');
        }

        File.WriteAllText(file, text.ToString());
        return file;
    }
}
