using System.Text.RegularExpressions;

namespace Packing;

/// <summary>The README of a package, that of the library, and the pages that it leads to, which the package carries.</summary>
/// <remarks>A link leads to an address or to another page, or is plain text where no address is known, so that none is dead.</remarks>
internal sealed partial class PackageReadme
{
    private readonly string _readme;
    private readonly string _root;
    private readonly string? _address;

    /// <summary>Reads a README.</summary>
    /// <param name="readme">The path of the README.</param>
    /// <param name="root">The root of the repository.</param>
    /// <param name="address">The address of the repository's files, or null.</param>
    public PackageReadme(string readme, string root, string? address)
    {
        (_readme, _root, _address) = (Path.GetFullPath(readme), Path.GetFullPath(root), address?.TrimEnd('/'));
        Pages = [.. Part().Matches(File.ReadAllText(readme)).Select(match => Target(_readme, match)).OfType<string>()
            .Where(path => path.StartsWith("docs/", StringComparison.Ordinal)).Distinct().Order(StringComparer.Ordinal)];
    }

    /// <summary>The paths of the pages, which are those in the repository.</summary>
    public string[] Pages { get; }

    /// <summary>Writes the README and the pages.</summary>
    /// <param name="folder">The folder that stands for the package.</param>
    public void Write(string folder)
    {
        Write(_readme, Path.Combine(folder, "README.md"));
        foreach (string page in Pages)
        {
            Write(Path.Combine(_root, page), Path.Combine(folder, page));
        }
    }

    private void Write(string file, string output)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(output)!);
        File.WriteAllText(output, Part().Replace(File.ReadAllText(file), match =>
        {
            if (Target(file, match) is not { } target)
            {
                return match.Value;
            }

            string text = match.Groups["text"].Value;
            bool isHere = Pages.Contains(target);
            return isHere && file != _readme ? match.Value
                : !string.IsNullOrEmpty(_address) ? $"[{text}]({_address}/{target}{match.Groups["anchor"].Value})"
                : isHere ? $"{text} (`{target}` in this package)"
                : text;
        }));
    }

    // What a link leads to in the repository; null for code, an address, and a heading of the same file.
    private string? Target(string file, Match match)
    {
        string link = match.Groups["target"].Value;
        if (link.Length == 0 || link.Contains("://", StringComparison.Ordinal))
        {
            return null;
        }

        // Those of pages are looked at by the tests, with all that they lead to.
        string path = Path.GetFullPath(Path.Combine(Path.GetDirectoryName(file)!, link));
        return file != _readme || Path.Exists(path) ? Path.GetRelativePath(_root, path).Replace('\\', '/')
            : throw new InvalidDataException($"{file} links to {link}, which does not exist.");
    }

    // Code as it stands, or a link; that to a picture too, which a package shows as one.
    [GeneratedRegex(
        @"^```.*?^```|`[^`\n]*`(?!\])|!?\[(?<text>[^\]]+)\]\((?<target>[^)\s#]*)(?<anchor>#[^)\s]*)?\)",
        RegexOptions.Multiline | RegexOptions.Singleline)]
    private static partial Regex Part();
}
