using System.Security.Cryptography;
using Wire.Testing;
using Wire.Tests.Testing;

namespace Wire.Tests.Golden;

/// <summary>
/// The vectors in <c>tests/Compat</c> are never edited: each version has a list of their hashes, which <c>sha256sum -c</c> reads
/// too. <c>WIRE_GOLDEN_WRITE=1 dotnet test</c> adds the lines of new vectors and changes no other.
/// </summary>
public sealed class CompatTests
{
    private const string Sums = "SHA256SUMS";

    public static TheoryData<string> Versions() => [.. GoldenFile.Versions.Select(version => Path.GetFileName(version))];

    [Theory]
    [MemberData(nameof(Versions))]
    public void No_vector_is_changed_or_taken_away(string version)
    {
        string folder = GoldenFile.Versions.Single(folder => Path.GetFileName(folder) == version);
        string list = Path.Combine(folder, Sums);
        string[] vectors = [.. Directory.GetFiles(folder, "*.golden", SearchOption.AllDirectories)
            .Select(file => Path.GetRelativePath(folder, file).Replace('\\', '/'))
            .Order(StringComparer.Ordinal)];
        if (Repository.IsAskedFor(GoldenFile.Write))
        {
            Dictionary<string, string> kept = Lines(list).ToDictionary(line => line[66..]);
            File.WriteAllLines(list, vectors.Select(vector => kept.GetValueOrDefault(vector) ?? Line(folder, vector)));
        }

        Assert.NotEmpty(vectors);
        Assert.Equal(vectors.Select(vector => Line(folder, vector)), Lines(list));
    }

    private static string[] Lines(string list) => File.Exists(list) ? File.ReadAllLines(list) : [];

    private static string Line(string folder, string vector) =>
        $"{Convert.ToHexStringLower(SHA256.HashData(File.ReadAllBytes(Path.Combine(folder, vector))))}  {vector}";
}
