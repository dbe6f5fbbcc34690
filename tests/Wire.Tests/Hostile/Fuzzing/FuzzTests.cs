using Wire.Testing.Fuzzing;

namespace Wire.Tests.Hostile.Fuzzing;

/// <summary>
/// What the fuzzer begins with: good inputs are read, and cut ones refused. The fuzzer itself is tests/Wire.Fuzz (docs/fuzzing.md).
/// </summary>
public class FuzzTests
{
    public static TheoryData<string> Names() => [.. Targets.All.Select(target => target.Name)];

    [Theory]
    [MemberData(nameof(Names))]
    public void Every_seed_is_read_written_and_read_again(string name) => TargetAssert.SeedsAreRead(Targets.Find(name));

    [Theory]
    [MemberData(nameof(Names))]
    public void Every_seed_cut_at_every_byte_is_a_format_error(string name) => TargetAssert.CutSeedsAreRefused(Targets.Find(name));
}
