namespace Wire;

/// <summary>
/// The exception of <see cref="WireContract.Verify(string, Serializer, IEnumerable{Type})"/>: the types are no longer those of the contract
/// that was committed. The message is the report.
/// </summary>
public sealed class ContractChangedException : Exception
{
    internal ContractChangedException(string message, ContractComparison? comparison)
        : base(message) => Comparison = comparison;

    /// <summary>Gets the comparison with the committed contract; null when there is none yet.</summary>
    public ContractComparison? Comparison { get; }
}
