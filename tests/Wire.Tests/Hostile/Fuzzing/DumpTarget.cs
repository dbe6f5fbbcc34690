using Wire.Testing.Fuzzing;

namespace Wire.Tests.Hostile.Fuzzing;

/// <summary>The description of payloads, which throws nothing at all.</summary>
internal sealed class DumpTarget(Func<IEnumerable<Seed>> seeds) : Target("dump", Routes.Payload)
{
    private readonly Lazy<Seed[]> _seeds = new(() => [.. seeds()]);

    public override IReadOnlyList<Seed> Seeds => _seeds.Value;

    // A line of text for a byte or two.
    public override long Allowance(byte[] input) => (64 << 10) + (2000L * input.Length);

    public override object? Read(byte[] input) => PayloadDump.Describe(input);

    public override bool IsRefusal(Exception e) => false;
}
