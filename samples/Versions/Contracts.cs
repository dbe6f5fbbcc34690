using System.Runtime.CompilerServices;
using Wire;

namespace Versions;

/// <summary>The contracts of the four releases: each is that of its file, and each is compared with the one before.</summary>
internal static class Contracts
{
    // What docs/contracts.md says of each release and the one before it.
    private static readonly (ContractVerdict ReadsOld, ContractVerdict IsReadByOld)[] Expected =
    [
        (ContractVerdict.Loses, ContractVerdict.Refuses),
        (ContractVerdict.Loses, ContractVerdict.Loses),
        (ContractVerdict.Loses, ContractVerdict.RefusesSome),
    ];

    /// <summary>Prints the comparisons, and returns whether they are what the page says.</summary>
    public static bool Run(params Release[] releases)
    {
        bool asExpected = true;
        WireContract? before = null;
        for (int i = 0; i < releases.Length; i++)
        {
            (Serializer serializer, Type[] types) = releases[i].Messages;
            Verify(serializer, types, $"Release{i + 1}.contract.txt");
            var contract = WireContract.From(serializer, types);
            if (before is not null)
            {
                ContractComparison comparison = contract.CompareWith(before);
                bool isExpected = (comparison.ReadsOld, comparison.IsReadByOld) == Expected[i - 1];
                Console.WriteLine($"{(isExpected ? "" : "! ")}release {i + 1} against release {i}: {comparison}");
                asExpected &= isExpected;
            }

            CheckOldest(contract, FileOf("Release1.contract.txt"));
            before = contract;
        }

        return asExpected;
    }

    #region verify a contract
    // As in a test of any framework. The file is committed beside it.
    private static void Verify(Serializer serializer, Type[] messages, string file) =>
        WireContract.Verify(FileOf(file), serializer, messages);

    private static string FileOf(string file, [CallerFilePath] string here = "") => Path.Combine(Path.GetDirectoryName(here)!, file);
    #endregion

    #region compare contracts
    // What the oldest release in use has written is still in queues and files.
    private static void CheckOldest(WireContract now, string file)
    {
        ContractComparison comparison = now.CompareWith(WireContract.Load(file));
        if (comparison.BreaksOldPayloads)
        {
            throw new InvalidOperationException(comparison.ToString());
        }
    }
    #endregion
}
