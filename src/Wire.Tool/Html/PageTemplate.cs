using System.Text;

namespace Wire.Tool.Html;

/// <summary>The page as it is built from <c>web/page</c>: four texts, with the places of three others between them.</summary>
internal static class PageTemplate
{
    private static readonly string[] Marks = ["@@title@@", "@@form@@", "@@payload@@"];

    /// <summary>Gets the texts in front of the title, of the form and of the payload, and the one behind it.</summary>
    public static byte[][] Pieces { get; } = Split();

    private static byte[][] Split()
    {
        using Stream stream = typeof(PageTemplate).Assembly.GetManifestResourceStream("page.html")!;
        using var reader = new StreamReader(stream, Encoding.UTF8);
        return [.. reader.ReadToEnd().Split(Marks, StringSplitOptions.None).Select(Encoding.UTF8.GetBytes)];
    }
}
