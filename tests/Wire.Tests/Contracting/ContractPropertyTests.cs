using Wire.Testing;
using Wire.Tests.Testing;

namespace Wire.Tests.Contracting;

/// <summary>
/// Pairs of versions of types, made at random: what their contracts say, and what happens to values, are the same. With WIRE_TEST_LONG=1
/// there are 100,000 pairs.
/// </summary>
public sealed class ContractPropertyTests
{
    private static readonly int Blocks = Sweep.IsWhole ? 4 : 2;

    // Types of one module are unloaded together.
    private const int PairsOfModule = 25;

    private static readonly int PairsOfBlock = (Sweep.IsWhole ? 100_000 : 100) / Blocks;

    public static TheoryData<int> All => [.. Enumerable.Range(0, Blocks)];

    [Theory]
    [MemberData(nameof(All))]
    public void A_verdict_is_what_happens(int block)
    {
        var outcomes = new Dictionary<ContractVerdict, (int Read, int Refused)>();
        int first = block * PairsOfBlock;
        for (int start = first; start < first + PairsOfBlock; start += PairsOfModule)
        {
            // Types that stay have plans and caches that those which can be unloaded have not.
            System.Reflection.Emit.ModuleBuilder module = VersionTrial.CreateModule(isCollectible: start >= first + PairsOfModule);
            for (int seed = start; seed < Math.Min(start + PairsOfModule, first + PairsOfBlock); seed++)
            {
                var trial = new VersionTrial(seed);
                trial.Run(module);
                foreach ((ContractVerdict verdict, (int read, int refused)) in trial.Outcomes)
                {
                    (int readBefore, int refusedBefore) = outcomes.GetValueOrDefault(verdict);
                    outcomes[verdict] = (readBefore + read, refusedBefore + refused);
                }
            }

            if (!Sweep.IsWhole || start % 500 == 0)
            {
                // Other tests measure look-ups in all assemblies of the process, and types that are not unloaded slow down those to come.
                GC.Collect();
                GC.WaitForPendingFinalizers();
            }
        }

        // None of the verdicts is vacuous, and none so careful that it says nothing.
        Assert.Equal(Enum.GetValues<ContractVerdict>(), outcomes.Keys.Order());
        Assert.InRange(outcomes[ContractVerdict.RefusesSome].Refused, 1, int.MaxValue);
        Assert.InRange(outcomes[ContractVerdict.RefusesSome].Read, 1, int.MaxValue);
    }
}
