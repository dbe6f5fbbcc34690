using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;
using Xunit.Abstractions;

namespace Wire.RabbitMQ.Tests.Faults;

/// <summary>Nodes of a cluster are killed, one after the other, under a quorum queue: what was confirmed is on two of the three.</summary>
[Trait("Takes", "long")]
public sealed class ClusterFaultTests(ITestOutputHelper output)
{
    [Theory]
    [InlineData(WireTransport.DirectLane)]
    [InlineData(WireTransport.Client)]
    public async Task Nothing_confirmed_is_lost_when_the_members_of_a_quorum_are_killed_one_after_the_other(WireTransport transport)
    {
        await using PrivateCluster cluster = await PrivateCluster.StartNewAsync();
        int strikes = 0;
        var fault = new Fault("a member of the quorum killed and started, the leader and another in turn", async (run, random) =>
        {
            // To ask takes long: the next time would come meanwhile.
            await run.HoldAsync();
            int leader = await cluster.LeaderAsync(run.Queue);
            int killed = strikes++ % 2 == 0 ? leader : (leader + random.Next(1, 3)) % 3;
            run.Resume();
            await AnsweredAsync(run);
            await cluster.KillAsync(killed);

            // The two that are left go on without it; but this broker refuses whatever comes over a channel that was opened while a certain
            // one of them is down.
            await AnsweredAsync(run);
            await cluster.StartAsync(killed);
        })
        {
            IsSlow = true,
        };
        output.WriteLine(await FaultCheck.RunAsync(fault, new FaultSettings
        {
            Transport = transport,
            Factory = () => cluster.Running.Factory(),
            Queue = new() { ["x-queue-type"] = "quorum" },
            Messages = 20_000,
            Times = 4,
            Pause = TimeSpan.FromMilliseconds(100),
        }));
    }

    private static Task AnsweredAsync(FaultRun run)
    {
        int before = run.Ledger.Answered;
        return run.UntilAsync(() => run.Ledger.Answered > before + 200, "the answer to what is published");
    }
}
