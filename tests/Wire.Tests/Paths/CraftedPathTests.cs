using Wire.Tests.Testing;
using Xunit;
using static Wire.Tests.Paths.PathSamples;

namespace Wire.Tests.Paths;

/// <summary>Payloads that no program writes, and kinds that a path has not met, are found and refused as in the general way.</summary>
public class CraftedPathTests
{
    [Fact]
    public void A_payload_that_is_crafted_finds_what_the_general_way_finds()
    {
        // Null behind the tag of strings.
        AssertSame<string>("[0]", [0x10, 0x05, 0x2F, 0x01, 0x2A, 0x03, 0x61], [0x10, 0x05, 0x2F, 0x01, 0x2A, 0x00], [
            0x10, 0x05, 0x2F, 0x01, 0x2A, 0x80, 0x00]);

        // A number that is a key without a name, and the name of another.
        var writer = new Serializer(Options with { TypeAliases = TypeAliases.None.Alias<Odd>("odd") });
        byte[] odd = writer.Serialize(new Dictionary<Odd, string> { [(Odd)2] = "unnamed", [Odd.Five] = "named" });
        AssertSame<string>("[2]", odd, odd);

        // Bytes behind a name that no type has.
        byte[] named = Copies.Serialize(new object[] { new byte[] { 1, 2, 3 }, 5 });
        byte[] unknown =
        [
            0x10, 0x05, 0x2F, 0x02, 0x02, 0x0C, 0x10, .. "No.Such1"u8, 0x01, 0x41, 0x12, 0x03, 0x01, 0x02, 0x03, 0x15, 0x05, 0, 0, 0,
        ];
        PayloadPath<byte[]> bytes = Copies.Path<byte[]>("[0]");
        Assert.True(bytes.TryReadBytes(named, out _) && bytes.TryReadBytes(named, out _));
        Assert.ThrowsAny<Exception>(() => Copies.TryRead(unknown, "[0]", out byte[]? _));
        Assert.ThrowsAny<Exception>(() => bytes.TryReadBytes(unknown, out _));

        // A number in a variable of object is no enum.
        AssertSame<DayOfWeek>(
            "Items[0].Any", Copies.Serialize(new Holders()), Copies.Serialize(new Holders { Items = [new Holder { Any = 3 }] }));

        // One object in the other, for ever.
        PayloadPath<int> number = Copies.Path<int>("[0].Number");
        byte[] chain = [0x10, 0x05, 0x2F, 0x01, 0x02, 0x04, 0x00, 0x01, 0x46, 0x00, .. Enumerable.Repeat((byte)0x80, 200_000), 0x00];
        for (int i = 0; i < 3; i++)
        {
            AssertSame<int>("[0].Number", Copies.Serialize(new object[] { new Whole { Number = 1 } }), chain);
        }

        Assert.Equal(1, number.Read(Copies.Serialize(new object[] { new Whole { Number = 1 } })));
    }

    [Fact]
    public void Types_that_are_denied_are_refused_wherever_a_payload_has_one()
    {
        var denying = new Serializer(new SerializerOptions { TypeFilter = WireTypeFilter.Unrestricted.Deny<Color>() });
        var pair = PathPair.Create(denying, "Items[0].Color", typeof(Color));
        byte[] none = Copies.Serialize(new Colors()), some = Copies.Serialize(new Colors { Items = [new Colored { Color = Color.Red }] });
        pair.Check(none);
        pair.Check(some);
        Assert.Throws<TypeRefusedException>(() => denying.Path<Color>("Items[0].Color").Read(some));
    }

    private static void AssertSame<T>(string path, params byte[][] payloads)
    {
        var pair = new PathPair<T>(Copies, path);
        foreach (byte[] payload in payloads.Concat(payloads))
        {
            pair.Check(payload);
        }
    }

    [Fact]
    public void Elements_are_told_apart_whose_definitions_are_as_long()
    {
        foreach (Serializer serializer in new[] { Copies, References })
        {
            PayloadPath<int> last = serializer.Path<int>("[2]");
            byte[] payload = serializer.Serialize(new object[] { new Whole { Number = 1 }, new Large { Number = 2 }, 3 });
            for (int i = 0; i < 3; i++)
            {
                Assert.Equal(3, last.Read(payload));
            }
        }
    }

    [Fact]
    public void More_kinds_of_payloads_than_are_kept_are_found()
    {
        PayloadPath<int> path = Copies.Path<int>("Number");
        for (int round = 0; round < 3; round++)
        {
            for (int i = 0; i < 40; i++)
            {
                var aliased = new Serializer(Options with { TypeAliases = TypeAliases.None.Alias<Inner>($"kind {i}") });
                Assert.Equal(i, path.Read(aliased.Serialize(new Inner { Number = i })));
            }
        }
    }
}
