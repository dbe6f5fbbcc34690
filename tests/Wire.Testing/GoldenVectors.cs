using System.Security.Cryptography;

namespace Wire.Testing;

/// <summary>
/// The files of golden vectors in <c>tests/Compat</c>, in a folder for each version of the format that a release has written. They are
/// never edited: <c>SHA256SUMS</c> in each folder has their hashes, as <c>sha256sum -c</c> reads them.
/// </summary>
/// <remarks><c>WIRE_GOLDEN_WRITE=1 dotnet test</c> writes those that are new, with their hashes, and changes none that is there.</remarks>
public static class GoldenVectors
{
    // The version of the format that is written now; docs/format.md is its specification.
    private const string Current = "1.0";

    private const string Sums = "SHA256SUMS";

    /// <summary>Whether new vectors are asked for.</summary>
    public static bool IsWriting { get; } = Repository.IsAskedFor("WIRE_GOLDEN_WRITE");

    /// <summary>A folder for each version of the format that a release has written.</summary>
    public static string[] Versions { get; } = Directory.GetDirectories(Path.Combine(Repository.Root, "tests", "Compat"));

    /// <summary>The folder of the version that is written now.</summary>
    public static string Folder { get; } = FolderOf(Current);

    /// <summary>The folder of a version.</summary>
    public static string FolderOf(string version) => Versions.Single(folder => Path.GetFileName(folder) == version);

    /// <summary>Reads a vector of the version that is written now; writes it, and its hash, when it is new and that is asked for.</summary>
    public static string Read(string file, Func<string> text)
    {
        if (IsWriting && !File.Exists(file))
        {
            Directory.CreateDirectory(Path.GetDirectoryName(file)!);
            File.WriteAllText(file, text());
            AddHash(file);
        }

        return File.Exists(file)
            ? File.ReadAllText(file)
            : throw new FileNotFoundException($"There is no {file}: WIRE_GOLDEN_WRITE=1 dotnet test writes new vectors with their hashes.");
    }

    /// <summary>The lines of a version's list of hashes.</summary>
    public static string[] HashesOf(string version) => File.ReadAllLines(Path.Combine(FolderOf(version), Sums));

    /// <summary>The lines that the list of a version should have.</summary>
    public static string[] ActualHashesOf(string version) =>
    [
        .. Directory.GetFiles(FolderOf(version), "*.golden", SearchOption.AllDirectories)
            .Select(file => HashOf(FolderOf(version), file))
            .OrderBy(NameOf, StringComparer.Ordinal),
    ];

    // Several tests write at the same time: each adds its line to what the others have added.
    private static void AddHash(string file)
    {
        using FileStream list = Open(Path.Combine(Folder, Sums));
        using var reader = new StreamReader(list);
        string[] lines = reader.ReadToEnd().Split('\n', StringSplitOptions.RemoveEmptyEntries);
        string added = HashOf(Folder, file);
        list.SetLength(0);
        using var writer = new StreamWriter(list);
        foreach (string line in lines.Append(added).OrderBy(NameOf, StringComparer.Ordinal))
        {
            writer.Write(line + "\n");
        }
    }

    private static FileStream Open(string file)
    {
        while (true)
        {
            try
            {
                return new FileStream(file, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None);
            }
            catch (IOException e) when (e is not (DirectoryNotFoundException or PathTooLongException))
            {
                Thread.Sleep(10);
            }
        }
    }

    private static string HashOf(string folder, string file) =>
        $"{Convert.ToHexStringLower(SHA256.HashData(File.ReadAllBytes(file)))}  {Path.GetRelativePath(folder, file).Replace('\\', '/')}";

    private static string NameOf(string line) => line[66..];
}
