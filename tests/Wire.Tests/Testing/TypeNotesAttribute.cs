namespace Wire.Tests.Testing;

/// <summary>What docs/types.md says of the type that a test class tests, beyond what the bytes say.</summary>
/// <param name="notes">What a user should know.</param>
[AttributeUsage(AttributeTargets.Class)]
public sealed class TypeNotesAttribute(string notes) : Attribute
{
    public string Notes { get; } = notes;

    /// <summary>The options that matter.</summary>
    public string Options { get; init; } = "";

    /// <summary>How it is written, where no schema says so.</summary>
    public string? Written { get; init; }

    /// <summary>What to call the row, for a test class of types that have no row in the library's own table.</summary>
    public string? Title { get; init; }
}
