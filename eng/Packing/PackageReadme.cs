using System.Text.RegularExpressions;

namespace Packing;

/// <summary>The README of a package: that of the library, with links that work on a package site.</summary>
internal static partial class PackageReadme
{
    /// <summary>Makes links absolute, or plain text where no address is known, so that none is dead.</summary>
    /// <param name="readme">The path of the README.</param>
    /// <param name="root">The root of the repository.</param>
    /// <param name="address">The address of the repository's files, or null.</param>
    public static string Convert(string readme, string root, string? address)
    {
        string folder = Path.GetDirectoryName(Path.GetFullPath(readme))!;
        return Part().Replace(File.ReadAllText(readme), match =>
        {
            if (!match.Groups["target"].Success || match.Groups["target"].Value.Contains("://", StringComparison.Ordinal))
            {
                return match.Value;
            }

            string[] target = match.Groups["target"].Value.Split('#', 2);
            string file = Path.GetFullPath(Path.Combine(folder, target[0]));
            if (!Path.Exists(file))
            {
                throw new InvalidDataException($"{readme} links to {target[0]}, which does not exist.");
            }

            string text = match.Groups["text"].Value;
            string path = Path.GetRelativePath(root, file).Replace('\\', '/');
            return string.IsNullOrEmpty(address) ? text
                : $"[{text}]({address.TrimEnd('/')}/{path}{(target.Length == 2 ? "#" + target[1] : "")})";
        });
    }

    // Code as it stands, or a link.
    [GeneratedRegex(
        @"^```.*?^```|`[^`\n]*`(?!\])|\[(?<text>[^\]\n]+)\]\((?<target>[^)\s]+)\)", RegexOptions.Multiline | RegexOptions.Singleline)]
    private static partial Regex Part();
}
