using Xunit;

namespace Wire.Tests.Hostile;

/// <summary>What the fuzzer begins with: good inputs are read, and cut ones refused. The fuzzer itself is tests/Wire.Fuzz (docs/fuzzing.md).</summary>
public class FuzzTests
{
    public static TheoryData<string> Names() => [.. Targets.All.Select(target => target.Name)];

    [Theory]
    [MemberData(nameof(Names))]
    public void Every_seed_is_read_written_and_read_again(string name)
    {
        Target target = Targets.Find(name);
        Assert.NotEmpty(target.Seeds);
        foreach (Seed seed in target.Seeds)
        {
            target.Check(seed.Bytes, target.Read(seed.Bytes));
        }

        for (int i = 0; i < target.Seeds.Count; i++)
        {
            target.Probe();
        }
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void Every_seed_cut_at_every_byte_is_a_format_error(string name)
    {
        Target target = Targets.Find(name);
        foreach (Seed seed in target.IsClosed ? target.Seeds : [])
        {
            for (int length = 0; length < seed.Bytes.Length; length++)
            {
                byte[] cut = seed.Bytes[..length];
                Exception? failure = Record.Exception(() => target.Read(cut));
                Assert.True(failure is WireFormatException { Offset: >= 0 }, $"{seed} cut to {length} bytes: {failure?.ToString() ?? "no error"}");
            }
        }
    }
}
