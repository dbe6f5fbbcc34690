using System.Text;

namespace Wire.Tool.Walking;

/// <summary>Paths as text, plain. A long one has three dots in its middle, and what lies there is not looked at.</summary>
internal static class PathText
{
    /// <summary>The most characters of a path without dots.</summary>
    public const int Most = 2000;

    /// <summary>The number of parts that are enough in front of the dots: each but the root takes a character or more.</summary>
    public const int MostFirst = Half + 1;

    private const int Half = Most / 2;

    /// <summary>Returns the path of parts inside each other.</summary>
    /// <param name="first">The parts from the outermost one on: all, or <see cref="MostFirst"/>.</param>
    /// <param name="last">All parts, from the innermost one on.</param>
    /// <param name="count">The number of parts.</param>
    public static string Describe(IEnumerable<NodePart> first, IEnumerable<NodePart> last, int count)
    {
        var path = new StringBuilder();
        int described = 0;
        foreach (NodePart part in first.TakeWhile(_ => path.Length <= Most))
        {
            part.AppendTo(path);
            described++;
        }

        var behind = new Stack<string>();
        int length = 0;
        foreach (NodePart part in last.Take(count - described).TakeWhile(_ => length <= Half))
        {
            // It is not the first: a name has a point in front.
            int start = path.Length;
            part.AppendTo(path);
            behind.Push(path.ToString(start, path.Length - start));
            path.Length = start;
            length += behind.Peek().Length;
        }

        string text = path.Append(string.Concat(behind)).ToString();
        return text.Length == 0 ? "(root)" : text.Length > Most || described + behind.Count < count ? Cut(text) : text;
    }

    /// <summary>Returns a name of which no more is left than a path shows.</summary>
    public static string Bound(string name) => name.Length <= Most ? name : name[..MostFirst] + name[^MostFirst..];

    // No character of two halves is cut into them.
    private static string Cut(string text)
    {
        int end = char.IsHighSurrogate(text[Half - 1]) ? Half - 1 : Half;
        int start = text.Length - Half;
        return $"{text[..end]} ... {text[(char.IsLowSurrogate(text[start]) ? start + 1 : start)..]}";
    }
}
