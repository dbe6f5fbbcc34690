using Wire.Testing;
using Wire.Tests.Testing;
using Xunit;

namespace Wire.Tests.Behaviour;

/// <summary>Deep graphs and deep payloads: a clear error or a fresh stack, never an overflow.</summary>
[Collection(nameof(RunAlone))]
[Trait("Runs", "alone")]
public class DepthTests
{
    private const int SmallStack = 256;

    // More than fit into any stack of a thread.
    private static readonly int Deep = Sweep.IsWhole ? 1_000_000 : 200_000;

    private static readonly Limits Raised = Limits.Default with { MaxDepth = int.MaxValue };

    [WireName("Deep.Holder")]
    private sealed class WrittenHolder
    {
        public object? Junk;
        public int Kept;
    }

    private struct Cell
    {
        public System.Collections.Immutable.ImmutableArray<Cell> Inside;
    }

    [WireName("Deep.Holder")]
    private sealed class NewHolder
    {
        public int Kept;
    }

    public static TheoryData<bool, bool> Modes => new() { { true, true }, { true, false }, { false, true }, { false, false } };

    [Theory]
    [MemberData(nameof(Modes))]
    public void A_list_of_very_many_nodes_round_trips(bool dynamicCode, bool references)
    {
        int count = dynamicCode ? Deep : Deep / 4;
        Serializer serializer = Setup.Serializer(dynamicCode, o => o with { PreserveObjectReferences = references, Limits = Raised });
        Node? node = serializer.RoundTrip(Chain(count));
        for (int i = count; i > 0; i--)
        {
            Assert.Equal(i, node!.Value);
            node = node.Next;
        }

        Assert.Null(node);
    }

    [Theory]
    [MemberData(nameof(Modes))]
    public void A_small_stack_is_enough(bool dynamicCode, bool references)
    {
        Serializer serializer = Setup.Serializer(dynamicCode, o => o with { PreserveObjectReferences = references, Limits = Raised });
        byte[] payload = [];
        Setup.OnSmallStack(() => payload = serializer.Serialize(Chain(20_000)), SmallStack);
        Setup.OnSmallStack(() => Assert.Equal(20_000, serializer.Deserialize<Node>(payload)!.Value), SmallStack);
        Setup.OnSmallStack(() => Assert.Equal(20_000, serializer.Clone(Chain(20_000)).Value), SmallStack);
    }

    [Theory]
    [MemberData(nameof(Modes))]
    public void A_value_that_is_written_without_a_box_takes_as_many_levels_as_in_one(bool dynamicCode, bool references)
    {
        Cell cell = default;
        for (int i = 0; i < 5; i++)
        {
            cell = new Cell { Inside = [cell] };
        }

        for (int limit = 1; limit <= 8; limit++)
        {
            Serializer serializer = Setup.Serializer(
                dynamicCode, o => o with { PreserveObjectReferences = references, Limits = Raised with { MaxDepth = limit } });
            byte[]? boxed = Written(() => serializer.Serialize<object>(cell));
            byte[]? unboxed = Written(() => serializer.Serialize(cell));
            Assert.Equal(boxed, unboxed);
            if (unboxed is not null)
            {
                Assert.IsType<Cell>(serializer.Deserialize<object>(unboxed));
                Assert.Single(serializer.Deserialize<Cell>(unboxed).Inside);
            }
        }

        static byte[]? Written(Func<byte[]> write)
        {
            try
            {
                return write();
            }
            catch (ObjectGraphException)
            {
                return null;
            }
        }
    }

    [Theory]
    [MemberData(nameof(Modes))]
    public void The_default_limit_is_a_clear_error_on_write_and_on_read(bool dynamicCode, bool references)
    {
        Serializer strict = Setup.Serializer(dynamicCode, o => o with { PreserveObjectReferences = references });
        Serializer lenient = Setup.Serializer(dynamicCode, o => o with { PreserveObjectReferences = references, Limits = Raised });
        int limit = Limits.Default.MaxDepth;
        Assert.Equal(limit, strict.RoundTrip(Chain(limit)).Value);

        var graph = Assert.Throws<ObjectGraphException>(() => strict.Serialize(Chain(limit + 1)));
        Assert.StartsWith("Next.Next", graph.MemberPath, StringComparison.Ordinal);
        byte[] payload = lenient.Serialize(Chain(limit + 1));
        var format = Assert.Throws<WireFormatException>(() => strict.Deserialize<Node>(payload));
        Assert.Equal(WireFormatError.Limit, format.Error);
        Assert.Contains("MaxDepth", format.Message, StringComparison.Ordinal);
        Assert.True(format.Message.Length < 1000);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(SmallStack)]
    public void Arrays_nested_without_measure_do_not_overflow_the_stack(int stack)
    {
        byte[] payload = NestedArrays(Deep);
        Serializer lenient = Setup.Serializer(true, o => o with { Limits = Raised });
        Serializer strict = Setup.Serializer(true);
        void Read()
        {
            object? value = lenient.Deserialize<object>(payload);
            int depth = 0;
            for (; value is object[] array; value = array[0])
            {
                depth++;
            }

            Assert.Equal(Deep, depth);
            var error = Assert.Throws<WireFormatException>(() => strict.Deserialize<object>(payload));
            Assert.Equal(WireFormatError.Limit, error.Error);

            // Cut at the bottom: the exception comes up through every stack, which takes its time.
            byte[] cut = NestedArrays(5_000);
            var truncated = Assert.Throws<WireFormatException>(() => lenient.Deserialize<object>(cut.AsSpan(0, cut.Length - 1)));
            Assert.Equal(WireFormatError.Length, truncated.Error);
            Assert.Equal(cut.Length - 1, truncated.Offset);
        }

        if (stack == 0)
        {
            Read();
        }
        else
        {
            Setup.OnSmallStack(Read, stack);
        }
    }

    [Theory]
    [MemberData(nameof(Modes))]
    public void A_deep_removed_member_is_passed_over(bool dynamicCode, bool references)
    {
        Serializer writer = Setup.Serializer(dynamicCode, o => o with { PreserveObjectReferences = references, Limits = Raised });
        Serializer reader = Setup.Serializer(dynamicCode, o => o with { Limits = Raised });
        Serializer strict = Setup.Serializer(dynamicCode);
        object junk = Chain(Deep / 4);
        byte[] payload = writer.Serialize(new WrittenHolder { Junk = junk, Kept = 77 });
        Assert.Equal(77, reader.Deserialize<NewHolder>(payload)!.Kept);
        Setup.OnSmallStack(() => Assert.Equal(77, reader.Deserialize<NewHolder>(payload)!.Kept), SmallStack);
        Assert.Equal(WireFormatError.Limit, Assert.Throws<WireFormatException>(() => strict.Deserialize<NewHolder>(payload)).Error);
    }

    [Fact]
    public void Threads_that_change_under_one_session_keep_their_stacks_apart()
    {
        Serializer serializer = Setup.Serializer(true, o => o with { Limits = Raised });
        using SerializerSession session = serializer.GetSerializerSession();
        using DeserializerSession reading = serializer.GetDeserializerSession();
        Node chain = Chain(20_000);
        for (int i = 0; i < 4; i++)
        {
            Setup.OnSmallStack(
                () => Assert.Equal(20_000, serializer.Deserialize<Node>(serializer.Serialize(chain, session), reading)!.Value), SmallStack);
            Assert.Equal(20_000, serializer.Deserialize<Node>(serializer.Serialize(chain, session), reading)!.Value);
        }
    }

    private static Node Chain(int count)
    {
        Node? first = null;
        for (int i = 1; i <= count; i++)
        {
            first = new Node { Value = i, Next = first };
        }

        return first!;
    }

    private static byte[] NestedArrays(int depth)
    {
        // Vector of object, one element: and so on, down to a null.
        byte[] payload = new byte[1 + (3 * depth) + 1];
        payload[0] = 0x10;
        for (int i = 0; i < depth; i++)
        {
            payload[1 + (3 * i)] = 0x05;
            payload[2 + (3 * i)] = 0x2F;
            payload[3 + (3 * i)] = 1;
        }

        return payload;
    }
}
