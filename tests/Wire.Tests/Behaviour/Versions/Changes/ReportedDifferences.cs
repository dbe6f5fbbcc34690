namespace Wire.Tests.Behaviour.Versions.Changes;

/// <summary>The members of which a reader says that they were passed over, or that the payload has none.</summary>
internal static class ReportedDifferences
{
    /// <summary>Lets a reader put the names of such members into a list.</summary>
    public static SerializerOptions Into(List<string> names, SerializerOptions options) => options with
    {
        SchemaDifference = difference => names.AddRange(difference.UnknownMembers.Concat(difference.MissingMembers).Select(Plain)),
    };

    // Without the members that it lies in, and the class that tells it from another of its name.
    private static string Plain(string path)
    {
        string name = path.Split('@')[0].Replace(" of the writer", "", StringComparison.Ordinal);
        return name[(name.LastIndexOf('.') + 1)..];
    }
}
