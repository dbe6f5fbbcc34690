using System.Collections.Immutable;
using Xunit;

namespace Wire.Tests.Behaviour.Versions;

/// <summary>Elements of tuples that get other names, or change places, between two versions of a member.</summary>
public sealed class TupleNameTests
{
    // More often than a foreign schema is interpreted before it is compiled.
    private const int Reads = 12;

    public static TheoryData<bool, bool> Configurations => new() { { false, false }, { false, true }, { true, false }, { true, true } };

    [Theory]
    [MemberData(nameof(Configurations))]
    public void Elements_that_change_places_are_read_by_name(bool references, bool dynamicCode)
    {
        if (references)
        {
            // Its collections may be shared.
            Assert.Throws<WireFormatException>(() => Read<Places, Swapped>(references, dynamicCode, Sample()));
            Assert.Equal((2, 1), Read<Named, NamedSwapped>(references, dynamicCode, new Named { Pair = (1, 2) }).Pair);
            return;
        }

        Swapped read = Read<Places, Swapped>(references, dynamicCode, Sample());
        Assert.Equal((2, 1), read.Pair);
        Assert.Equal((2, 1), read.Maybe);
        Assert.Equal((2, 1), read.Array![0]);
        Assert.Equal((2, 1), read.List![0]);
        Assert.Equal((2, 1), read.Immutable[0]);
        Assert.Equal((2, 1), read.Values!["a"]);
        Assert.True(read.Keys!.ContainsKey((2, 1)));
        Assert.Equal(((2, 1), "c"), read.Nested);
        Assert.Equal(((2, 1), (2, 1)), read.Twice);
        Assert.Equal([[(2, 1)]], read.Jagged!);
    }

    [Theory]
    [MemberData(nameof(Configurations))]
    public void The_same_names_are_the_same_schema(bool references, bool dynamicCode)
    {
        Places read = Read<Places, Places>(references, dynamicCode, Sample());
        Assert.Equal((1, 2), read.Pair);
        Assert.Equal((1, 2), read.Jagged![0][0]);
    }

    [Theory]
    [MemberData(nameof(Configurations))]
    public void Names_that_come_later_go_by_place(bool references, bool dynamicCode) =>
        Assert.Equal((1, 2), Read<Unnamed, Named>(references, dynamicCode, new Unnamed { Pair = (1, 2) }).Pair);

    [Theory]
    [MemberData(nameof(Configurations))]
    public void A_name_in_the_other_place_is_not_taken_for_a_place(bool references, bool dynamicCode)
    {
        // X was the second and is the first now; the first had no name, and the second has none now.
        Assert.Equal((2, 0), Read<SecondNamed, FirstNamed>(references, dynamicCode, new SecondNamed { Pair = (1, 2) }).Pair);
    }

    [Theory]
    [MemberData(nameof(Configurations))]
    public void A_renamed_element_is_another_one(bool references, bool dynamicCode)
    {
        Assert.Equal((1, 0), Read<Named, OneRenamed>(references, dynamicCode, new Named { Pair = (1, 2) }).Pair);
        var error = Assert.Throws<WireFormatException>(() => Read<Named, AllRenamed>(references, dynamicCode, new Named { Pair = (1, 2) }));
        Assert.Equal(WireFormatError.SchemaMismatch, error.Error);
        Assert.Contains("no member in common", error.Message, StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Configurations))]
    public void Elements_keep_their_names_where_the_tuple_becomes_one_that_may_be_null(bool references, bool dynamicCode)
    {
        var named = new Named { Pair = (1, 2) };
        Assert.Equal((2, 1), Read<Named, NullableSwapped>(references, dynamicCode, named).Pair);
        NullableSwapped maybe = new() { Pair = (2, 1) };
        Assert.Equal((1, 2), Read<NullableSwapped, Named>(references, dynamicCode, maybe).Pair);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_collection_that_may_be_shared_is_not_read_with_other_places(bool dynamicCode)
    {
        List<(int, int)> shared = [(1, 2)];
        var both = new Shared { One = shared, Two = shared };
        var error = Assert.Throws<WireFormatException>(() => Read<Shared, SharedSwapped>(references: true, dynamicCode, both));
        Assert.Equal(WireFormatError.SchemaMismatch, error.Error);
        Assert.Contains("PreserveObjectReferences", error.Message, StringComparison.Ordinal);
        SharedSwapped read = Read<Shared, SharedSwapped>(references: false, dynamicCode, both);
        Assert.Equal(((2, 1), (1, 2)), (read.One![0], read.Two![0]));
    }

    [Fact]
    public void Schemas_have_the_names()
    {
        string dump = PayloadDump.Describe(new Serializer().Serialize(new Named { Pair = (1, 2) }));
        Assert.Contains("(X: Int32, Y: Int32)", dump, StringComparison.Ordinal);
        Assert.DoesNotContain("Item1", dump, StringComparison.Ordinal);
    }

    [Fact]
    public void A_tuple_of_more_than_seven_goes_by_place()
    {
        Long written = new() { Many = (1, 2, 3, 4, 5, 6, 7, 8) };
        Assert.Equal(written.Many, Read<Long, Long>(false, true, written).Many);
    }

    private static Places Sample() => new()
    {
        Pair = (1, 2),
        Maybe = (1, 2),
        Array = [(1, 2)],
        List = [(1, 2)],
        Immutable = [(1, 2)],
        Values = new() { ["a"] = (1, 2) },
        Keys = new() { [(1, 2)] = "k" },
        Nested = ((1, 2), "c"),
        Twice = ((1, 2), (1, 2)),
        Jagged = [[(1, 2)]],
    };

    private static TNew Read<TOld, TNew>(bool references, bool dynamicCode, TOld old)
    {
        byte[] bytes = Make<TOld>().Serialize<object>(old!);
        Serializer reader = Make<TNew>();
        object? read = null;
        for (int i = 0; i < Reads; i++)
        {
            read = reader.Deserialize<object>(bytes);
        }

        return Assert.IsType<TNew>(read);

        Serializer Make<T>() => new(new SerializerOptions
        {
            TypeAliases = TypeAliases.None.Alias<T>("Tuples.Root"),
            DynamicCode = dynamicCode,
            PreserveObjectReferences = references,
        });
    }

    private sealed class Places
    {
        public (int X, int Y) Pair { get; set; }
        public (int X, int Y)? Maybe { get; set; }
        public (int X, int Y)[]? Array { get; set; }
        public List<(int X, int Y)>? List { get; set; }
        public ImmutableArray<(int X, int Y)> Immutable { get; set; }
        public Dictionary<string, (int X, int Y)>? Values { get; set; }
        public Dictionary<(int X, int Y), string>? Keys { get; set; }
        public ((int X, int Y) Inner, string Text) Nested { get; set; }
        public ((int X, int Y), (int X, int Y)) Twice { get; set; }
        public List<(int X, int Y)[]>? Jagged { get; set; }
    }

    private sealed class Swapped
    {
        public (int Y, int X) Pair { get; set; }
        public (int Y, int X)? Maybe { get; set; }
        public (int Y, int X)[]? Array { get; set; }
        public List<(int Y, int X)>? List { get; set; }
        public ImmutableArray<(int Y, int X)> Immutable { get; set; }
        public Dictionary<string, (int Y, int X)>? Values { get; set; }
        public Dictionary<(int Y, int X), string>? Keys { get; set; }
        public ((int Y, int X) Inner, string Text) Nested { get; set; }
        public ((int Y, int X), (int Y, int X)) Twice { get; set; }
        public List<(int Y, int X)[]>? Jagged { get; set; }
    }

    private sealed class Unnamed
    {
        public (int, int) Pair { get; set; }
    }

    private sealed class Named
    {
        public (int X, int Y) Pair { get; set; }
    }

    private sealed class NamedSwapped
    {
        public (int Y, int X) Pair { get; set; }
    }

    private sealed class NullableSwapped
    {
        public (int Y, int X)? Pair { get; set; }
    }

    private sealed class Shared
    {
        public List<(int X, int Y)>? One { get; set; }

        public List<(int X, int Y)>? Two { get; set; }
    }

    private sealed class SharedSwapped
    {
        public List<(int Y, int X)>? One { get; set; }

        public List<(int X, int Y)>? Two { get; set; }
    }

    private sealed class FirstNamed
    {
        public (int X, int) Pair { get; set; }
    }

    private sealed class SecondNamed
    {
        public (int, int X) Pair { get; set; }
    }

    private sealed class OneRenamed
    {
        public (int X, int Top) Pair { get; set; }
    }

    private sealed class AllRenamed
    {
        public (int Left, int Top) Pair { get; set; }
    }

    private sealed class Long
    {
        public (int A, int B, int C, int D, int E, int F, int G, int H) Many { get; set; }
    }
}
