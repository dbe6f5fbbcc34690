namespace Wire;

/// <summary>One difference between two contracts, and what it does to payloads in one direction.</summary>
/// <param name="Direction">Who reads whose payloads.</param>
/// <param name="Type">The type that reads, in the words of its contract; the one that has written where there is none to read.</param>
/// <param name="Member">The name of the member in payloads; null when the difference concerns the type.</param>
/// <param name="Verdict">What becomes of the values.</param>
/// <param name="Reason">The reason.</param>
/// <param name="Remedy">A line that mends it; null where there is none.</param>
public sealed record ContractDifference(
    ContractDirection Direction, string Type, string? Member, ContractVerdict Verdict, string Reason, string? Remedy)
{
    /// <inheritdoc/>
    public override string ToString() =>
        $"{Type}{(Member is null ? "" : $".{Member}")} {Verdict}: {Reason}{(Remedy is null ? "" : $" {Remedy}")}";
}
