using System.Buffers;
using System.Collections;
using System.Net;
using Wire.Comparing;
using Wire.Tests.Testing;

namespace Wire.Tests.ValueSerializers;

/// <summary>What a variable holds comes back into one of its type, or is refused when it is written.</summary>
public sealed class WrittenVariableTests
{
    private static readonly Array[] Others =
    [
        new uint[] { 7, uint.MaxValue }, new ushort[] { 7 }, new byte[] { 200 }, new ulong[] { 1 }, new DayOfWeek[] { DayOfWeek.Friday },
        new nuint[] { 3 },
    ];

    public static TheoryData<bool, bool> Twins => new() { { true, true }, { false, true }, { true, false }, { false, false } };

    [Theory]
    [MemberData(nameof(Twins))]
    public void An_array_of_other_numbers_is_refused_in_a_variable_that_only_a_cast_puts_it_into(bool dynamicCode, bool references)
    {
        Serializer serializer = Configuration.Serializer(references, tolerance: true, dynamicCode);
        var uints = (object)new uint[] { 7 };
        object[] refused =
        [
            new Holder<int[]> { Value = (int[])uints }, new Holder<IList<int>> { Value = (IList<int>)uints },
            new Holder<IEnumerable<int>> { Value = (IEnumerable<int>)uints }, new List<int[]> { (int[])uints },
            new Holder<DayOfWeek[]> { Value = (DayOfWeek[])(object)new int[] { 5 } },
            new Holder<int[]> { Value = (int[])(object)new DayOfWeek[] { DayOfWeek.Friday } },
            new Holder<IEnumerable<int[]>> { Value = (IEnumerable<int[]>)(object)new List<uint[]>() },
            new Dictionary<string, sbyte[]> { ["a"] = (sbyte[])(object)new byte[] { 200 } },
            new Holder<int[][]> { Value = (int[][])(object)new uint[][] { [1] } },
        ];
        using SerializerSession session = serializer.GetSerializerSession();
        for (int i = 0; i < 3; i++)
        {
            // Wherever the same array has been written rightly, what is known of it there does not count here.
            serializer.Serialize(new object[] { uints, new DayOfWeek[1], new uint[][] { [1] } }, session);
            Assert.All(refused, graph =>
            {
                Assert.Contains("only a cast", Assert.Throws<UnsupportedTypeException>(() => serializer.Serialize(graph)).Message);
                Assert.Throws<UnsupportedTypeException>(() => serializer.Serialize(graph, session));
                GraphAssert.Same(graph, serializer.Clone(graph), sharing: references);
            });
            Assert.Throws<UnsupportedTypeException>(() => serializer.SerializeTyped((int[])uints));
        }
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void In_variables_that_it_fits_it_comes_back(bool dynamicCode, bool references)
    {
        Serializer serializer = Configuration.Serializer(references, tolerance: true, dynamicCode);
        foreach (Array other in Others)
        {
            foreach (object graph in new object[]
            {
                other, new Holder<object> { Value = other }, new Holder<Array> { Value = other }, new object[] { other, other },
                new Holder<object[]> { Value = new string[] { "a" } }, new Holder<IEnumerable<object>> { Value = new List<string> { "b" } },
            })
            {
                GraphAssert.Same(graph, serializer.Deserialize<object>(serializer.Serialize(graph)), sharing: references);
            }
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void What_is_written_as_its_base_is_refused_in_a_variable_of_its_own_class(bool isAddress)
    {
        Serializer serializer = Configuration.Serializer(references: true, tolerance: true, dynamicCode: true);
        object value = isAddress ? IPAddress.Loopback : new SortedSet<int> { 1, 2, 3 }.GetViewBetween(1, 2);
        Type own = value.GetType();
        Type written = own.BaseType!;
        UnsupportedTypeException e = Assert.Throws<UnsupportedTypeException>(
            () => serializer.SerializeTyped(own, value, new ArrayBufferWriter<byte>()));
        Assert.Contains("would come back as", e.Message, StringComparison.Ordinal);
        var list = (IList)Activator.CreateInstance(typeof(List<>).MakeGenericType(own))!;
        list.Add(value);
        Assert.Throws<UnsupportedTypeException>(() => serializer.Serialize<object>(list));

        var output = new ArrayBufferWriter<byte>();
        serializer.SerializeTyped(written, value, output);
        Assert.Equal(value, serializer.DeserializeTyped(written, output.WrittenSpan));
        Assert.IsType(written, serializer.Deserialize<object>(serializer.Serialize(value)));
    }

    public sealed class Holder<T>
    {
        public T? Value;
        public int Behind = 9;
    }
}
