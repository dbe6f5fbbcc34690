namespace Wire.Comparing;

/// <summary>Two graphs differ.</summary>
/// <param name="kind">What differs, without indices and values: differences of one kind have one cause.</param>
/// <param name="message">Where, and what was expected.</param>
internal sealed class GraphDifferenceException(string kind, string message) : Exception(message)
{
    public string Kind { get; } = kind;
}
