using System.Collections.Concurrent;
using System.Collections.Immutable;
using System.Collections.ObjectModel;
using Wire.Tests.Testing;

namespace Wire.Tests.ValueSerializers.Collections;

/// <summary>Objects of classes that nobody can name: queries, iterators, parts of collections, collection expressions.</summary>
public sealed class MaterializedTests
{
    private static readonly Dictionary<string, int> Map = new() { ["a"] = 1, ["b"] = 2 };

    public static TheoryData<object, Type> Lists() => new()
    {
        { Enumerable.Range(1, 3), typeof(List<int>) },
        { Enumerable.Repeat("x", 2), typeof(List<string>) },
        { new[] { 1, 2, 3 }.Where(i => i > 1), typeof(List<int>) },
        { new[] { 1, 2 }.Select(i => $"{i}"), typeof(List<string>) },
        { new List<int> { 2, 1 }.OrderBy(i => i), typeof(List<int>) },
        { new[] { 1, 2, 3 }.Skip(1).Take(1), typeof(List<int>) },
        { new[] { 1, 1 }.Distinct(), typeof(List<int>) },
        { new[] { 1, 2 }.Reverse(), typeof(List<int>) },
        { new[] { 1, 2 }.Zip(["a", "b"]), typeof(List<(int, string)>) },
        { new object[] { 1, 2 }.Cast<int>(), typeof(List<int>) },
        { Map.Keys, typeof(List<string>) },
        { Map.Values, typeof(List<int>) },
        { new SortedDictionary<string, int>(Map).Keys, typeof(List<string>) },
        { new SortedList<string, int>(Map).Values, typeof(List<int>) },
        { Map.AsReadOnly().Keys, typeof(List<string>) },
        { Map.ToImmutableSortedDictionary().Keys, typeof(List<string>) },
        { OfStatic(2), typeof(List<int>) },
        { OfGeneric("a", "b"), typeof(List<string>) },
        { new Source(5).Instance(), typeof(List<int>) },
        { (IReadOnlyList<int>)[1, 2], typeof(ReadOnlyCollection<int>) },
        { (IEnumerable<int>)[1], typeof(ReadOnlyCollection<int>) },
        { (IReadOnlyCollection<string>)["a", .. Map.Keys, "b"], typeof(ReadOnlyCollection<string>) },
        { (IReadOnlyList<object?>)[null], typeof(ReadOnlyCollection<object>) },
        { (IList<int>)[1, 2], typeof(List<int>) },
    };

    [Theory]
    [MemberData(nameof(Lists))]
    public void It_comes_back_as_a_list(object value, Type written)
    {
        object?[] expected = [.. ((System.Collections.IEnumerable)value)];
        foreach ((bool references, bool tolerance, bool dynamicCode) in Configuration.All())
        {
            Serializer serializer = Configuration.Serializer(references, tolerance, dynamicCode);
            var holder = new Holder<System.Collections.IEnumerable>
            {
                Declared = (System.Collections.IEnumerable)value,
                Any = value,
                Last = (System.Collections.IEnumerable)value,
            };
            Holder<System.Collections.IEnumerable> copy = serializer.CopyBothWays(holder);
            object root = serializer.Deserialize<object>(serializer.Serialize(value))!;
            foreach (object? item in new[]
            {
                root,
                copy.Declared,
                copy.Any,
                copy.Last,
                serializer.Deserialize<object[]>(serializer.Serialize(new[] { value }))![0],
            })
            {
                Assert.Equal(written, item!.GetType());
                Assert.Equal(expected, ((System.Collections.IEnumerable)item).Cast<object?>());
            }

            Assert.Equal(references, ReferenceEquals(copy.Any, copy.Declared));
        }
    }

    [Fact]
    public void A_lazy_query_runs_once_for_each_time_it_is_written()
    {
        int runs = 0;
        IEnumerable<int> query = new[] { 1, 2 }.Select(i => runs++ >= 0 ? i : 0);
        Assert.Equal([1, 2], new Serializer().Clone(query));
        Assert.Equal(2, runs);
    }

    [Fact]
    public void Groups_come_back_as_groups()
    {
        var serializer = new Serializer();
        IEnumerable<IGrouping<int, string>> groups = new[] { "a", "bb", "c" }.GroupBy(text => text.Length);
        IEnumerable<IGrouping<int, string>> copy = serializer.CopyBothWays(groups);
        Assert.Equal(groups.Select(g => (g.Key, string.Concat(g))), copy.Select(g => (g.Key, string.Concat(g))));
        Assert.IsType<List<IGrouping<int, string>>>(copy);
        IGrouping<int, string> one = serializer.CopyBothWays(groups.First());
        Assert.Equal((1, "ac"), (one.Key, string.Concat(one)));

        ILookup<int, string> lookup = new[] { "a", "bb", "c" }.ToLookup(text => text.Length);
        var any = (ILookup<int, string>)serializer.Clone<object>(lookup);
        Assert.Equal(["a", "c"], any[1]);
        Assert.Empty(any[9]);
        Assert.Equal(["bb"], Assert.IsAssignableFrom<IGrouping<int, string>>(serializer.Clone<object>(lookup.Last())));
        Assert.Empty(serializer.CopyBothWays(Array.Empty<int>().ToLookup(i => i)));
    }

    [Fact]
    public void A_variable_that_a_list_does_not_fit_is_a_clear_error()
    {
        var serializer = new Serializer();
        var ordered = new Holder<IOrderedEnumerable<int>> { Declared = new[] { 2, 1 }.OrderBy(i => i) };
        var error = Assert.Throws<UnsupportedTypeException>(() => serializer.Serialize(ordered));
        Assert.Equal("Declared", error.MemberPath);
        Assert.Contains("List", error.Message, StringComparison.Ordinal);
        Assert.Contains("IOrderedEnumerable", error.Message, StringComparison.Ordinal);
        Assert.Throws<UnsupportedTypeException>(
            () => serializer.Serialize(new Holder<Dictionary<string, int>.KeyCollection> { Declared = Map.Keys }));
        Assert.Throws<UnsupportedTypeException>(
            () => serializer.Serialize(new Holder<ImmutableList<int>.Builder> { Declared = ImmutableList.CreateBuilder<int>() }));
        Assert.Throws<UnsupportedTypeException>(() => serializer.SerializeTyped(new[] { 2, 1 }.OrderBy(i => i)));
    }

    [Fact]
    public void Builders_of_immutable_collections_are_unsupported()
    {
        // Once: lists and dictionaries came back, without the comparer.
        object[] builders =
        [
            ImmutableDictionary.CreateBuilder<string, int>(
                StringComparer.OrdinalIgnoreCase), ImmutableSortedDictionary.CreateBuilder<string, int>(),
                ImmutableHashSet.CreateBuilder<int>(),
            ImmutableSortedSet.CreateBuilder<string>(
                StringComparer.Ordinal), ImmutableList.CreateBuilder<int>(), ImmutableArray.CreateBuilder<int>(),
        ];
        foreach (object builder in builders)
        {
            Assert.Contains(
                "ToImmutable()",
                Assert.Throws<UnsupportedTypeException>(() => new Serializer().Serialize(builder)).Message,
                StringComparison.Ordinal);
        }
    }

    [Fact]
    public void A_view_of_a_sorted_set_is_a_sorted_set_of_its_own()
    {
        var set = new SortedSet<string>(["a", "b", "c", "d"], StringComparer.OrdinalIgnoreCase);
        foreach ((bool references, bool tolerance, bool dynamicCode) in Configuration.All())
        {
            Serializer serializer = Configuration.Serializer(references, tolerance, dynamicCode);
            SortedSet<string> view = set.GetViewBetween("B", "C");
            SortedSet<string>[] copies =
            [
                (SortedSet<string>)serializer.Clone<object>(view),
                serializer.CopyBothWays(new Holder<SortedSet<string>> { Declared = view }).Declared!,
                serializer.DeserializeTyped<SortedSet<string>>(serializer.SerializeTyped(view))!,
            ];
            foreach (SortedSet<string> copy in copies)
            {
                Assert.Equal(typeof(SortedSet<string>), copy.GetType());
                Assert.Equal(["b", "c"], copy);
                Assert.True(copy.Add("z") && !copy.Add("Z"));
            }
        }
    }

    [Fact]
    public void Snapshots_of_concurrent_collections_are_lists()
    {
        var map = new ConcurrentDictionary<int, int> { [1] = 2 };
        Assert.Equal([1], Assert.IsType<ReadOnlyCollection<int>>(new Serializer().Clone<object>(map.Keys)));
    }

    private static IEnumerable<int> OfStatic(int count)
    {
        for (int i = 0; i < count; i++)
        {
            yield return i;
        }
    }

    private static IEnumerable<T> OfGeneric<T>(params T[] items)
    {
        foreach (T item in items)
        {
            yield return item;
        }
    }

    private sealed class Source(int start)
    {
        public IEnumerable<int> Instance()
        {
            yield return start;
            yield return start + 1;
        }
    }
}
