using System.Collections.Immutable;
using Wire.Comparing;
using Wire.Tests.Testing;
using static Wire.Tests.Behaviour.Into.IntoSamples;

namespace Wire.Tests.Behaviour.Into;

/// <summary>Reading into objects that exist: what cannot be, and what a failure leaves.</summary>
public class IntoFailureTests
{
    [Fact]
    public void A_root_that_cannot_be_read_into_the_object_leaves_it_as_it_was()
    {
        foreach (Serializer serializer in new[] { Plain, Numbering })
        {
            foreach (byte[] payload in new[] { serializer.Serialize<object?>(null), serializer.Serialize<object>(new Puppy()) })
            {
                var there = new Dog { Name = "Rex", Weight = 3 };
                WireFormatException e = Assert.Throws<WireFormatException>(() => serializer.Deserialize<Animal>(payload, into: there));
                Assert.Equal(WireFormatError.TypeMismatch, e.Error);
                Assert.Contains(typeof(Dog).ToString(), e.Message, StringComparison.Ordinal);
                Assert.Equal(("Rex", 3.0), (there.Name, there.Weight));
            }

            Node[] nodes = [new() { Value = 1 }, new() { Value = 2 }];
            byte[] three = serializer.Serialize(new Node[] { new() { Value = 7 }, new() { Value = 8 }, new() { Value = 9 } });
            Assert.Equal(
                WireFormatError.TypeMismatch, Assert.Throws<WireFormatException>(() => serializer.Deserialize(three, into: nodes)).Error);
            Assert.Equal([1, 2], nodes.Select(node => node.Value));

            int[] array = [1, 2, 3];
            Assert.Same(array, serializer.Deserialize(serializer.Serialize(new[] { 4, 5, 6 }), into: array));
            Assert.Equal([4, 5, 6], array);
            Assert.Equal(
                WireFormatError.TypeMismatch,
                Assert.Throws<WireFormatException>(() => serializer.Deserialize(serializer.Serialize(new[] { 7, 8 }), into: array)).Error);
            Assert.Equal([4, 5, 6], array);
        }
    }

    [Fact]
    public void A_message_of_a_session_that_does_not_fit_is_part_of_it_all_the_same()
    {
        using SerializerSession writing = Plain.GetSerializerSession();
        using DeserializerSession reading = Plain.GetDeserializerSession();
        var dog = new Dog();
        Assert.Throws<WireFormatException>(
            () => Plain.Deserialize<Animal>(Plain.Serialize(new Cat { Lives = 9 }, writing), dog, reading));
        Assert.Equal(9, Plain.Deserialize<Cat>(Plain.Serialize(new Cat { Lives = 9 }, writing), reading)!.Lives);
        var cat = new Cat();
        Assert.Same(cat, Plain.Deserialize(Plain.Serialize(new Cat { Lives = 8 }, writing), cat, reading));
        Assert.Equal(8, cat.Lives);
    }

    [Fact]
    public void Types_whose_objects_are_made_of_what_is_read_are_refused_before()
    {
        var surrogates = new Serializer(
            Options with { Surrogates = [Surrogate.Create<Node, int>(node => node.Value, value => new Node { Value = value })] });
        AssertRefused(Plain, "text");
        AssertRefused(Plain, ImmutableList<int>.Empty);
        AssertRefused(Plain, new Uri("http://a/"));
        AssertRefused(Plain, new System.Version(1, 2));
        AssertRefused(surrogates, new Node());
        Assert.Throws<ArgumentNullException>(() => Plain.Deserialize<Node>([], into: null!));

        static void AssertRefused<T>(Serializer serializer, T there)
            where T : class
        {
            var e = Assert.Throws<UnsupportedTypeException>(() => serializer.Deserialize(serializer.Serialize(there), into: there));
            Assert.Contains("read into", e.Message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void After_a_failure_the_object_can_be_read_into_again()
    {
        Basket expected = Example("Ada", 20);
        foreach (Serializer serializer in new[] { Plain, Numbering })
        {
            byte[] payload = serializer.Serialize(expected);
            Basket there = Example("Bob", 25);
            for (int cut = 0; cut < payload.Length; cut++)
            {
                Assert.Throws<WireFormatException>(() => serializer.Deserialize(payload.AsSpan(0, cut), into: there));
            }

            serializer.Deserialize(payload, into: there);
            GraphAssert.Same(expected, there);
        }
    }

    [Fact]
    public void Limits_hold_as_for_new_objects()
    {
        Basket big = Example("Ada", 100);
        byte[] payload = Plain.Serialize(big);
        foreach (Limits limits in new[]
        {
            Limits.Default with { MaxElements = 50 }, Limits.Default with { MaxDepth = 1 }, Limits.Default with { MaxStringLength = 80 },
            Limits.Default with { MaxAllocation = 500 }, Limits.Default with { MaxBytes = 100 },
        })
        {
            var limited = new Serializer(Options with { Limits = limits });
            WireFormatException expected = Assert.Throws<WireFormatException>(() => limited.Deserialize<Basket>(payload));
            WireFormatException actual = Assert.Throws<WireFormatException>(() => limited.Deserialize(payload, into: big));
            Assert.Equal((expected.Message, expected.Offset), (actual.Message, actual.Offset));
        }
    }
}
