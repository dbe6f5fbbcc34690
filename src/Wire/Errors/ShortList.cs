namespace Wire.Errors;

/// <summary>The text of a list in a log.</summary>
internal static class ShortList
{
    private const int ShownEntries = 8;

    /// <summary>Returns the first entries of a list, and the number of the others.</summary>
    public static string Show(IEnumerable<string> entries)
    {
        string[] all = [.. entries];
        string more = all.Length <= ShownEntries ? "" : $", ... {all.Length - ShownEntries} more";
        return $"[{string.Join(", ", all.Take(ShownEntries))}{more}]";
    }
}
