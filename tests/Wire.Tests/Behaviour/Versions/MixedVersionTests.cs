using Wire.Testing;
using Wire.Tests.Behaviour.Versions.Mixed;
using Wire.Tests.Testing;
using Xunit.Abstractions;

namespace Wire.Tests.Behaviour.Versions;

/// <summary>
/// Four releases of twenty types, each a program of its own with its own assembly, load context and serializer: each writes, and all read
/// what it has written, alone and in sessions that last. Every member is compared with what the rules say, which are written down once
/// more for it; an error counts only where they say so.
/// </summary>
public sealed class MixedVersionTests(ITestOutputHelper output)
{
    private static readonly int Usual = Sweep.IsWhole ? 12_000 : 6_000;
    private const int Long = 1_000_000;

    // A session ends at some time, so that its definitions are written anew.
    private const int SessionLength = 500;

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Every_release_reads_every_other_by_the_rules(bool dynamicCode)
    {
        var releases = new ShopRelease[ContractTable.Releases];
        for (int i = 0; i < releases.Length; i++)
        {
            releases[i] = new ShopRelease(i + 1, dynamicCode);
        }

        int messages = Sweep.IsWhole && dynamicCode ? Long : Usual;
        var tally = new MixedTally();
        for (int seed = 0; tally.Messages < messages; seed++)
        {
            RunSessions(releases, new Random(seed), tally);
        }

        output.WriteLine(tally.ToString());
        Assert.True(tally.Wrong == 0, tally.Faults);
        Assert.InRange(tally.Refused, tally.Messages / 50, tally.Messages / 2);
        Assert.InRange(tally.Changed, tally.Messages / 4, tally.Messages);
    }

    private static void RunSessions(ShopRelease[] releases, Random random, MixedTally tally)
    {
        ShopRelease writer = releases[random.Next(releases.Length)];
        bool isInSession = random.Next(2) == 0;
        var values = new RandomValues(writer.Declarations, random);
        string[] roots = [.. ContractTable.Roots.Where(writer.Declarations.Types.ContainsKey)];
        using SerializerSession? writing = isInSession ? writer.Serializer.GetSerializerSession() : null;
        DeserializerSession?[] reading =
            [.. releases.Select(release => isInSession ? release.Serializer.GetDeserializerSession() : null)];
        for (int i = 0; i < SessionLength; i++)
        {
            PlainObject value = values.Object(roots[random.Next(roots.Length)]);
            byte[] payload = writer.Write(value, writing);
            for (int reader = 0; reader < releases.Length; reader++)
            {
                tally.Add(writer, releases[reader], value, payload, reading[reader]);
            }
        }

        foreach (DeserializerSession? session in reading)
        {
            session?.Dispose();
        }
    }
}
