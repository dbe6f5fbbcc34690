using System.Globalization;
using System.Text;
using Wire.Runtime;

namespace Wire.Values;

/// <summary>A step of a path: a name, or what stands in brackets.</summary>
/// <param name="Text">The name, the key or the digits.</param>
/// <param name="IsQuoted">True if it was in quotes, so that it is no index.</param>
/// <param name="IsInBrackets">True if it was in brackets, so that it may be a key.</param>
internal readonly record struct PathStep(string Text, bool IsQuoted, bool IsInBrackets)
{
    /// <summary>
    /// Gets the number of a part: of an element, or twice that of a pair, and one more for its value; -1 for other steps.
    /// </summary>
    public int Part { get; private init; } = -1;

    [ThreadStatic]
    private static (string Path, PathStep[] Steps) _last;

    /// <summary>Takes a path apart.</summary>
    /// <exception cref="FormatException">It is none.</exception>
    public static ReadOnlySpan<PathStep> Parse(string path)
    {
        // Programs ask for one path in many payloads.
        if (_last.Path != path)
        {
            _last = (path, [.. ParseNew(path)]);
        }

        return _last.Steps;
    }

    private static List<PathStep> ParseNew(string path)
    {
        var steps = new List<PathStep>();
        for (int at = 0; at < path.Length;)
        {
            if (path[at] == '[')
            {
                at++;
                steps.Add(at < path.Length && path[at] == '"' ? Quoted(path, ref at) : Unquoted(path, ref at));
                TakeCharacter(path, ref at, ']');
                continue;
            }

            if (steps.Count > 0)
            {
                TakeCharacter(path, ref at, '.');
            }

            int end = path.AsSpan(at).IndexOfAny('.', '[');
            end = end < 0 ? path.Length : at + end;
            if (end == at)
            {
                throw Invalid(path, at, "a name");
            }

            steps.Add(new PathStep(path[at..end], IsQuoted: false, IsInBrackets: false));
            at = end;
        }

        return steps;
    }

    /// <summary>Makes a step to a part, whatever its key is.</summary>
    public static PathStep OfPart(int part) =>
        new(part.ToString(CultureInfo.InvariantCulture), IsQuoted: false, IsInBrackets: true) { Part = part };

    /// <summary>Makes the error where a payload has no value at a path.</summary>
    public static KeyNotFoundException NoValue(string path) => new(
        $"The payload has no value at '{OneLine.Show(path)}'. PayloadDump.Describe shows what it has. TryRead returns false where a "
            + "value may be missing.");

    /// <summary>Gets the index that it may be; -1 for none.</summary>
    public int Index => !IsQuoted && IsInBrackets && int.TryParse(Text, NumberStyles.None, CultureInfo.InvariantCulture, out int index)
        ? index
        : -1;

    /// <summary>Gets whether it may be the name of a member.</summary>
    public bool IsName => IsQuoted || !IsInBrackets;

    /// <summary>Appends the step to a member, on one line.</summary>
    public static void AppendName(StringBuilder path, string name)
    {
        if (name.Length == 0 || name.AsSpan().ContainsAny('.', '[', ' ') || name[0] == '"')
        {
            AppendQuoted(path, name);
        }
        else
        {
            path.Append(path.Length == 0 || path[^1] == ' ' ? "" : ".").Append(OneLine.Show(name));
        }
    }

    /// <summary>Appends the step to the value of a key, on one line.</summary>
    /// <param name="path">The path.</param>
    /// <param name="key">The text of the key.</param>
    /// <param name="isText">True if the key is a string.</param>
    public static void AppendKey(StringBuilder path, string key, bool isText)
    {
        if (isText || key.Length == 0 || key.Contains(']') || key[0] == '"')
        {
            AppendQuoted(path, key);
        }
        else
        {
            path.Append('[').Append(OneLine.Show(key)).Append(']');
        }
    }

    private static void AppendQuoted(StringBuilder path, string text) => path.Append("[\"")
        .Append(OneLine.Show(text.Replace("\\", "\\\\", StringComparison.Ordinal).Replace("\"", "\\\"", StringComparison.Ordinal)))
        .Append("\"]");

    private static PathStep Quoted(string path, ref int at)
    {
        var text = new StringBuilder();
        for (at++; at < path.Length && path[at] != '"'; at++)
        {
            if (path[at] == '\\')
            {
                at++;
            }

            text.Append(at < path.Length ? path[at] : throw Invalid(path, at, "a character"));
        }

        TakeCharacter(path, ref at, '"');
        return new PathStep(text.ToString(), IsQuoted: true, IsInBrackets: true);
    }

    private static PathStep Unquoted(string path, ref int at)
    {
        int end = path.IndexOf(']', at);
        if (end <= at)
        {
            throw Invalid(path, at, "an index, or a key in quotes, and ']'");
        }

        var step = new PathStep(path[at..end], IsQuoted: false, IsInBrackets: true);
        at = end;
        return step;
    }

    private static void TakeCharacter(string path, ref int at, char expected)
    {
        if (at >= path.Length || path[at] != expected)
        {
            throw Invalid(path, at, $"'{expected}'");
        }

        at++;
    }

    private static FormatException Invalid(string path, int at, string expected) =>
        new($"The path '{path}' should have {expected} at character {at + 1}, as in Lines[2].Price or Prices[\"apple\"].");
}
