namespace Wire.Runtime;

/// <summary>
/// A parser for the common names, of types that are neither generic nor nested nor arrays, which avoids loading the assembly of .NET's
/// parser.
/// </summary>
internal static class PlainName
{
    private const string Separator = ", ";

    /// <summary>Parses a name; leaves it to .NET's parser when in doubt.</summary>
    /// <param name="name">The name, as a manifest has it.</param>
    /// <param name="fullName">The name of the type.</param>
    /// <param name="assembly">The name of the assembly; null when there is none.</param>
    public static bool TryParse(string name, out string fullName, out string? assembly)
    {
        int end = name.IndexOf(Separator, StringComparison.Ordinal);
        fullName = end < 0 ? name : name[..end];
        assembly = end < 0 ? null : name[(end + Separator.Length)..];
        return IsPlain(fullName) && (assembly is null || IsPlain(assembly));
    }

    /// <summary>Returns whether a name is letters, digits and underscores, in parts with dots between them.</summary>
    public static bool IsPlain(string name)
    {
        bool inPart = false;
        foreach (char c in name)
        {
            if (c == '.' ? !inPart : !(char.IsAsciiLetterOrDigit(c) || c == '_'))
            {
                return false;
            }

            inPart = c != '.';
        }

        return inPart;
    }
}
