using Wire.Tests.Testing;

namespace Wire.Tests.ValueSerializers;

public sealed class ByteArrayTests : ValueTests<byte[]?>
{
    protected override IEnumerable<byte[]?> Samples =>
        [null, [], [0], [1, 2, 3], [.. Enumerable.Range(0, 300).Select(i => (byte)i)], new byte[70_000]];
}

[TypeNotes("arrays of types with a tag need no manifest", Title = "T[]")]
public sealed class Int32ArrayTests : ValueTests<int[]>
{
    protected override IEnumerable<int[]> Samples => [[], [int.MinValue], [.. Enumerable.Range(-50, 100)]];
}

public sealed class BooleanArrayTests : ValueTests<bool[]>
{
    protected override IEnumerable<bool[]> Samples => [[], [true], [.. Enumerable.Range(0, 600).Select(i => i % 3 == 0)]];
}

public sealed class StringArrayTests : ValueTests<string?[]>
{
    protected override IEnumerable<string?[]> Samples => [[], [null], ["", "a", null, "\u0100"]];
}

public sealed class ObjectArrayTests : ValueTests<object?[]>
{
    protected override IEnumerable<object?[]> Samples =>
        [
            [],
            [null],
            [1, "a", null, 1.5, new object(), Guid.Empty, new[] { 1, 2 }, new object?[] { new List<int> { 3 } }, DayOfWeek.Friday],
        ];
}

public sealed class ComplexArrayTests : ValueTests<Holder<int>?[]>
{
    protected override IEnumerable<Holder<int>?[]> Samples => [[], [null], [new() { Declared = 1 }, null, new() { Any = 'x' }]];
}

public sealed class StructArrayTests : ValueTests<KeyValuePair<int, string>[]>
{
    protected override IEnumerable<KeyValuePair<int, string>[]> Samples => [[], [new(1, "a"), default, new(-1, "")]];
}

public sealed class EnumArrayTests : ValueTests<DayOfWeek[]>
{
    protected override IEnumerable<DayOfWeek[]> Samples => [[], [DayOfWeek.Friday, (DayOfWeek)99]];
}

public sealed class JaggedArrayTests : ValueTests<int[]?[]?[]>
{
    protected override IEnumerable<int[]?[]?[]> Samples => [[], [[], null, [[1], null, [2, 3]]]];
}

[TypeNotes("any rank, any lower bounds", Title = "T[,]")]
public sealed class ArrayOfRank2Tests : ValueTests<int[,]>
{
    protected override IEnumerable<int[,]> Samples =>
    [
        new int[0, 0], new int[0, 3], new int[3, 0], new[,] { { 1, 2, 3 }, { 4, 5, 6 } },
        (int[,])Bounds.Fill(Array.CreateInstance(typeof(int), [2, 3], [-1, 5]), i => i),
    ];
}

public sealed class ArrayOfRank3Tests : ValueTests<string?[,,]>
{
    protected override IEnumerable<string?[,,]> Samples =>
    [
        new string?[0, 1, 2], new string?[,,] { { { "a", null }, { "", "\u0100" } } },
        (string?[,,])Bounds.Fill(Array.CreateInstance(typeof(string), [1, 2, 2], [int.MinValue, 0, int.MaxValue - 1]), i => $"{i}"),
    ];
}

public sealed class ArrayOfRank4Tests : ValueTests<decimal[,,,]>
{
    protected override IEnumerable<decimal[,,,]> Samples =>
        [new decimal[1, 0, 1, 1], (decimal[,,,])Bounds.Fill(Array.CreateInstance(typeof(decimal), 2, 1, 3, 2), i => i / 10m)];
}

public sealed class JaggedArrayOfRanksTests : ValueTests<int[][,]>
{
    protected override IEnumerable<int[][,]> Samples => [[], [new int[0, 0], new[,] { { 1 }, { 2 } }]];
}

/// <summary>C# has no name for an array of one dimension that does not begin at zero: it is an Array here.</summary>
public sealed class ArrayWithLowerBoundTests : ValueTests<Array>
{
    protected override IEnumerable<Array> Samples =>
    [
        Bounds.Fill(
            Array.CreateInstance(typeof(int), [3], [1]), i => i), Bounds.Fill(Array.CreateInstance(typeof(string), [2], [-7]), i => $"{i}"),
        Array.CreateInstance(typeof(int), [0], [5]), Bounds.Fill(Array.CreateInstance(typeof(object), [2], [1]), i => i),
        Array.CreateInstanceFromArrayType(typeof(int).MakeArrayType(1), [2], [0]), new[] { 1 }, new[,] { { "a" } },
    ];
}

public sealed class ListTests : ValueTests<List<int>?>
{
    protected override IEnumerable<List<int>?> Samples => [null, [], [1], [.. Enumerable.Range(0, 100)], new(50) { 7 }];
}

public sealed class ListOfReferencesTests : ValueTests<List<object?>>
{
    protected override IEnumerable<List<object?>> Samples => [[], [null], [1, "a", new List<object?> { 2 }, new List<string?> { null }]];
}

public sealed class NestedListTests : ValueTests<List<List<List<string>>>>
{
    protected override IEnumerable<List<List<List<string>>>> Samples => [[], [[], [[], ["a", "b"]]]];
}

/// <summary>What is particular to arrays and lists.</summary>
public sealed class SequenceSerializersTests
{
    [Fact]
    public void An_array_of_a_derived_element_keeps_its_type()
    {
        Serializer serializer = Configuration.Serializer(references: false, tolerance: true, dynamicCode: true);
        object[] strings = new[] { "a", "b" };
        Assert.Equal(strings, Assert.IsType<string[]>(serializer.Deserialize<object[]>(serializer.Serialize(strings))));
        var holder = new Holder<object[]> { Declared = strings };
        Assert.IsType<string[]>(serializer.Deserialize<Holder<object[]>>(serializer.Serialize(holder))!.Declared);
    }

    [Fact]
    public void An_unsigned_array_behind_a_signed_variable_never_becomes_a_signed_one()
    {
        Serializer serializer = Configuration.Serializer(references: false, tolerance: true, dynamicCode: true);
        int[] signed = (int[])(object)new uint[] { 1, uint.MaxValue };
        Assert.IsType<uint[]>(serializer.Deserialize<object>(serializer.Serialize(signed)));
        var holder = new Holder<int[]> { Declared = signed };
        Assert.Throws<UnsupportedTypeException>(() => serializer.Serialize(holder));
    }

    [Fact]
    public void An_array_may_contain_itself_when_references_are_preserved()
    {
        Serializer serializer = Configuration.Serializer(references: true, tolerance: true, dynamicCode: true);
        object[] loop = new object[2];
        loop[0] = loop;
        loop[1] = new List<object> { loop };
        object[] copy = serializer.Deserialize<object[]>(serializer.Serialize(loop))!;
        Assert.Same(copy, copy[0]);
        Assert.Same(copy, Assert.IsType<List<object>>(copy[1])[0]);
    }

    [Fact]
    public void A_cycle_without_references_is_an_error_with_its_path()
    {
        var loop = new List<object>();
        loop.Add(loop);
        ObjectGraphException e = Assert.Throws<ObjectGraphException>(() => new Serializer().Serialize(loop));
        Assert.Contains("[0]", e.MemberPath, StringComparison.Ordinal);
    }
}

internal static class Bounds
{
    /// <summary>Fills an array of any rank and bounds with values that tell their places.</summary>
    public static Array Fill<T>(Array array, Func<int, T> element)
    {
        int count = 0;
        int[] index = [.. Enumerable.Range(0, array.Rank).Select(array.GetLowerBound)];
        for (int left = array.Length; left > 0; left--)
        {
            array.SetValue(element(count++), index);
            for (int d = array.Rank - 1; d >= 0 && left > 1 && index[d]++ == array.GetUpperBound(d); d--)
            {
                index[d] = array.GetLowerBound(d);
            }
        }

        return array;
    }
}
