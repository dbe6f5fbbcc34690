using Wire.Testing.Fuzzing;
using Wire.Tests.Documents;
using Wire.Tests.Testing;
using Xunit;

namespace Wire.Tests.Hostile.Fuzzing;

/// <summary>
/// Payloads as documents: what is parsed can be walked through in every way, be written as JSON, and each part be read alone.
/// </summary>
internal sealed class DocumentTarget(Func<IEnumerable<Seed>> seeds) : Target("document", Routes.Payload)
{
    private const int Parts = 8;

    private static readonly Serializer Serializer = new(Configuration.Options(references: false, tolerance: true, dynamicCode: true));

    private readonly Lazy<Seed[]> _seeds = new(() => [.. seeds()]);

    public override IReadOnlyList<Seed> Seeds => _seeds.Value;

    // An open value for each byte, in lists that grow to twice their size.
    public override long Allowance(byte[] input) => (128 << 10) + (512L * input.Length);

    public override object? Read(byte[] input) => PayloadDocument.Parse(input);

    public override void Check(byte[] input, object? value)
    {
        var document = (PayloadDocument)value!;
        NodeWalk.Check(document);
        foreach ((string path, PayloadNode node) in NodeWalk.Paths(document.Root).Take(Parts))
        {
            ReadAlone(input, path, node.Kind);
        }

        Assert.DoesNotContain("invalid", PayloadDump.Describe(input), StringComparison.Ordinal);
    }

    private static void ReadAlone(byte[] input, string path, PayloadKind kind)
    {
        try
        {
            Assert.True(Serializer.TryRead(input, path, out object? value), path);
            Assert.True(value is not null || kind is PayloadKind.Null or PayloadKind.Opaque, path);
        }
        catch (Exception e) when (e is WireFormatException or TypeRefusedException or UnsupportedTypeException)
        {
            // Its type, or one that it needs, is not there, not allowed, or said by the variable alone.
        }
    }
}
