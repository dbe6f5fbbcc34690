using Wire.Tests.Testing;

namespace Wire.Tests.Hostile.Floods;

/// <summary>
/// A key whose hash code and order the test chooses, as an attacker chooses them by choosing keys, and which counts what is done with it.
/// Written with a good hash code, it may be read with a bad one.
/// </summary>
public sealed class CountedKey : IEquatable<CountedKey>, IComparable<CountedKey>, IComparable
{
    [ThreadStatic]
    private static Func<int, int>? _hash;

    [ThreadStatic]
    private static bool _descends;

    public CountedKey()
    {
    }

    public CountedKey(int number) => Number = number;

    public int Number { get; init; }

    [field: ThreadStatic]
    public static long Hashed { get; private set; }

    [field: ThreadStatic]
    public static long Compared { get; private set; }

    /// <summary>How many comparisons in a row have found the left key before the right one.</summary>
    [field: ThreadStatic]
    public static long ComparedLessInARow { get; private set; }

    /// <summary>Runs code in which keys have these hash codes, or the opposite order; counts from zero.</summary>
    public static T With<T>(Func<int, int>? hash, bool descends, Func<T> run)
    {
        (_hash, _descends) = (hash, descends);
        (Hashed, Compared, ComparedLessInARow) = (0, 0, 0);
        try
        {
            return run();
        }
        finally
        {
            (_hash, _descends) = (null, false);
        }
    }

    public bool Equals(CountedKey? other)
    {
        Compared++;
        return other?.Number == Number;
    }

    public override bool Equals(object? obj) => Equals(obj as CountedKey);

    public override int GetHashCode()
    {
        Hashed++;
        return _hash is null ? Number : _hash(Number);
    }

    public int CompareTo(CountedKey? other)
    {
        Compared++;
        int order = other is null ? 1 : _descends ? other.Number.CompareTo(Number) : Number.CompareTo(other.Number);
        ComparedLessInARow = order < 0 ? ComparedLessInARow + 1 : 0;
        return order;
    }

    public int CompareTo(object? obj) => CompareTo(obj as CountedKey);
}

/// <summary>
/// Texts compared by a comparer of the program's own: their lengths do not matter here, their hash codes are those of their numbers.
/// </summary>
public sealed class CountedComparer : System.Collections.IEqualityComparer
{
    bool System.Collections.IEqualityComparer.Equals(object? x, object? y) => new CountedKey(Of(x)).Equals(new CountedKey(Of(y)));

    public int GetHashCode(object obj) => new CountedKey(Of(obj)).GetHashCode();

    private static int Of(object? text) => text is null ? -1 : int.Parse((string)text, System.Globalization.CultureInfo.InvariantCulture);
}
