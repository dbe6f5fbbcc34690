using System.Runtime.CompilerServices;

namespace Wire.Tests.Testing;

/// <summary>Where the files of the repository are that tests read.</summary>
internal static class Repository
{
    public static string Root { get; } = Find();

    // Not from where the tests run: their output may lie anywhere.
    private static string Find([CallerFilePath] string file = "") =>
        Path.GetFullPath(Path.Combine(Path.GetDirectoryName(file)!, "..", "..", ".."));
}
