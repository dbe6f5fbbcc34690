namespace Wire.Benchmarks.Reports;

/// <summary>A page of the documentation, of which commands write what stands between markers.</summary>
internal sealed class Page
{
    private readonly string _path;

    private Page(string name) => _path = Path.Combine(Folder, name + ".md");

    public static Page Serializer { get; } = new("serializer");

    public static Page Copies { get; } = new("copies");

    public static Page Documents { get; } = new("documents");

    public static Page Into { get; } = new("into");

    public static Page Views { get; } = new("views");

    public static Page Frames { get; } = new("frames");

    public static Page Quoted { get; } = new("quoted");

    public static Page Amqp { get; } = new("amqp");

    public static Page Client { get; } = new("client");

    public static Page RabbitMQ { get; } = new("rabbitmq");

    public static Page Streams { get; } = new("streams");

    public static Page ColdStart { get; } = new("cold-start");

    /// <summary>The folder of the pages.</summary>
    public static string Folder => field ??= FindFolder();

    /// <summary>Writes what stands between the markers of one section. Prose outside of the markers stays.</summary>
    public void Write(string section, string content)
    {
        string begin = $"<!-- generated: {section} -->";
        string end = $"<!-- end of {section} -->";
        string text = File.ReadAllText(_path);
        int from = text.IndexOf(begin, StringComparison.Ordinal);
        int to = text.IndexOf(end, StringComparison.Ordinal);
        if (from < 0 || to <= from)
        {
            throw new InvalidDataException($"The page has no markers '{begin}' and '{end}'.");
        }

        File.WriteAllText(_path, $"{text[..(from + begin.Length)]}\n\n{content.Trim('\n')}\n\n{text[to..]}");
        Console.WriteLine($"Written: {_path}, {section}");
    }

    // From the folder of the program upwards: the report can be made from anywhere.
    private static string FindFolder()
    {
        for (DirectoryInfo? folder = new(AppContext.BaseDirectory); folder is not null; folder = folder.Parent)
        {
            if (File.Exists(Path.Combine(folder.FullName, "Wire.sln")))
            {
                return Path.Combine(folder.FullName, "docs", "performance");
            }
        }

        throw new DirectoryNotFoundException("There is no Wire.sln above the program.");
    }
}
