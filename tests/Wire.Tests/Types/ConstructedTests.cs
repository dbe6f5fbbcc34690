using Wire.Tests.Behaviour;
using Wire.Tests.Behaviour.Filtering;

namespace Wire.Tests.Types;

/// <summary>How many constructed types payloads may bring, and that what they bring locks nobody out.</summary>
public sealed class ConstructedTests
{
    private static readonly Serializer Writer = new(new SerializerOptions { TypeFilter = Setup.TestTypes });

    [Fact]
    public void Beyond_the_limit_a_type_that_only_payloads_name_is_an_error_that_names_the_limit()
    {
        Serializer reader = Flooded(Limited());
        byte[] payload = Writer.Serialize<object>(new Box<Leaf>());
        var error = Assert.Throws<WireFormatException>(() => reader.Deserialize<object>(payload));
        Assert.Equal(WireFormatError.Limit, error.Error);
        Assert.Contains("Limits.MaxConstructedTypes = 100", error.Message, StringComparison.Ordinal);
        Assert.Equal(
            WireFormatError.Limit,
            Assert.Throws<WireFormatException>(() => reader.Deserialize<object>(Writer.Serialize<object>(new Leaf[1, 1]))).Error);
        Assert.IsType<Leaf>(reader.Deserialize<object>(Writer.Serialize<object>(new Leaf())));
    }

    [Fact]
    public void What_the_program_has_is_found_in_every_flood()
    {
        // What it has read before.
        Serializer reader = Limited();
        byte[] payload = Writer.Serialize<object>(new Box<Leaf>());
        Assert.IsType<Box<Leaf>>(reader.Deserialize<object>(payload));
        Flooded(reader);
        Assert.IsType<Box<Leaf>>(reader.Deserialize<object[]>(Writer.Serialize(new object[] { new Box<Leaf>() }))![0]);

        // What it asks for, and what that declares.
        Assert.IsType<Box<Puppy>>(Flooded(Limited()).Deserialize<Box<Puppy>>(Writer.Serialize(new Box<Puppy>())));
        var nested = new Box<Box<List<Leaf[]>>> { Value = new() { Value = [[new Leaf { Id = 4 }]] } };
        Assert.Equal(4, Flooded(Limited()).Deserialize<Box<Box<List<Leaf[]>>>>(Writer.Serialize(nested))!.Value!.Value![0][0].Id);
        Assert.IsType<Declaring>(
            Flooded(Limited()).Deserialize<Declaring>(Writer.Serialize(new Declaring { Any = new Box<Dictionary<int, Leaf>>() })));

        // What it writes itself.
        reader = Flooded(Limited());
        Assert.ThrowsAny<WireFormatException>(() => reader.Deserialize<object>(payload));
        reader.Serialize<object>(new Box<Leaf>());
        Assert.IsType<Box<Leaf>>(reader.Deserialize<object>(payload));

        // What its options name.
        reader = Flooded(Limited(o => o with { TypeFilter = o.TypeFilter.Allow<Box<Leaf>>() }));
        Assert.IsType<Box<Leaf>>(reader.Deserialize<object>(payload));
        var known = Limited(o => o with { KnownTypes = [new(1, typeof(Box<Leaf>))] });
        Assert.IsType<Box<Leaf>>(Flooded(known).Deserialize<object>(payload));
        reader = Flooded(Limited(o => o with { Surrogates = [Surrogate.Create<Stack<Leaf>, Box<Leaf>>(_ => new(), _ => new())] }));
        Assert.IsType<Box<Leaf>>(reader.Deserialize<object>(payload));
    }

    [Fact]
    public void A_limit_of_none_leaves_the_program_its_own()
    {
        var reader = new Serializer(
            new SerializerOptions { TypeFilter = Setup.TestTypes, Limits = Limits.Default with { MaxConstructedTypes = 0 } });
        Assert.Equal([1, 2], reader.Deserialize<List<int>>(Writer.Serialize(new List<int> { 1, 2 })));
        Assert.Equal(5, reader.RoundTrip(new Box<Leaf> { Value = new Leaf { Id = 5 } }).Value!.Id);
        Assert.Throws<WireFormatException>(() => reader.Deserialize<object>(Writer.Serialize<object>(new Box<Node>())));
        Assert.Throws<ArgumentOutOfRangeException>(
            () => new Serializer(new SerializerOptions { Limits = Limits.Default with { MaxConstructedTypes = -1 } }));
    }

    [Fact]
    public void Types_that_declare_themselves_without_end_keep_no_other_from_being_reached()
    {
        byte[] payload = Writer.Serialize(new Endless<int> { Last = new Leaf() });
        Assert.IsType<Leaf>(new Serializer().Deserialize<Endless<int>>(payload)!.Last);
        Assert.IsType<Leaf>(new Serializer(
            new SerializerOptions { TypeFilter = WireTypeFilter.Default.Allow<Endless<string>>() }).Deserialize<object>(
            Writer.Serialize<object>(new Leaf())));
    }

    private static Serializer Limited(Func<SerializerOptions, SerializerOptions>? change = null)
    {
        var options = new SerializerOptions { TypeFilter = Setup.TestTypes, Limits = Limits.Default with { MaxConstructedTypes = 100 } };
        return new Serializer(change is null ? options : change(options));
    }

    private static Serializer Flooded(Serializer serializer)
    {
        for (int i = 0; i < 300; i++)
        {
            string ranks = string.Concat(Enumerable.Range(0, 9).Select(bit => (i >> bit & 1) == 0 ? "[]" : "[,]"));
            Record.Exception(
                () => serializer.Deserialize<object>(FilterTests.Named($"System.Collections.Generic.List`1[[System.Int64{ranks}]]")));
        }

        return serializer;
    }

    private sealed class Declaring
    {
        public object? Any { get; set; }

        public Box<Dictionary<int, Leaf>>? Boxed { get; set; }
    }

    private sealed class Endless<T>
    {
        public Endless<List<T>>? First { get; set; }

        public Endless<T[]>? Second { get; set; }

        public Endless<Tuple<T, T>>? Third { get; set; }

        public object? Last { get; set; }

        public Leaf? Reached { get; set; }
    }
}
