using System.Collections;
using System.Collections.Specialized;
using System.Data;
using System.Dynamic;
using System.Globalization;
using Wire.Tests.Testing;

namespace Wire.Tests.ValueSerializers.Collections;

[TypeNotes("`Synchronized` and its like come back as [such views](#views-of-older-collections); that of `GetRange` is refused")]
public sealed class ArrayListTests : ValueTests<ArrayList?>
{
    protected override IEnumerable<ArrayList?> Samples =>
    [
        null, [], new() { 1 }, new() { 1, null, "x", new ArrayList() }, ArrayList.Synchronized(new ArrayList { 1 }),
        ArrayList.ReadOnly(new ArrayList { 1 }), ArrayList.FixedSize(ArrayList.Synchronized(new ArrayList())),
        ArrayList.Adapter(new[] { 1, 2 }), ArrayList.Adapter(ArrayList.Synchronized((IList)new ArrayList { 1, null })),
        ArrayList.Adapter(ArrayList.ReadOnly((IList)ArrayList.FixedSize((IList)new[] { "a" }))),
        ArrayList.Adapter(new List<string?> { "a", null }),
    ];
}

[TypeNotes("`Synchronized` comes back as [such a view](#views-of-older-collections)")]
public sealed class UntypedQueueTests : ValueTests<Queue?>
{
    protected override IEnumerable<Queue?> Samples =>
        [null, new(), new(new object?[] { 1, null, "x" }), Queue.Synchronized(new(new object?[] { 1, null }))];
}

[TypeNotes("`Synchronized` comes back as [such a view](#views-of-older-collections)")]
public sealed class UntypedStackTests : ValueTests<Stack?>
{
    protected override IEnumerable<Stack?> Samples =>
        [null, new(), new(new object?[] { 1, null, "x" }), Stack.Synchronized(new(new object?[] { 1, null }))];
}

[TypeNotes("`Synchronized` comes back as [such a view](#views-of-older-collections)")]
public sealed class HashtableTests : ValueTests<Hashtable?>
{
    protected override IEnumerable<Hashtable?> Samples =>
    [
        null, [], new() { [1] = "one", ["two"] = null, [3m] = 4 }, new(
            StringComparer.OrdinalIgnoreCase) { ["a"] = 1 }, new(Texts.Turkish) { ["a"] = 1 }, new(new ByLength()) { ["a"] = 1 },
        new(StructuralComparisons.StructuralEqualityComparer) { ["b"] = 2 },
        Hashtable.Synchronized(new(StringComparer.OrdinalIgnoreCase) { ["a"] = 1 }),
    ];
}

[TypeNotes("a `Hashtable` with nothing added")]
public sealed class PropertyCollectionTests : ValueTests<PropertyCollection?>
{
    protected override IEnumerable<PropertyCollection?> Samples => [null, [], new() { [1] = "one", ["two"] = null }];
}

[TypeNotes("`Synchronized` comes back as [such a view](#views-of-older-collections)")]
public sealed class UntypedSortedListTests : ValueTests<SortedList?>
{
    protected override IEnumerable<SortedList?> Samples =>
    [
        null, [], new() { [2] = "two", [1] = null }, new(StringComparer.Ordinal) { ["b"] = 1, ["a"] = 2 }, new(
            Texts.Turkish) { ["b"] = 1, ["a"] = 2 }, new(new ByLength()) { ["bb"] = 1, ["a"] = 2 },
        new(Comparer.Default), new(Comparer.DefaultInvariant), new(
            CaseInsensitiveComparer.DefaultInvariant) { ["b"] = 1 }, new(new Comparer(CultureInfo.GetCultureInfo("tr-TR"))) { ["b"] = 1 },
        new(new CaseInsensitiveComparer(CultureInfo.GetCultureInfo("tr-TR"))) { ["b"] = 1 }, new(
            StructuralComparisons.StructuralComparer) { [new[] { 1 }] = 1 },
        SortedList.Synchronized(new(StringComparer.Ordinal) { ["b"] = 1, ["a"] = 2 }),
    ];
}

public sealed class DictionaryEntryTests : ValueTests<DictionaryEntry>
{
    protected override IEnumerable<DictionaryEntry> Samples => [default, new("a", null), new(1, "x")];
}

public sealed class NameValueCollectionTests : ValueTests<NameValueCollection?>
{
    protected override IEnumerable<NameValueCollection?> Samples =>
    [
        null, [], new()
        {
            { "a", "1" },
            { "b", "2" },
            { "A", "3" },
            { null, "4" },
            { null, "5" },
            { "c", null },
        }, new() { { "a", null }, { "a", "x" } },
        new(StringComparer.Ordinal) { { "a", "1" }, { "A", "2" } }, new(
            Texts.Turkish) { { "i", "1" } }, new(new ByLength()) { { "a", "1" }, { "b", "2" } }, AfterRemovals(),
        new((IEqualityComparer)EqualityComparer<string>.Default) { { "a", "1" }, { "A", "2" } },
    ];

    private static NameValueCollection AfterRemovals()
    {
        var names = new NameValueCollection { { "a", "1" }, { "b", "2" }, { "c", "3" } };
        names.Remove("a");
        names.Add("a", "4");
        return names;
    }
}

public sealed class StringCollectionTests : ValueTests<StringCollection?>
{
    protected override IEnumerable<StringCollection?> Samples => [null, [], ["a"], ["a", null!, "b"]];
}

public sealed class ExpandoObjectTests : ValueTests<ExpandoObject?>
{
    protected override IEnumerable<ExpandoObject?> Samples => [null, new(), Filled()];

    private static ExpandoObject Filled()
    {
        dynamic expando = new ExpandoObject();
        expando.Name = "a";
        expando.name = 1;
        expando.Nothing = null;
        expando.Inner = new ExpandoObject();
        return expando;
    }
}
