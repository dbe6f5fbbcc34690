namespace Wire.Testing;

/// <summary>Files that the tests compare with, in the source tree: written anew there on request.</summary>
public static class Repository
{
    /// <summary>The root of the repository.</summary>
    public static string Root { get; } = FindRoot();

    /// <summary>A file or folder of a project of tests.</summary>
    public static string Tests(string project, params string[] path) => Path.Combine([Root, "tests", project, .. path]);

    /// <summary>Whether a variable of the environment asks for something, as that files are written instead of compared.</summary>
    public static bool IsAskedFor(string variable) => Environment.GetEnvironmentVariable(variable) == "1";

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
