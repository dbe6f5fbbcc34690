namespace Wire.Gates.Tests.Architecture;

/// <summary>One layer: folders, whose names end with a slash, and files of the root.</summary>
/// <param name="Name">The name of the layer, as docs/architecture.md draws it.</param>
/// <param name="Contents">What is in it.</param>
internal sealed record Layer(string Name, params string[] Contents)
{
    /// <summary>Returns whether a file is in the layer.</summary>
    public bool Has(string file) =>
        Array.Exists(Contents, part => part.EndsWith('/') ? file.StartsWith(part, StringComparison.Ordinal) : file == part);
}
