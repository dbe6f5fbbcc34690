namespace Wire.Tests.Testing;

/// <summary>Files that the tests compare with, in the source tree: written anew there on request.</summary>
internal static class Repository
{
    public static string TestProject { get; } = Path.Combine(FindRoot(), "tests", "Wire.Tests");

    /// <summary>Whether a variable of the environment asks for files to be written instead of compared.</summary>
    public static bool IsAskedFor(string variable) => Environment.GetEnvironmentVariable(variable) == "1";

    /// <summary>The root of the repository.</summary>
    public static string Root { get; } = FindRoot();

    private static string FindRoot()
    {
        string? directory = AppContext.BaseDirectory;
        while (directory is not null && !File.Exists(Path.Combine(directory, "Wire.sln")))
        {
            directory = Path.GetDirectoryName(directory);
        }

        return directory ?? throw new DirectoryNotFoundException("No directory above the tests has Wire.sln.");
    }
}
