using FsCheck;
using FsCheck.Fluent;
using Wire.Testing;
using Wire.Tests.Testing;
using Xunit.Sdk;

namespace Wire.Tests.Behaviour.Histories;

/// <summary>
/// One session writes and another reads, while messages fail, get lost, come twice, in another order or damaged: what comes out is what
/// was sent or an error, and never another type or value.
/// </summary>
public sealed class SessionHistoryTests
{
    private static readonly Arbitrary<int[]> Events = Gen.Choose(0, 255).ArrayOf().Resize(160).ToArbitrary();

    [Fact]
    public void Nothing_is_read_as_what_was_not_sent() => Run(isFaithful: false);

    [Fact]
    public void What_fails_for_reasons_of_its_own_does_not_poison_what_comes_behind() => Run(isFaithful: true);

    // The seed is in the message of a failure, for WithReplay. The long run tries others each time.
    private static void Run(bool isFaithful)
    {
        Config config = Config.QuickThrowOnFailure.WithMaxTest(Sweep.IsWhole ? 100_000 : 2_000);
        Check.One(Sweep.IsWhole ? config : config.WithReplay(20260102, 11), Prop.ForAll(Events, events =>
        {
            byte[] choices = [.. events.Select(e => (byte)e)];
            if (History.Violation(choices, isFaithful) is not null)
            {
                byte[] shortest = Choices.Shortest(choices, fewer => History.Violation(fewer, isFaithful) is not null);
                throw new XunitException($"By the choices {Convert.ToHexString(shortest)}: {History.Violation(shortest, isFaithful)}");
            }
        }));
    }
}
