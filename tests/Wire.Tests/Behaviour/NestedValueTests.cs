using System.Collections.Immutable;
using System.Runtime.CompilerServices;
using Wire.Testing;
using Wire.Tests.Testing;

namespace Wire.Tests.Behaviour;

/// <summary>
/// Values that hold their like without an object in between, as a struct with an <see cref="ImmutableArray{T}"/> of itself does: a
/// level each, like objects, so that neither bytes nor graphs overflow the stack.
/// </summary>
[Collection(nameof(RunAlone))]
[Trait("Runs", "alone")]
public sealed class NestedValueTests
{
    private static readonly int Deep = Sweep.IsWhole ? 300_000 : 100_000;

    // A frame in a frame has its length in front, so that the bytes grow with the depth.
    private const int DeepFrames = 20_000;

    public static TheoryData<bool> Twins => [true, false];

    [Theory]
    [MemberData(nameof(Twins))]
    public void Any_depth_is_written_and_read_where_the_limit_allows_it(bool dynamicCode)
    {
        Serializer serializer = Setup.Closed(dynamicCode, o => Options(o, int.MaxValue));
        Assert.Equal(Deep, Depth(serializer.RoundTrip(Tree(Deep))));
        Assert.Equal(Deep, Depth(serializer.RoundTrip(Slices(Deep))));
        Assert.Equal(DeepFrames, Depth(serializer.RoundTrip(Frames(DeepFrames))));
        byte[] deep = serializer.Serialize(new Holder<Branch> { Value = Tree(Deep) });
        Assert.Equal(Deep, Depth(serializer.Deserialize<Holder<WrittenBranch>>(deep)!.Value));
    }

    [Fact]
    public void Elements_of_arrays_that_continue_on_a_fresh_stack_may_be_moved_by_the_collector()
    {
        Serializer serializer = Setup.Serializer(dynamicCode: true, o => Options(o, int.MaxValue));
        byte[] payload = serializer.Serialize(new Holder<Branch> { Value = Tree(DeepFrames) });
        using var stop = new CancellationTokenSource();
        var collector = new Thread(() =>
        {
            while (!stop.IsCancellationRequested)
            {
                GC.Collect(0, GCCollectionMode.Forced, blocking: true, compacting: true);

                // Between two collections the others come some frames further: without it they hardly would.
                Thread.SpinWait(20_000);
            }
        });
        int collections = GC.CollectionCount(0);
        collector.Start();
        try
        {
            Setup.OnSmallStack(
                () =>
                {
                    for (int i = 0; i < 4 || GC.CollectionCount(0) - collections < 100; i++)
                    {
                        Branch tree = serializer.Deserialize<Holder<Branch>>(payload)!.Value;
                        Assert.Equal(DeepFrames, Depth(tree));
                        Assert.Equal(payload, serializer.Serialize(new Holder<Branch> { Value = tree }));
                    }
                },
                256);
        }
        finally
        {
            stop.Cancel();
            collector.Join();
        }
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void The_limit_holds_on_write_and_on_read(bool dynamicCode)
    {
        const int Limit = 20;
        Serializer lenient = Setup.Serializer(dynamicCode, o => Options(o, 10 * Limit));
        Serializer strict = Setup.Serializer(dynamicCode, o => Options(o, Limit));
        foreach (Func<int, object> make in new Func<int, object>[] { depth => Tree(depth), depth => Slices(depth), depth => Frames(depth) })
        {
            object fits = make(Limit - 3);
            object deep = make(Limit + 1);
            Assert.Equal(lenient.Serialize(fits), strict.Serialize(strict.Deserialize<object>(strict.Serialize(fits))));
            Assert.Throws<ObjectGraphException>(() => strict.Serialize(deep));
            Assert.Equal(
                WireFormatError.Limit, Assert.Throws<WireFormatException>(() => strict.Deserialize<object>(lenient.Serialize(deep))).Error);
        }
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void Passed_over_they_are_levels_too(bool dynamicCode)
    {
        Serializer lenient = Setup.Serializer(dynamicCode, o => Options(o, int.MaxValue));
        byte[] payload = lenient.Serialize(new WrittenHolder { Kept = 7, Gone = Tree(Deep) });
        Assert.Equal(7, lenient.Deserialize<NewHolder>(payload)!.Kept);
        Assert.Equal(
            WireFormatError.Limit,
            Assert.Throws<WireFormatException>(() => Setup.Serializer(dynamicCode).Deserialize<NewHolder>(payload)).Error);
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void A_schema_of_values_that_hold_themselves_without_end_is_refused(bool dynamicCode)
    {
        // A member that is said to be the object itself, where the type has a reference.
        byte[] payload = Setup.Serializer(dynamicCode).Serialize(new Endless());
        byte[] self = [.. "Child"u8, 0x45, 0x00];
        byte[] tagged = [.. "Child"u8, 0x46, 0x00];
        int at = payload.AsSpan().IndexOf(tagged);
        byte[] bad = [.. payload.AsSpan(0, at), .. self, .. payload.AsSpan(at + tagged.Length)];
        Serializer serializer = Setup.Serializer(dynamicCode);
        Assert.Equal(WireFormatError.Manifest, Assert.Throws<WireFormatException>(() => serializer.Deserialize<object>(bad)).Error);
        Assert.Equal(WireFormatError.Manifest, Assert.Throws<WireFormatException>(() => serializer.Deserialize<Endless>(bad)).Error);
    }

    [Fact]
    public void An_inline_array_that_holds_itself_is_refused() =>
        Assert.Throws<UnsupportedTypeException>(() => new Serializer().Serialize(new Pair()));

    private static SerializerOptions Options(SerializerOptions options, int maxDepth) => options with
    {
        Limits = Limits.Default with { MaxDepth = maxDepth },
        ValueSerializerFactories = [ValueSerializerFactory.For(new FramedSerializer())],
    };

    private static Branch Tree(int depth)
    {
        var tree = new Branch { Branches = [] };
        for (int i = 0; i < depth; i++)
        {
            tree = new Branch { Branches = [tree] };
        }

        return tree;
    }

    private static int Depth(Branch tree)
    {
        int depth = 0;
        for (; !tree.Branches.IsEmpty; tree = tree.Branches[0])
        {
            depth++;
        }

        return depth;
    }

    private static int Depth(WrittenBranch tree)
    {
        int depth = 0;
        for (; !tree.Branches.IsEmpty; tree = tree.Branches[0])
        {
            depth++;
        }

        return depth;
    }

    private static Slice Slices(int depth)
    {
        Slice slice = default;
        for (int i = 0; i < depth; i++)
        {
            slice = new Slice { Inner = new[] { slice } };
        }

        return slice;
    }

    private static int Depth(Slice slice)
    {
        int depth = 0;
        for (; !slice.Inner.IsEmpty; slice = slice.Inner.Span[0])
        {
            depth++;
        }

        return depth;
    }

    private static Framed Frames(int depth)
    {
        Framed frame = default;
        for (int i = 0; i < depth; i++)
        {
            frame = new Framed { Inner = [frame] };
        }

        return frame;
    }

    private static int Depth(Framed frame)
    {
        int depth = 0;
        for (; frame.Inner is not null; frame = frame.Inner[0])
        {
            depth++;
        }

        return depth;
    }

    [WireName("Nested.Branch")]
    public struct Branch
    {
        public ImmutableArray<Branch> Branches;
    }

    [WireName("Nested.Branch")]
    public struct WrittenBranch
    {
        public ImmutableArray<WrittenBranch> Branches;
        public int Leaves;
    }

    public struct Slice
    {
        public ReadOnlyMemory<Slice> Inner;
    }

    public struct Framed
    {
        public Framed[]? Inner;
    }

    [WireName("Nested.Holder")]
    public sealed class Holder<T>
    {
        public T? Value;
    }

    [WireName("Nested.Gone")]
    public sealed class WrittenHolder
    {
        public Branch Gone;
        public int Kept;
    }

    [WireName("Nested.Gone")]
    public sealed class NewHolder
    {
        public int Kept;
    }

    public sealed class Endless
    {
        public Endless? Child;
    }

    [InlineArray(2)]
    private struct Pair
    {
        public ImmutableArray<Pair> First;
    }

    private sealed class FramedSerializer : ValueSerializer<Framed>
    {
        public override void Write(ref WireWriter writer, Framed value)
        {
            writer.WriteByte((byte)(value.Inner is null ? 0 : 1));
            if (value.Inner is { } inner)
            {
                writer.WriteValue(inner[0]);
            }
        }

        public override Framed Read(ref WireReader reader) =>
            reader.ReadByte() == 0 ? default : new Framed { Inner = [reader.ReadValue<Framed>()] };
    }
}
