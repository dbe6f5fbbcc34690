namespace Bench;

/// <summary>As small as a class with data can be.</summary>
public sealed partial class OneInt
{
    /// <summary>A number.</summary>
    public int Number { get; set; }
}

/// <summary>One text.</summary>
public sealed partial class OneString
{
    /// <summary>A line of text, as in a log.</summary>
    public string? Text { get; set; }
}
