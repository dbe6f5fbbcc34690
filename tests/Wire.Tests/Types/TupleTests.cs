using Wire.Tests.Testing;

namespace Wire.Tests.Types;

public sealed class Tuple1Tests : ValueTests<Tuple<int>?>
{
    protected override IEnumerable<Tuple<int>?> Samples => [null, new(1)];
}

public sealed class Tuple2Tests : ValueTests<Tuple<int, string?>>
{
    protected override IEnumerable<Tuple<int, string?>> Samples => [new(1, "a"), new(-1, null)];
}

public sealed class Tuple3Tests : ValueTests<Tuple<int, object?, decimal>>
{
    protected override IEnumerable<Tuple<int, object?, decimal>> Samples =>
        [new(1, 2, 3.0m), new(1, null, 0), new(1, Tuple.Create("inner"), 1)];
}

public sealed class Tuple4Tests : ValueTests<Tuple<byte, bool, char, long>>
{
    protected override IEnumerable<Tuple<byte, bool, char, long>> Samples => [new(1, true, 'c', long.MinValue)];
}

public sealed class Tuple5Tests : ValueTests<Tuple<int, int, int, int, string>>
{
    protected override IEnumerable<Tuple<int, int, int, int, string>> Samples => [new(1, 2, 3, 4, "5")];
}

public sealed class Tuple6Tests : ValueTests<Tuple<int, int, int, int, int, string>>
{
    protected override IEnumerable<Tuple<int, int, int, int, int, string>> Samples => [new(1, 2, 3, 4, 5, "6")];
}

public sealed class Tuple7Tests : ValueTests<Tuple<int, int, int, int, int, int, string>>
{
    protected override IEnumerable<Tuple<int, int, int, int, int, int, string>> Samples => [new(1, 2, 3, 4, 5, 6, "7")];
}

/// <summary>From eight items on, the rest is a tuple of its own.</summary>
public sealed class Tuple9Tests : ValueTests<Tuple<int, int, int, int, int, int, int, Tuple<string, double>>>
{
    protected override IEnumerable<Tuple<int, int, int, int, int, int, int, Tuple<string, double>>> Samples =>
        [new(1, 2, 3, 4, 5, 6, 7, new("8", 9.5))];
}

public sealed class ValueTuple0Tests : ValueTests<ValueTuple>
{
    protected override IEnumerable<ValueTuple> Samples => [default];
}

public sealed class ValueTuple1Tests : ValueTests<ValueTuple<string?>>
{
    protected override IEnumerable<ValueTuple<string?>> Samples => [new(null), new("a")];
}

public sealed class ValueTuple2Tests : ValueTests<(int, string?)>
{
    protected override IEnumerable<(int, string?)> Samples => [default, (1, "a")];
}

public sealed class ValueTuple3Tests : ValueTests<(int A, (string? B, object? C) D, int? E)>
{
    protected override IEnumerable<(int, (string?, object?), int?)> Samples => [default, (1, ("b", 2), 3), (1, (null, ('x', 'y')), null)];
}

public sealed class ValueTuple4Tests : ValueTests<(byte, bool, char, long)>
{
    protected override IEnumerable<(byte, bool, char, long)> Samples => [default, (1, true, 'c', -1)];
}

public sealed class ValueTuple5Tests : ValueTests<(int, int, int, int, string)>
{
    protected override IEnumerable<(int, int, int, int, string)> Samples => [(1, 2, 3, 4, "5")];
}

public sealed class ValueTuple6Tests : ValueTests<(int, int, int, int, int, string)>
{
    protected override IEnumerable<(int, int, int, int, int, string)> Samples => [(1, 2, 3, 4, 5, "6")];
}

public sealed class ValueTuple7Tests : ValueTests<(int, int, int, int, int, int, string)>
{
    protected override IEnumerable<(int, int, int, int, int, int, string)> Samples => [(1, 2, 3, 4, 5, 6, "7")];
}

public sealed class ValueTuple9Tests : ValueTests<(int, int, int, int, int, int, int, string, double)>
{
    protected override IEnumerable<(int, int, int, int, int, int, int, string, double)> Samples =>
        [default, (1, 2, 3, 4, 5, 6, 7, "8", 9.5)];
}

public sealed class KeyValuePairTests : ValueTests<KeyValuePair<string?, object?>>
{
    protected override IEnumerable<KeyValuePair<string?, object?>> Samples =>
        [default, new("a", 1), new("b", new KeyValuePair<int, int>(1, 2))];
}

/// <summary>Anonymous types have no name to derive a test class from.</summary>
public sealed class AnonymousTypeTests
{
    [Fact]
    public void Anonymous_types_of_values() =>
        ValueTester<object>.RunAll([new { }, new { A = 1 }, new { Name = "a", Count = (int?)null, When = DateTime.UnixEpoch }]);

    [Fact]
    public void Anonymous_types_inside_each_other() =>
        Infer(new { A = new { B = "b", C = new[] { new { D = 1 }, new { D = 2 } } }, E = (object)new { F = 1m } });

    private static void Infer<T>(T sample) => ValueTester<T>.RunAll([sample]);
}

/// <summary>Everything, behind a variable that says nothing.</summary>
[TypeNotes("identity only", Options = "PreserveObjectReferences")]
public sealed class ObjectTests : ValueTests<object?>
{
    protected override IEnumerable<object?> Samples =>
        [
            null,
            new(),
            1,
            "text",
            1.5m,
            Guid.AllBitsSet,
            typeof(int),
            new[] { 1, 2 },
            new List<string> { "a" },
            DayOfWeek.Friday,
            (1, "a"),
            new Holder<int> { Declared = 1 },
        ];
}
