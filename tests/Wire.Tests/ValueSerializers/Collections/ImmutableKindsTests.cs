using System.Collections.Frozen;
using System.Collections.Immutable;
using Wire.Tests.Testing;

namespace Wire.Tests.ValueSerializers.Collections;

[TypeNotes("default and empty stay different")]
public sealed class ImmutableArrayTests : ValueTests<ImmutableArray<string?>>
{
    protected override IEnumerable<ImmutableArray<string?>> Samples => [default, [], ["a"], ["a", null, "b"]];
}

public sealed class ImmutableArrayOfValuesTests : ValueTests<ImmutableArray<int>?>
{
    protected override IEnumerable<ImmutableArray<int>?> Samples =>
        [null, default(ImmutableArray<int>), ImmutableArray<int>.Empty, ImmutableArray.Create(1, 2, 3)];
}

public sealed class ImmutableListTests : ValueTests<ImmutableList<object?>?>
{
    protected override IEnumerable<ImmutableList<object?>?> Samples =>
        [null, [], [1], [1, null, "x"], ImmutableList.CreateRange<object?>([3, 1]).Insert(1, 2).RemoveAt(0)];
}

public sealed class ImmutableQueueTests : ValueTests<ImmutableQueue<string?>?>
{
    protected override IEnumerable<ImmutableQueue<string?>?> Samples =>
        [null, [], ["a"], ImmutableQueue.Create("a", null, "b").Dequeue().Enqueue("c")];
}

public sealed class ImmutableStackTests : ValueTests<ImmutableStack<int>?>
{
    protected override IEnumerable<ImmutableStack<int>?> Samples => [null, [], ImmutableStack.Create(1, 2, 3)];
}

public sealed class ImmutableHashSetTests : ValueTests<ImmutableHashSet<string?>?>
{
    protected override IEnumerable<ImmutableHashSet<string?>?> Samples =>
        [null, [], .. Texts.Equality.Select(comparer => ImmutableHashSet.CreateRange(comparer, ["a", "bb", null]))];
}

public sealed class ImmutableSortedSetTests : ValueTests<ImmutableSortedSet<string?>?>
{
    protected override IEnumerable<ImmutableSortedSet<string?>?> Samples =>
        [null, [], .. Texts.Order.Select(comparer => ImmutableSortedSet.CreateRange(comparer, ["a", "bb", null]))];
}

[TypeNotes("both comparers kept", Options = "TypeFilter")]
public sealed class ImmutableDictionaryTests : ValueTests<ImmutableDictionary<string, string?>?>
{
    protected override IEnumerable<ImmutableDictionary<string, string?>?> Samples =>
    [
        null, ImmutableDictionary<string, string?>.Empty,
        .. Texts.Equality.Select(
            comparer => ImmutableDictionary.CreateRange(comparer, [KeyValuePair.Create("a", (string?)"x"), new("bb", null)])),
        ImmutableDictionary.Create<string, string?>(StringComparer.OrdinalIgnoreCase, new ByLength()).Add("a", "b"),
        ImmutableDictionary.Create<string, string?>(null, StringComparer.OrdinalIgnoreCase).Add("a", "b"),
    ];
}

public sealed class ImmutableSortedDictionaryTests : ValueTests<ImmutableSortedDictionary<string, int>?>
{
    protected override IEnumerable<ImmutableSortedDictionary<string, int>?> Samples =>
    [
        null, ImmutableSortedDictionary<string, int>.Empty,
        .. Texts.Order.Select(comparer => ImmutableSortedDictionary.CreateRange(comparer, [KeyValuePair.Create("b", 1), new("aa", 2)])),
        ImmutableSortedDictionary.Create<string, int>(Texts.Turkish, new Modulo()).Add("a", 1),
    ];
}

[TypeNotes("comparer kept", Options = "TypeFilter")]
public sealed class FrozenDictionaryTests : ValueTests<FrozenDictionary<string, object?>?>
{
    protected override IEnumerable<FrozenDictionary<string, object?>?> Samples =>
    [
        null, FrozenDictionary<string, object?>.Empty,
        .. Texts.Equality.Select(comparer => new Dictionary<string, object?> { ["a"] = 1, ["bb"] = null }.ToFrozenDictionary(comparer)),
    ];
}

public sealed class FrozenDictionaryOfValuesTests : ValueTests<FrozenDictionary<int, int>>
{
    protected override IEnumerable<FrozenDictionary<int, int>> Samples =>
        [
            FrozenDictionary<int, int>.Empty,
            Enumerable.Range(0, 3).ToFrozenDictionary(i => i),
            Enumerable.Range(0, 40).ToFrozenDictionary(i => i * 7),
            new[] { 1, 2 }.ToFrozenDictionary(i => i, new Modulo()),
        ];
}

public sealed class FrozenSetTests : ValueTests<FrozenSet<string>?>
{
    protected override IEnumerable<FrozenSet<string>?> Samples =>
        [
            null,
            [],
            .. Texts.Equality.Select(comparer => new[] { "a", "bb" }.ToFrozenSet(comparer)),
            Enumerable.Range(0, 40).Select(i => $"text {i}").ToFrozenSet(),
        ];
}

public sealed class FrozenSetOfValuesTests : ValueTests<FrozenSet<int?>>
{
    protected override IEnumerable<FrozenSet<int?>> Samples => [[], new int?[] { 1, null }.ToFrozenSet()];
}
