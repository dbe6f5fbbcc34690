namespace Wire.Instructions;

/// <summary>What was counted.</summary>
/// <param name="Machine">The runtime, and what else decides which instructions it makes.</param>
/// <param name="Rounds">By operation: instructions, once for each round.</param>
internal sealed record Counts(string Machine, IReadOnlyDictionary<string, double[]> Rounds)
{
    /// <summary>The figure of an operation: the median of its rounds.</summary>
    public double Of(string operation) => Rounds[operation].Order().ElementAt(Counted.Rounds / 2);

    /// <summary>How far the rounds of an operation lie apart, as a part of it.</summary>
    public double Spread(string operation) => (Rounds[operation].Max() - Rounds[operation].Min()) / Of(operation);
}
