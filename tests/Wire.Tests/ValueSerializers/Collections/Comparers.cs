using System.Collections;
using System.Globalization;
using Wire.Tests.Testing;

namespace Wire.Tests.ValueSerializers.Collections;

/// <summary>A comparer of the program's own, with a field that decides what it does.</summary>
public sealed class Modulo : IEqualityComparer<int>, IComparer<int>
{
    public int Divisor { get; init; } = 2;

    public bool Equals(int x, int y) => x % Divisor == y % Divisor;

    public int GetHashCode(int obj) => obj % Divisor;

    public int Compare(int x, int y) => (x % Divisor).CompareTo(y % Divisor);
}

/// <summary>A comparer of texts by length, for collections with and without types.</summary>
public sealed class ByLength : IEqualityComparer<string?>, IComparer<string?>, IEqualityComparer, IComparer
{
    public bool Equals(string? x, string? y) => x?.Length == y?.Length;

    public int GetHashCode(string? obj) => obj?.Length ?? -1;

    public int Compare(string? x, string? y) => (x?.Length ?? -1).CompareTo(y?.Length ?? -1);

    bool IEqualityComparer.Equals(object? x, object? y) => Equals(x as string, y as string);

    int IEqualityComparer.GetHashCode(object obj) => GetHashCode(obj as string);

    int IComparer.Compare(object? x, object? y) => Compare(x as string, y as string);
}

/// <summary>The other way round, by another comparer.</summary>
public sealed class Reversed<T>(IComparer<T> inner) : IComparer<T>
{
    public int Compare(T? x, T? y) => inner.Compare(y, x);
}

/// <summary>Comparers that every collection of texts is tested with.</summary>
internal static class Texts
{
    public static StringComparer Turkish { get; } = StringComparer.Create(CultureInfo.GetCultureInfo("tr-TR"), ignoreCase: true);

    public static StringComparer Options { get; } =
        StringComparer.Create(CultureInfo.GetCultureInfo("de-DE"), CompareOptions.IgnoreNonSpace | CompareOptions.IgnoreSymbols);

    public static IEqualityComparer<string?>?[] Equality { get; } =
        [
            null,
            StringComparer.Ordinal,
            StringComparer.OrdinalIgnoreCase,
            StringComparer.InvariantCultureIgnoreCase,
            Turkish,
            Options,
            new ByLength(),
            ReferenceEqualityComparer.Instance,
        ];

    public static IComparer<string?>?[] Order { get; } =
        [
            null,
            StringComparer.Ordinal,
            StringComparer.OrdinalIgnoreCase,
            StringComparer.InvariantCulture,
            Turkish,
            Options,
            new ByLength(),
            new Reversed<string?>(StringComparer.Ordinal),
        ];
}

public sealed class StringComparerTests : ValueTests<StringComparer?>
{
    protected override IEnumerable<StringComparer?> Samples =>
        [null, StringComparer.Ordinal, StringComparer.OrdinalIgnoreCase, StringComparer.InvariantCulture, Texts.Turkish, Texts.Options];
}

public sealed class UntypedComparerTests : ValueTests<Comparer?>
{
    protected override IEnumerable<Comparer?> Samples => [null, Comparer.Default, new(CultureInfo.GetCultureInfo("tr-TR"))];

    // Where the culture is the invariant one it looks like the default one, which is that of the reader.
    [Fact]
    public void That_of_the_invariant_culture_comes_back_as_itself()
    {
        var serializer = new Serializer();
        Assert.Same(Comparer.DefaultInvariant, serializer.Deserialize<Comparer>(serializer.Serialize(Comparer.DefaultInvariant)));
        Assert.Same(Comparer.Default, serializer.Deserialize<Comparer>(serializer.Serialize(Comparer.Default)));
    }
}

public sealed class CaseInsensitiveComparerTests : ValueTests<CaseInsensitiveComparer?>
{
    protected override IEnumerable<CaseInsensitiveComparer?> Samples =>
    [
        null, CaseInsensitiveComparer.Default, CaseInsensitiveComparer.DefaultInvariant, new(CultureInfo.GetCultureInfo("tr-TR")),
    ];
}

[TypeNotes("that of HashSet<T>.CreateSetComparer()")]
public sealed class SetComparerTests : ValueTests<IEqualityComparer<HashSet<int>>?>
{
    protected override IEnumerable<IEqualityComparer<HashSet<int>>?> Samples => [null, HashSet<int>.CreateSetComparer()];

    [Fact]
    public void A_dictionary_by_sets_finds_its_keys()
    {
        var byName = new Dictionary<HashSet<string>, int>(HashSet<string>.CreateSetComparer()) { [["a", "b"]] = 1 };
        var serializer = new Serializer();
        foreach (var copy in new[] { serializer.Clone(byName), serializer.Deserialize<Dictionary<HashSet<string>, int>>(
            serializer.Serialize(byName))! })
        {
            Assert.Equal(1, copy[["b", "a"]]);
        }
    }
}

public sealed class EqualityComparerTests : ValueTests<EqualityComparer<string>?>
{
    protected override IEnumerable<EqualityComparer<string>?> Samples => [null, EqualityComparer<string>.Default];
}

public sealed class ComparerTests : ValueTests<Comparer<int?>?>
{
    protected override IEnumerable<Comparer<int?>?> Samples => [null, Comparer<int?>.Default];
}

public sealed class ReferenceEqualityComparerTests : ValueTests<ReferenceEqualityComparer?>
{
    protected override IEnumerable<ReferenceEqualityComparer?> Samples => [null, ReferenceEqualityComparer.Instance];
}
