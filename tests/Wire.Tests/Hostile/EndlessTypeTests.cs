using System.Collections.ObjectModel;
using Wire.Tests.Behaviour;
using Wire.Tests.Testing;

namespace Wire.Tests.Hostile;

/// <summary>Types that hold ever larger types made of themselves, and those that double with every level.</summary>
public sealed class EndlessTypeTests
{
    private const byte Int32 = 0x15;

    public static TheoryData<bool> Twins => [true, false];

    [Theory]
    [InlineData(true, "01 44 00")]
    [InlineData(false, "01 44 00")]
    [InlineData(true, "01 41 46 00")]
    public void A_list_of_itself_that_is_written_as_another_type_is_refused_by_name(bool dynamicCode, string manifest)
    {
        // Loads the assembly, as any message with XML does.
        Type type = typeof(System.Xml.Xsl.XslCompiledTransform).Assembly.GetType("System.Xml.Xsl.Qil.QilNode")!;
        byte[] name = System.Text.Encoding.UTF8.GetBytes(type.FullName!);
        byte[] rest = Convert.FromHexString(manifest.Replace(" ", "", StringComparison.Ordinal));
        byte[] payload = [0x10, 0x02, (byte)(1 + name.Length + rest.Length), (byte)(name.Length << 1), .. name, .. rest, 0x00];
        foreach (WireTypeFilter filter in new[] { WireTypeFilter.Unrestricted, WireTypeFilter.Default.AllowAssembly(type.Assembly) })
        {
            var serializer = new Serializer(new SerializerOptions { TypeFilter = filter, DynamicCode = dynamicCode });

            var e = Assert.Throws<TypeRefusedException>(() => serializer.Deserialize<object>(payload));

            Assert.Contains(type.FullName!, e.Message, StringComparison.Ordinal);
            Assert.Contains("is written as System.Collections.Generic.List", e.Message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void A_class_that_is_written_as_another_type_is_refused_by_name_and_comes_back_as_that()
    {
        var serializer = new Serializer(new SerializerOptions { TypeFilter = WireTypeFilter.Unrestricted });
        var keys = new Dictionary<int, string> { [1] = "a" }.Keys;
        Assert.Equal([1], Assert.IsType<List<int>>(serializer.Deserialize<object>(serializer.Serialize<object>(keys))));
        byte[] payload =
        [
            0x10, .. new PayloadWriter().Definition(keys.GetType(), schema => schema.Byte(0x41, Int32)).Bytes, 0x00,
        ];

        Assert.Throws<TypeRefusedException>(() => serializer.Deserialize<object>(payload));
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void A_value_type_that_holds_ever_larger_ones_is_refused_on_write(bool dynamicCode)
    {
        Serializer serializer = Setup.Serializer(dynamicCode);
        foreach (object value in new object[]
        {
            default(InArray<int>), new InArray<int>[1], new Holder<InArray<int>>(), new InArray<int>?[1], new List<InArray<int>>(),
            default(InList<int>), default(InMap<int>), (default(InArray<int>), 1), default(Deeper<int>),
        })
        {
            var e = Assert.Throws<UnsupportedTypeException>(() => serializer.Serialize<object>(value));

            Assert.Contains("ever larger types made of itself", e.Message, StringComparison.Ordinal);
        }

        Assert.Throws<UnsupportedTypeException>(() => serializer.SerializeTyped(default(InArray<int>)));
        Assert.Throws<UnsupportedTypeException>(
            () => Setup.Serializer(dynamicCode, o => o with { VersionTolerance = false }).Serialize<object>(default(InArray<int>)));
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void And_on_read(bool dynamicCode)
    {
        Serializer serializer = Setup.Serializer(dynamicCode);
        foreach (Type type in new[]
        {
            typeof(InArray<int>), typeof(InList<int>), typeof(InMap<int>), typeof(Deeper<int>), typeof(Holder<InArray<int>>),
        })
        {
            byte[] payload =
                [0x10, .. new PayloadWriter().Definition(type, schema => schema.Byte(0x44, 0x01).Name("V").Byte(Int32)).Bytes, 1, 0, 0, 0];

            Assert.Throws<TypeRefusedException>(() => serializer.Deserialize<object>(payload));
        }

        Assert.Throws<UnsupportedTypeException>(() => serializer.DeserializeTyped<InArray<int>>([0x11]));
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void A_class_that_holds_ever_larger_ones_is_read(bool dynamicCode)
    {
        Serializer serializer = Setup.Serializer(dynamicCode);

        var read = serializer.RoundTrip(new InClass<int> { V = 1, A = [new() { V = 2 }] });

        Assert.Equal(2, read.A![0].V);
    }

    [Fact]
    public void A_name_that_doubles_its_layout_with_every_level_is_refused_at_once()
    {
        Serializer serializer = Setup.Serializer(true);
        Type type = typeof(int);
        for (int i = 0; i < 25; i++)
        {
            type = typeof(Twice<>).MakeGenericType(type);
        }

        byte[] payload =
            [0x10, .. new PayloadWriter().Definition(type, schema => schema.Byte(0x44, 0x01).Name("V").Byte(Int32)).Bytes, 1, 0, 0, 0];
        long before = GC.GetAllocatedBytesForCurrentThread();

        var e = Assert.Throws<TypeRefusedException>(() => serializer.Deserialize<object>(payload));

        Assert.Contains("parts", e.Message, StringComparison.Ordinal);
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 1 << 20);
    }

    [Fact]
    public void What_a_type_leads_to_by_ever_larger_ones_is_found_at_once()
    {
        // Once: 4,096 types, the last of 4,096 levels.
        Serializer serializer = Setup.Serializer(true);
        byte[] payload = serializer.Serialize<object>(new InClass<long> { V = 1 });
        long before = GC.GetAllocatedBytesForCurrentThread();

        Assert.Equal(1, new Serializer().Deserialize<InClass<long>>(payload)!.V);

        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 20 << 20);
    }

    public static TheoryData<Type> Growing =>
    [
        typeof(ByArray<int>), typeof(ByFunction<int>), typeof(ByTuple<int>), typeof(ByPair<int>), typeof(ByList<int>), typeof(InClass<int>),
        typeof(ByThree<int>),
    ];

    [Theory]
    [MemberData(nameof(Growing))]
    public void Classes_that_declare_ever_larger_ones_are_written_read_prepared_and_described_at_once(Type type)
    {
        long before = GC.GetAllocatedBytesForCurrentThread();
        foreach (bool dynamicCode in new[] { true, false })
        {
            Serializer writer = Setup.Closed(dynamicCode), reader = new(new SerializerOptions { DynamicCode = dynamicCode });
            object value = Activator.CreateInstance(type)!;
            byte[] payload = writer.Serialize(value);

            Assert.IsType(type, reader.Deserialize(type, payload));
            Assert.IsType(type, reader.Clone(value));
            reader.Prepare(type);
            var contract = WireContract.From(reader, type);
            Assert.Equal(contract.ToString(), WireContract.Parse(contract.ToString()).ToString());
            Assert.Empty(contract.CompareWith(WireContract.From(writer, type)).Differences);
        }

        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 600 << 20);
    }

    [Fact]
    public void As_far_as_messages_go_they_come_back()
    {
        Serializer serializer = Setup.Serializer(true);
        var value = new ByTuple<int> { V = 1, I = new() { V = (2, 3), I = new() { V = ((4, 5), (6, 7)) } } };

        ByTuple<int> read = new Serializer().Deserialize<ByTuple<int>>(serializer.Serialize(value))!;

        Assert.Equal(((4, 5), (6, 7)), read.I!.I!.V);
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void A_part_is_described_by_what_is_around_it(bool dynamicCode)
    {
        // B is described before and inside of C, and C before and inside of B: neither may take the other's description.
        Serializer serializer = Setup.Serializer(dynamicCode);
        var value = new Ring
        {
            B = new() { Text = "b", C = [new() { Text = "c", B = [new() { Text = "bb" }] }] },
            C = new() { Text = "C", B = [new() { Text = "Cb" }] },
        };

        Ring read = serializer.Deserialize<Ring>(serializer.Serialize(value));

        Assert.Equal("bb", read.B.C![0].B![0].Text);
        Assert.Equal("Cb", read.C.B![0].Text);
        Assert.Contains("recursion", PayloadDump.Describe(serializer.Serialize(value)), StringComparison.Ordinal);
    }

    public struct Ring
    {
        public RingB B;
        public RingC C;
        public RingB[]? Others;
    }

    public struct RingB
    {
        public string? Text;
        public int One, Two, Three, Four, Five, Six, Seven, Eight, Nine, Ten, Eleven, Twelve;
        public RingC[]? C;
    }

    public struct RingC
    {
        public string? Text;
        public int One, Two, Three, Four, Five, Six, Seven, Eight, Nine, Ten, Eleven, Twelve;
        public RingB[]? B;
    }

    public struct InArray<T>
    {
        public int V;
        public InArray<InArray<T>>[]? A;
    }

    public struct InList<T>
    {
        public int V;
        public List<InList<InList<T>>>? A;
    }

    public struct InMap<T>
    {
        public int V;
        public Dictionary<string, InMap<T[]>>? A;
    }

    // What it holds deepens in a branch that is not the first.
    public struct Deeper<T>
    {
        public List<T>? A;
        public ReadOnlyCollection<int>? B;
        public Dictionary<int, Deeper<List<T>>[]>? C;
    }

    public sealed class InClass<T>
    {
        public int V;
        public InClass<InClass<T>>[]? A;
    }

    public sealed class Holder<T>
    {
        public int V;
        public T? Value;
    }

    public struct Twice<T>
    {
        public T[]? First;
        public T[]? Second;
    }

    private sealed class ByArray<T>
    {
        public T? V { get; set; }

        public ByArray<T[]>? I { get; set; }
    }

    private sealed class One<T>
    {
        public T? V { get; set; }
    }

    private sealed class ByFunction<T>
    {
        public T? V { get; set; }

        public One<ByFunction<T[]>>? I { get; set; }
    }

    private sealed class ByTuple<T>
    {
        public T? V { get; set; }

        public ByTuple<(T, T)>? I { get; set; }
    }

    private sealed class ByPair<T>
    {
        public T? V { get; set; }

        public ByPair<One<T>>? I { get; set; }
    }

    private sealed class ByList<T>
    {
        public T? V { get; set; }

        public ByList<List<T>>? I { get; set; }
    }

    private sealed class ByThree<T>
    {
        public ByThree<One<T>>? A { get; set; }

        public ByThree<T[]>? B { get; set; }

        public ByThree<List<T>>? C { get; set; }
    }
}
