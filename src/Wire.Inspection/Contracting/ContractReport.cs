using System.Text;

namespace Wire.Contracting;

/// <summary>Writes a comparison for people.</summary>
internal static class ContractReport
{
    /// <summary>Writes the report.</summary>
    public static string Describe(ContractComparison comparison)
    {
        var text = new StringBuilder(Headline(comparison));
        text.Append('\n');
        foreach (IGrouping<ContractDirection, ContractDifference> direction in comparison.Differences.GroupBy(one => one.Direction))
        {
            text.Append(direction.Key == ContractDirection.ReadsOld
                ? "\nThe new types read old payloads:\n"
                : "\nThe old types read new payloads:\n");
            foreach (IGrouping<string, ContractDifference> type in direction.GroupBy(one => one.Type))
            {
                text.Append("  ").Append(type.Key).Append('\n');
                foreach (ContractDifference one in type)
                {
                    string member = one.Member is null ? "" : $" {ContractWords.OneLine(one.Member)}";
                    text.Append("    ").Append(Describe(one.Verdict)).Append(member).Append(": ");
                    text.Append(ContractWords.OneLine(one.Reason)).Append('\n');
                    if (one.Remedy is { } remedy)
                    {
                        text.Append("      -> ").Append(ContractWords.OneLine(remedy)).Append('\n');
                    }
                }
            }
        }

        return text.ToString();
    }

    private static string Headline(ContractComparison comparison) => (comparison.ReadsOld, comparison.IsReadByOld) switch
    {
        (ContractVerdict.Reads, ContractVerdict.Reads) => "Everything is compatible.",
        ( >= ContractVerdict.RefusesSome, >= ContractVerdict.RefusesSome) =>
            "BREAKS: old payloads are refused by the new types, and new ones by the old types.",
        ( >= ContractVerdict.RefusesSome, _) => "BREAKS: old payloads are refused by the new types.",
        (_, >= ContractVerdict.RefusesSome) => "BREAKS: new payloads are refused by the old types. Old ones are read.",
        _ => "Compatible, but loses data.",
    };

    private static string Describe(ContractVerdict verdict) => verdict switch
    {
        ContractVerdict.Refuses => "refuses",
        ContractVerdict.RefusesSome => "refuses some",
        ContractVerdict.Loses => "loses",
        _ => "reads",
    };
}
