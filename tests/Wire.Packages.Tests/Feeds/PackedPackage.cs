using System.IO.Compression;
using System.Xml.Linq;

namespace Wire.Packages.Tests.Feeds;

/// <summary>What is in a package.</summary>
public sealed class PackedPackage
{
    private readonly Dictionary<string, byte[]> _files = [];

    /// <summary>Reads a package.</summary>
    /// <param name="path">The path of its file.</param>
    public PackedPackage(string path)
    {
        using ZipArchive archive = ZipFile.OpenRead(path);
        foreach (ZipArchiveEntry entry in archive.Entries)
        {
            using Stream stream = entry.Open();
            using var bytes = new MemoryStream();
            stream.CopyTo(bytes);
            _files.Add(entry.FullName, bytes.ToArray());
        }

        XElement root = XDocument.Parse(Text(_files.Keys.Single(name => name.EndsWith(".nuspec", StringComparison.Ordinal)))).Root!;
        foreach (XElement element in root.DescendantsAndSelf())
        {
            element.Name = element.Name.LocalName;
        }

        Metadata = root.Element("metadata")!;
    }

    /// <summary>The names of all files.</summary>
    public IReadOnlyCollection<string> Names => _files.Keys;

    /// <summary>What the nuspec says, without namespaces.</summary>
    public XElement Metadata { get; }

    /// <summary>The packages that this one depends on, with their ranges.</summary>
    public Dictionary<string, string> Dependencies => Metadata.Descendants("dependency").ToDictionary(
        element => element.Attribute("id")!.Value, element => element.Attribute("version")!.Value);

    /// <summary>The documentation of the assemblies, as IDs with their elements.</summary>
    public Dictionary<string, XElement> Documentation => Libraries
        .SelectMany(name => XDocument.Parse(Text($"{Folder}/{name}.xml")).Descendants("member"))
        .ToDictionary(element => element.Attribute("name")!.Value, element => element);

    /// <summary>The bytes of the assembly that has the name of the package.</summary>
    public byte[] Assembly => _files[$"{Folder}/{Libraries[0]}.dll"];

    /// <summary>The bytes of all assemblies that belong to this package, and to no other one that a tool carries.</summary>
    public byte[][] Assemblies => [.. Libraries.Select(name => _files[$"{Folder}/{name}.dll"])];

    /// <summary>The bytes of a file.</summary>
    /// <param name="name">The name in the package.</param>
    public byte[] Bytes(string name) => _files[name];

    /// <summary>The text of a file.</summary>
    /// <param name="name">The name in the package.</param>
    public string Text(string name)
    {
        using var reader = new StreamReader(new MemoryStream(_files[name]));
        return reader.ReadToEnd();
    }

    /// <summary>Writes the same package with another version.</summary>
    /// <param name="folder">The folder to write to.</param>
    /// <param name="version">The other version.</param>
    public void CopyAs(string folder, string version)
    {
        string old = Metadata.Element("version")!.Value;
        string file = Path.Combine(folder, $"{Metadata.Element("id")!.Value}.{version}.nupkg");
        using ZipArchive archive = ZipFile.Open(file, ZipArchiveMode.Create);
        foreach ((string name, byte[] bytes) in _files)
        {
            using Stream stream = archive.CreateEntry(name).Open();
            if (name.EndsWith(".nuspec", StringComparison.Ordinal))
            {
                using var writer = new StreamWriter(stream);
                writer.Write(Text(name).Replace(old, version, StringComparison.Ordinal));
            }
            else
            {
                stream.Write(bytes);
            }
        }
    }

    /// <summary>Gets whether it is a tool, with all that it needs, and not a library.</summary>
    public bool IsTool => Metadata.Descendants("packageType").Any(type => type.Attribute("name")!.Value == "DotnetTool");

    /// <summary>The folder of the assembly.</summary>
    public string Folder => IsTool ? "tools/net10.0/any" : "lib/net10.0";

    // The one that has the package's name is first.
    private string[] Libraries => SourceTree.Assemblies[Metadata.Element("id")!.Value];
}
