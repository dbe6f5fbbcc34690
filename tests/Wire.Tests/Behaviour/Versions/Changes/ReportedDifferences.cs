namespace Wire.Tests.Behaviour.Versions.Changes;

/// <summary>The members of which a reader says that they were passed over, or that the payload has none.</summary>
internal static class ReportedDifferences
{
    public static SerializerOptions Into(List<string> names, SerializerOptions options) => names.Count < 0 ? options with { } : options;
}
