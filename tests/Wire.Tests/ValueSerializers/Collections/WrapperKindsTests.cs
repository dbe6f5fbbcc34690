using System.Collections.ObjectModel;
using System.Runtime.CompilerServices;
using Wire.Comparing;
using Wire.Tests.Testing;

namespace Wire.Tests.ValueSerializers.Collections;

public sealed class CollectionTests : ValueTests<Collection<string?>?>
{
    protected override IEnumerable<Collection<string?>?> Samples =>
        [null, [], ["a"], ["a", null], new(new string?[] { "fixed", null }), new(new Collection<string?> { "inner" })];
}

public sealed class CollectionOfValuesTests : ValueTests<Collection<int>>
{
    protected override IEnumerable<Collection<int>> Samples => [[], [1, 2, 3]];
}

[TypeNotes("those who listen are not written")]
public sealed class ObservableCollectionTests : ValueTests<ObservableCollection<object?>?>
{
    protected override IEnumerable<ObservableCollection<object?>?> Samples => [null, [], [1], [1, null, "x"]];
}

[TypeNotes("the wrapped list is written, and shared with its other holders", Options = "PreserveObjectReferences")]
public sealed class ReadOnlyCollectionTests : ValueTests<ReadOnlyCollection<string?>?>
{
    protected override IEnumerable<ReadOnlyCollection<string?>?> Samples =>
        [
            null,
            ReadOnlyCollection<string?>.Empty,
            new List<string?> { "a", null }.AsReadOnly(),
            Array.AsReadOnly(new string?[] { "a" }),
            new(new Collection<string?>()),
        ];
}

public sealed class ReadOnlyObservableCollectionTests : ValueTests<ReadOnlyObservableCollection<int>?>
{
    protected override IEnumerable<ReadOnlyObservableCollection<int>?> Samples => [null, new([]), new([1, 2])];
}

public sealed class ReadOnlyDictionaryTests : ValueTests<ReadOnlyDictionary<string, object?>?>
{
    protected override IEnumerable<ReadOnlyDictionary<string, object?>?> Samples =>
    [
        null, ReadOnlyDictionary<string, object?>.Empty, new Dictionary<string, object?>(Texts.Turkish) { ["a"] = null }.AsReadOnly(),
        new(new SortedDictionary<string, object?> { ["b"] = 1, ["a"] = "x" }),
    ];
}

public sealed class ReadOnlySetTests : ValueTests<ReadOnlySet<string>?>
{
    protected override IEnumerable<ReadOnlySet<string>?> Samples =>
    [
        null,
        ReadOnlySet<string>.Empty,
        new(new HashSet<string>(StringComparer.OrdinalIgnoreCase) { "a" }),
        new(new SortedSet<string> { "b", "a" }),
    ];
}

[TypeNotes("forced when it is written")]
public sealed class LazyTests : ValueTests<Lazy<string?>?>
{
    protected override IEnumerable<Lazy<string?>?> Samples => [null, new("a"), new((string?)null)];
}

public sealed class LazyOfValuesTests : ValueTests<Lazy<bool>>
{
    protected override IEnumerable<Lazy<bool>> Samples => [Lazy(true), Lazy(false)];

    private static Lazy<T> Lazy<T>(T value) => new(value);
}

[TypeNotes("its target is written like any other; after reading it lives as long as something else holds it")]
public sealed class WeakReferenceTests : ValueTests<WeakReference?>
{
    // Targets that live as long as the process.
    protected override IEnumerable<WeakReference?> Samples =>
        [null, new(null), new("", trackResurrection: true), new(typeof(int)), new(DBNull.Value)];

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Parents_that_are_weakly_held_come_back_as_themselves(bool dynamicCode)
    {
        Serializer serializer = Configuration.Serializer(references: true, tolerance: true, dynamicCode);
        var parent = new WeakParent();
        parent.Children.Add(new WeakChild { Parent = new(parent), Again = new(parent, trackResurrection: true) });
        foreach (WeakParent copy in new[] { serializer.Clone(parent), serializer.Deserialize<WeakParent>(serializer.Serialize(parent))! })
        {
            Assert.Same(copy, copy.Children[0].Parent!.Target);
            Assert.True(copy.Children[0].Again!.TryGetTarget(out WeakParent? again));
            Assert.Same(copy, again);
            GraphAssert.Same(parent, copy, sharing: true);
        }
    }

    [Fact]
    public void A_target_is_not_held()
    {
        WeakReference copy = Read();
        GC.Collect();
        Assert.Null(copy.Target);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference Read()
    {
        var target = new object[] { 1 };
        var serializer = new Serializer();
        WeakReference copy = serializer.Deserialize<WeakReference>(serializer.Serialize(new WeakReference(target)))!;
        GC.KeepAlive(target);
        return copy;
    }

    public sealed class WeakParent
    {
        public List<WeakChild> Children { get; } = [];
    }

    public sealed class WeakChild
    {
        public WeakReference? Parent { get; set; }

        public WeakReference<WeakParent>? Again { get; set; }
    }
}

public sealed class WeakReferenceOfTypeTests : ValueTests<WeakReference<object>?>
{
    protected override IEnumerable<WeakReference<object>?> Samples =>
        [null, new(null!), new("", trackResurrection: true), new(DBNull.Value)];
}
