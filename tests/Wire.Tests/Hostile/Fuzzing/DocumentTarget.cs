using Wire.Testing.Fuzzing;
using Wire.Tests.Documents;
using Xunit;

namespace Wire.Tests.Hostile.Fuzzing;

/// <summary>Payloads as documents: what is parsed can be walked through in every way, and be written as JSON.</summary>
internal sealed class DocumentTarget(Func<IEnumerable<Seed>> seeds) : Target("document", Routes.Payload)
{
    private readonly Lazy<Seed[]> _seeds = new(() => [.. seeds()]);

    public override IReadOnlyList<Seed> Seeds => _seeds.Value;

    // An open value for each byte, in lists that grow to twice their size.
    public override long Allowance(byte[] input) => (128 << 10) + (512L * input.Length);

    public override object? Read(byte[] input) => PayloadDocument.Parse(input);

    public override void Check(byte[] input, object? value)
    {
        NodeWalk.Check((PayloadDocument)value!);
        Assert.DoesNotContain("invalid", PayloadDump.Describe(input), StringComparison.Ordinal);
    }
}
