using Wire.Tests.Testing;

namespace Wire.Tests.ValueSerializers.Collections;

public sealed class DictionaryKindTests : ValueTests<Dictionary<string, int?>?>
{
    protected override IEnumerable<Dictionary<string, int?>?> Samples =>
        [
            null,
            .. Texts.Equality.Select(comparer => new Dictionary<string, int?>(comparer) { ["a"] = 1, ["bb"] = null, ["ccc"] = 3 }),
            AfterRemovals(),
        ];

    // What is added last takes the place of what was removed, and is gone through first.
    private static Dictionary<string, int?> AfterRemovals()
    {
        var map = new Dictionary<string, int?> { ["a"] = 1, ["b"] = 2, ["c"] = 3 };
        map.Remove("a");
        map.Add("d", 4);
        return map;
    }
}

public sealed class DictionaryOfOwnComparerTests : ValueTests<Dictionary<int, object?>>
{
    protected override IEnumerable<Dictionary<int, object?>> Samples =>
        [new(new Modulo()) { [1] = "odd", [2] = null }, new(new Modulo { Divisor = 10 }), new(100)];
}

public sealed class OrderedDictionaryTests : ValueTests<OrderedDictionary<string, object?>?>
{
    protected override IEnumerable<OrderedDictionary<string, object?>?> Samples =>
        [null, [], .. Texts.Equality.Select(
            comparer => new OrderedDictionary<string, object?>(comparer) { ["bb"] = 1, ["a"] = null, ["ccc"] = "x" }), Inserted()];

    private static OrderedDictionary<string, object?> Inserted()
    {
        var map = new OrderedDictionary<string, object?> { ["b"] = 1 };
        map.Insert(0, "a", 2);
        map.Add("c", 3);
        map.RemoveAt(1);
        return map;
    }
}

public sealed class OrderedDictionaryOfValuesTests : ValueTests<OrderedDictionary<int, Guid>>
{
    protected override IEnumerable<OrderedDictionary<int, Guid>> Samples =>
        [[], new() { [2] = Guid.Empty, [1] = Guid.AllBitsSet }, new(new Modulo()) { [1] = default }];
}

public sealed class HashSetKindTests : ValueTests<HashSet<string?>?>
{
    protected override IEnumerable<HashSet<string?>?> Samples =>
        [null, .. Texts.Equality.Select(comparer => new HashSet<string?>(comparer) { "a", "bb", null }), AfterRemovals()];

    private static HashSet<string?> AfterRemovals()
    {
        HashSet<string?> set = ["a", "b", "c"];
        set.Remove("a");
        set.Add("d");
        return set;
    }
}

public sealed class HashSetOfReferencesTests : ValueTests<HashSet<object>>
{
    protected override IEnumerable<HashSet<object>> Samples =>
    [
        [], [1, "one", DayOfWeek.Friday], new(ReferenceEqualityComparer.Instance) { new object(), new object() },
        new(EqualityComparer<object>.Default) { 1 },
    ];
}
