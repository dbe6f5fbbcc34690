namespace Wire.Benchmarks.Peers;

/// <summary>
/// A library that is built from its source, outside of the project, and takes part where the build finds it: docs/performance/README.md
/// says where that is.
/// </summary>
internal abstract class SourcePeer : Peer
{
    private const int ShortCommit = 8;

    /// <summary>The name of its folder, by which the list of commits knows it.</summary>
    public virtual string Folder => Name;

    /// <summary>A sentence that names those which take part with what they were built from; empty when there are none.</summary>
    public static string Describe()
    {
        string[] names = [.. All.OfType<SourcePeer>().Select(peer => $"{peer.Name}{Commit(peer.Folder)}")];
        return names.Length == 0 ? "" : $" Built from source: {string.Join(", ", names)}.";
    }

    // The build puts the list beside the program: lines of a name, a commit, and where it is from.
    private static string Commit(string folder)
    {
        string path = Path.Combine(AppContext.BaseDirectory, "peers.txt");
        string? line = File.Exists(path)
            ? File.ReadLines(path).FirstOrDefault(line => line.StartsWith($"{folder} ", StringComparison.Ordinal))
            : null;
        return line is null ? "" : $" {line.Split(' ')[1][..ShortCommit]}";
    }
}
