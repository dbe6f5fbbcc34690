using System.Collections.ObjectModel;
using Wire.Tests.Golden;
using Wire.Tests.Testing;
using Xunit;

namespace Wire.Tests.Documents;

/// <summary>
/// A document counts objects and levels as a reader's limits do: it reads with just these, and with one less it does not.
/// </summary>
public class DocumentLimitsTests
{
    public static TheoryData<string> Names() => [.. GoldenSamples.All.Select(sample => sample.Name)];

    [Theory]
    [MemberData(nameof(Names))]
    public void A_golden_payload_is_read_with_just_what_its_document_counts(string name)
    {
        object value = GoldenSamples.All.Single(sample => sample.Name == name).Value;
        object[] roots = [value, new object[] { value }, new ReadOnlyCollection<object>([new List<object> { value }])];
        Assert.All(roots, root => Assert.All(Configuration.AsTheory(), row => Check(root, row)));
    }

    [Fact]
    public void A_surrogate_is_a_level_of_its_own()
    {
        SerializerOptions options = Configuration.Options(references: false, tolerance: true, dynamicCode: true) with
        {
            Surrogates =
            [
                Surrogate.Create<Outside, Inside>(value => new Inside(value.Value), value => new Outside { Value = value.Value }),
                Surrogate.Create<Plain, int>(value => value.Number, number => new Plain { Number = number }),
            ],
        };
        var deep = new Outside { Value = new object[] { new Outside { Value = new Plain { Number = 5 } }, new Plain() } };
        Check(deep, options);
        Check(new object[] { new Plain { Number = 1 } }, options);
        Check(new Holder { Outside = deep, Plain = new Plain() }, options);
        Check(new Holder { Outside = deep }, options with { PreserveObjectReferences = true });
    }

    private static void Check(object root, object[] row) =>
        Check(root, Configuration.Options((bool)row[0], (bool)row[1], (bool)row[2]));

    private static void Check(object root, SerializerOptions options)
    {
        byte[] payload = new Serializer(options).Serialize(root);
        PayloadDocument document;
        try
        {
            document = PayloadDocument.Parse(payload);
        }
        catch (WireFormatException exception) when (exception.Error == WireFormatError.SchemaMismatch)
        {
            return;
        }

        Limits exact = new() { MaxDepth = Math.Max(document.Depth, 1), MaxObjects = Math.Max(document.ObjectCount, 1) };
        new Serializer(options with { Limits = exact }).Deserialize<object>(payload);
        if (document.Depth > 1)
        {
            Refuse(payload, options with { Limits = new() { MaxDepth = document.Depth - 1 } });
        }

        if (document.ObjectCount > 1)
        {
            Refuse(payload, options with { Limits = new() { MaxObjects = document.ObjectCount - 1 } });
        }
    }

    private sealed class Outside
    {
        public object? Value { get; set; }
    }

    private sealed record Inside(object? Value);

    private sealed class Plain
    {
        public int Number { get; set; }
    }

    private sealed class Holder
    {
        public Outside? Outside { get; set; }

        public Plain? Plain { get; set; }
    }

    private static void Refuse(byte[] payload, SerializerOptions options)
    {
        var serializer = new Serializer(options);
        Assert.Equal(WireFormatError.Limit, Assert.Throws<WireFormatException>(() => serializer.Deserialize<object>(payload)).Error);
    }
}
