using System.Collections.Immutable;
using Wire.Contracting;

namespace Wire;

/// <summary>The result of <see cref="WireContract.CompareWith"/>: what becomes of payloads in both directions. Immutable.</summary>
public sealed class ContractComparison
{
    internal ContractComparison(ImmutableArray<ContractDifference> differences) => Differences = differences;

    /// <summary>
    /// Gets all that is not simply read, by type and member; first what the new types do with old payloads. A change without an effect, as
    /// of the order of members, is not among them.
    /// </summary>
    public ImmutableArray<ContractDifference> Differences { get; }

    /// <summary>Gets the worst that happens to payloads of the old types that the new ones read.</summary>
    public ContractVerdict ReadsOld => Worst(ContractDirection.ReadsOld);

    /// <summary>Gets the worst that happens to payloads of the new types that the old ones read.</summary>
    public ContractVerdict IsReadByOld => Worst(ContractDirection.IsReadByOld);

    /// <summary>Gets whether the new types refuse payloads of the old ones, all or some.</summary>
    public bool BreaksOldPayloads => ReadsOld >= ContractVerdict.RefusesSome;

    /// <summary>Returns the report.</summary>
    public override string ToString() => ContractReport.Describe(this);

    private ContractVerdict Worst(ContractDirection direction) => Differences
        .Where(difference => difference.Direction == direction)
        .Select(difference => difference.Verdict)
        .DefaultIfEmpty(ContractVerdict.Reads)
        .Max();
}
