using System.Globalization;
using System.IO.Compression;
using System.Text;
using System.Xml.Linq;

namespace Packing;

/// <summary>The packages of a folder as the table of docs/packages.md: id, size, dependencies.</summary>
internal static class PackageTable
{
    /// <summary>Reads the packages of a folder.</summary>
    public static string From(string folder)
    {
        var table = new StringBuilder("| package | KiB | assemblies, KiB | depends on |\n|---|---|---|---|\n");
        foreach (string file in Directory.EnumerateFiles(folder, "*.nupkg").Order(StringComparer.Ordinal))
        {
            using ZipArchive package = ZipFile.OpenRead(file);
            using Stream nuspec = package.Entries.Single(entry => entry.FullName.EndsWith(".nuspec", StringComparison.Ordinal)).Open();
            XElement metadata = XDocument.Load(nuspec).Root!.Elements().Single(element => element.Name.LocalName == "metadata");
            string id = metadata.Elements().Single(element => element.Name.LocalName == "id").Value;
            string[] dependencies = [.. metadata.Descendants().Where(element => element.Name.LocalName == "dependency")
                .Select(element => $"`{element.Attribute("id")!.Value}` {element.Attribute("version")!.Value}")];
            string below = dependencies.Length == 0 ? "nothing" : string.Join(", ", dependencies);
            long assemblies = package.Entries.Where(entry => IsOf(id, entry)).Sum(entry => entry.Length);
            long size = Kibibytes(new FileInfo(file).Length);
            table.Append(CultureInfo.InvariantCulture, $"| `{id}` | {size} | {Kibibytes(assemblies)} | {below} |\n");
        }

        return table.ToString();
    }

    /// <summary>Writes the table in the place of the one that a page has.</summary>
    public static void Write(string table, string page)
    {
        string text = File.ReadAllText(page);
        int start = text.IndexOf(table[..table.IndexOf('\n', StringComparison.Ordinal)], StringComparison.Ordinal);
        int end = start < 0 ? -1 : text.IndexOf("\n\n", start, StringComparison.Ordinal);
        if (end < 0)
        {
            throw new InvalidDataException($"{page} has no table of packages.");
        }

        File.WriteAllText(page, text[..start] + table + text[(end + 1)..]);
    }

    // A tool carries those of others, too.
    private static bool IsOf(string id, ZipArchiveEntry entry) => entry.Name == $"Wire{id["WireSerializer".Length..]}.dll"
        || (entry.FullName.StartsWith("lib/", StringComparison.Ordinal) && entry.Name.EndsWith(".dll", StringComparison.Ordinal));

    private static long Kibibytes(long bytes) => (bytes + 1023) / 1024;
}
