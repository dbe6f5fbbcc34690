using Wire.Testing.Fuzzing;

namespace Wire.Amqp.Tests.Hostile;

/// <summary>What the fuzzer begins with, and what it has found. The fuzzer itself is tests/Wire.Fuzz (docs/fuzzing.md).</summary>
public sealed class FuzzTests
{
    public static TheoryData<string> Names() => [.. AmqpTargets.All.Select(target => target.Name)];

    [Theory]
    [MemberData(nameof(Names))]
    public void Every_seed_is_read_written_and_read_again(string name) => TargetAssert.SeedsAreRead(Find(name));

    [Theory]
    [MemberData(nameof(Names))]
    public void Every_seed_cut_at_every_byte_is_a_format_error(string name) => TargetAssert.CutSeedsAreRefused(Find(name));

    [Fact]
    public void Every_input_that_once_broke_a_promise_keeps_all_of_them() =>
        Assert.All(Regression.FilesOf("Wire.Amqp.Tests"), file => TargetAssert.BreaksNoPromise(AmqpTargets.All, file));

    private static Target Find(string name) => AmqpTargets.All.Single(target => target.Name == name);
}
