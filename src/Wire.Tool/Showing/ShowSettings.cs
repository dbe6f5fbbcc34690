namespace Wire.Tool.Showing;

/// <summary>The options of <c>wire show</c>.</summary>
internal sealed record ShowSettings
{
    public string? Path { get; init; }

    public string? Find { get; init; }

    public int? Depth { get; init; }

    public int Limit { get; init; }

    public int? Frame { get; init; }

    public int? At { get; init; }

    public bool Hex { get; init; }

    public bool Json { get; init; }
}
