using System.Collections.Concurrent;
using System.Collections.Immutable;
using System.Collections.ObjectModel;

namespace Wire.Tests.Behaviour.Roads;

public enum Tint : byte
{
    None,
    Red,
    Blue = 200,
}

public enum Vast : long
{
    Zero,
    Low = long.MinValue,
    High = long.MaxValue,
}

public interface IThing;

/// <summary>A sealed class without objects in it.</summary>
public sealed class Item : IThing
{
    public int Id { get; set; }

    public string? Name { get; set; }

    public Tint Tint { get; set; }

    public Guid? Key { get; set; }
}

/// <summary>Another one, of most kinds of values.</summary>
public sealed class Fine : IThing
{
    public bool Flag { get; set; }

    public decimal Price { get; set; }

    public DateTime At { get; set; }

    public DateTimeOffset? When { get; set; }

    public Vast Vast { get; set; }

    public Vast? Perhaps { get; set; }

    public string? First { get; set; }

    public string? Second { get; set; }

    public char Letter { get; set; }

    public Tight Tight { get; set; }
}

public sealed class OneText : IThing
{
    public string? Text { get; set; }
}

public class Open : IThing
{
    public int Number { get; set; }

    public string? Note { get; set; }
}

public sealed class OpenLeaf : Open
{
    public string? More { get; set; }
}

public class OpenTree : Open
{
    public Open? Child { get; set; }

    public Item? Item { get; set; }
}

/// <summary>A struct whose members lie closer in a payload than in memory.</summary>
public struct Tight
{
    public byte A { get; set; }

    public int B { get; set; }

    public short C { get; set; }
}

public struct Place
{
    public int Row { get; set; }

    public string? Label { get; set; }

    public Item? Item { get; set; }
}

/// <summary>A tree of objects that the declared types determine.</summary>
public sealed class Branch : IThing
{
    public string? Name { get; set; }

    public Item? Item { get; set; }

    public Fine? Fine { get; set; }

    public Open? Open { get; set; }

    public Place Place { get; set; }

    public Place? Maybe { get; set; }

    public List<int>? Numbers { get; set; }

    public byte[]? Bytes { get; set; }

    public string?[]? Texts { get; set; }

    public List<Item?>? Items { get; set; }

    public Fine?[]? Fines { get; set; }

    public List<Open?>? Opens { get; set; }
}

/// <summary>One value among others, so that a message that has lost its place is noticed.</summary>
public sealed class Around<T>
{
    public int Before { get; set; }

    public T? Value { get; set; }

    public string? Behind { get; set; }
}

/// <summary>Random values of the classes of this file.</summary>
internal static class RoadModel
{
    private static readonly int[] Lengths = [0, 1, 2, 7, 8, 23, 24, 31, 32, 61, 62, 63, 64, 127, 128, 300];

    /// <summary>The numbers of elements of collections: at the borders of what is read or written at a time.</summary>
    public static int[] Sizes { get; } = [0, 1, 2, 3, 4, 15, 16, 17, 31, 32, 33, 100];

    public static string? Text(Random random)
    {
        int length = random.Next(60) == 0 ? 5_000 : Lengths[random.Next(Lengths.Length)];
        return random.Next(9) switch
        {
            0 => null,
            1 => Of(random, length, 'À', 'ÿ'),
            2 => Of(random, length, 'α', 'ω'),
            3 => string.Concat(Enumerable.Repeat("\U0001F600", length / 2)),
            4 => Of(random, length, '\uD800', '\uDFFF'),
            5 => Of(random, length, '\0', 'ÿ') + (random.Next(2) == 0 ? "" : "Ā"),
            6 => "",
            _ => Of(random, Math.Min(length, 24), ' ', '~'),
        };
    }

    public static Item Item(Random random) => new()
    {
        Id = random.Next(4) == 0 ? random.Next() : random.Next(100),
        Name = Text(random),
        Tint = random.Next(2) == 0 ? Tint.Blue : (Tint)random.Next(256),
        Key = random.Next(2) == 0 ? null : Id(random),
    };

    public static Fine Fine(Random random) => new()
    {
        Flag = random.Next(2) == 0,
        Price = new decimal(random.Next(), random.Next(), random.Next(), random.Next(2) == 0, (byte)random.Next(29)),
        At = new DateTime(random.NextInt64(DateTime.MaxValue.Ticks), (DateTimeKind)random.Next(3)),
        When = random.Next(2) == 0 ? null : When(random),
        Vast = random.Next(2) == 0 ? Vast.Low : Vast.High,
        Perhaps = random.Next(2) == 0 ? null : (Vast)random.NextInt64(),
        First = Text(random),
        Second = Text(random),
        Letter = (char)random.Next(0x10000),
        Tight = Tight(random),
    };

    public static OneText OneText(Random random) => new() { Text = Text(random) };

    public static Open Open(Random random) => random.Next(5) switch
    {
        0 => new OpenLeaf { Number = random.Next(), Note = Text(random), More = Text(random) },
        1 => new OpenTree { Child = random.Next(3) == 0 ? Open(random) : null, Item = random.Next(2) == 0 ? Item(random) : null },
        _ => new Open { Number = random.Next(), Note = Text(random) },
    };

    public static IThing Thing(Random random) => random.Next(4) switch
    {
        0 => Fine(random),
        1 => Open(random),
        2 => OneText(random),
        _ => Item(random),
    };

    public static object Any(Random random) => random.Next(6) switch
    {
        0 => random.Next(),
        1 => Text(random) ?? "",
        2 => Place(random),
        3 => new[] { random.Next(), 1 },
        _ => Thing(random),
    };

    public static Tight Tight(Random random) => new() { A = (byte)random.Next(256), B = random.Next(), C = (short)random.Next() };

    public static Place Place(Random random) => new()
    {
        Row = random.Next(),
        Label = Text(random),
        Item = random.Next(2) == 0 ? null : Item(random),
    };

    public static Guid Id(Random random)
    {
        byte[] bytes = new byte[16];
        random.NextBytes(bytes);
        return new Guid(bytes);
    }

    public static DateTimeOffset When(Random random) =>
        new(random.NextInt64(TimeSpan.TicksPerDay, DateTime.MaxValue.Ticks / 2), TimeSpan.FromMinutes(random.Next(-600, 600)));

    public static Branch Branch(Random random)
    {
        int size = random.Next(3) == 0 ? 20 : 4;
        return new Branch
        {
            Name = Text(random),
            Item = random.Next(3) == 0 ? null : Item(random),
            Fine = random.Next(3) == 0 ? null : Fine(random),
            Open = random.Next(3) == 0 ? null : Open(random),
            Place = Place(random),
            Maybe = random.Next(2) == 0 ? null : Place(random),
            Numbers = random.Next(3) == 0 ? null : Many(random, size, random.Next),
            Bytes = random.Next(3) == 0 ? null : [.. Many(random, size, () => (byte)random.Next(256))],
            Texts = random.Next(3) == 0 ? null : [.. Many(random, size, () => Text(random))],
            Items = random.Next(3) == 0 ? null : Many(random, size, () => random.Next(5) == 0 ? null : Item(random)),
            Fines = random.Next(3) == 0 ? null : [.. Many(random, size, () => random.Next(5) == 0 ? null : Fine(random))],
            Opens = random.Next(3) == 0 ? null : Many(random, size, () => random.Next(5) == 0 ? null : Open(random)),
        };
    }

    /// <summary>Elements as they come: alike, mixed, with nulls, or the same ones again.</summary>
    public static List<T> Elements<T>(Random random, int count, Func<Random, T> make, bool mayBeNull)
    {
        int kind = random.Next(5);
        var elements = new List<T>();
        while (elements.Count < count)
        {
            elements.Add(kind switch
            {
                0 when mayBeNull && random.Next(4) == 0 => default!,
                1 when elements.Count > 0 => elements[0],
                2 when elements.Count > 0 && random.Next(2) == 0 => elements[random.Next(elements.Count)],
                3 when mayBeNull && elements.Count == count / 2 => default!,
                _ => make(random),
            });
        }

        return elements;
    }

    /// <summary>The same elements in every kind of collection that has a reader of its own.</summary>
    public static object Collection<T>(Random random, int kind, List<T> elements)
    {
        switch (kind)
        {
            case 0: return new Around<T[]> { Before = 1, Value = [.. elements], Behind = "end" };
            case 1: return new Around<List<T>> { Before = 1, Value = elements, Behind = "end" };
            case 2: return new Around<Dictionary<string, T>> { Value = new(Keyed(elements, Word)), Behind = "end" };
            case 3:
                return new Around<Dictionary<string, T>>
                {
                    Value = new(Keyed(elements, Word), StringComparer.OrdinalIgnoreCase),
                    Behind = "end",
                };
            case 4: return new Around<Dictionary<int, T>> { Value = new(Keyed(elements, i => i * 3)), Behind = "end" };
            case 5: return new Around<Dictionary<Guid, T>> { Value = new(Keyed(elements, _ => Id(random))), Behind = "end" };
            case 6: return new Around<SortedDictionary<int, T>> { Value = new(new Dictionary<int, T>(Keyed(elements, i => -i))) };
            case 7: return new Around<SortedList<string, T>> { Value = new(new Dictionary<string, T>(Keyed(elements, Word))) };
            case 8: return new Around<Queue<T>> { Value = new(elements), Behind = "end" };
            case 9: return new Around<Stack<T>> { Value = new(elements), Behind = "end" };
            case 10: return new Around<LinkedList<T>> { Value = new(elements), Behind = "end" };
            case 11: return new Around<ImmutableList<T>> { Value = [.. elements], Behind = "end" };
            case 12: return new Around<ImmutableArray<T>> { Value = [.. elements], Behind = "end" };
            case 13: return new Around<ImmutableDictionary<string, T>> { Value = Keyed(elements, Word).ToImmutableDictionary() };
            case 14: return new Around<ImmutableSortedDictionary<int, T>> { Value = Keyed(elements, i => i).ToImmutableSortedDictionary() };
            case 15: return new Around<Collection<T>> { Value = [.. elements], Behind = "end" };
            case 16: return new Around<IReadOnlyList<T>> { Value = elements, Behind = "end" };
            case 17: return new Around<ConcurrentQueue<T>> { Value = new(elements), Behind = "end" };
            case 18: return new Around<ConcurrentDictionary<int, T>> { Value = new(Keyed(elements, i => i)), Behind = "end" };
            case 19: return new Around<Dictionary<Tint, T>> { Value = new(Keyed(elements.Take(256), i => (Tint)i)), Behind = "end" };
            case 20: return new Around<Dictionary<Tight, T>> { Value = new(Keyed(elements, i => new Tight { B = i, A = 7 })) };
            case 21: return new Around<HashSet<T>> { Value = [.. elements.Distinct()], Behind = "end" };
            case 22: return new Around<T[,]> { Value = Grid(elements), Behind = "end" };
            case 23: return new Around<Queue<KeyValuePair<string?, T>>> { Value = new(Keyed(elements, _ => Text(random))), Behind = "end" };
            case 24: return new Around<List<List<T>>> { Value = [elements, [.. elements.Take(3)], []], Behind = "end" };
            default: return new Around<ObservableCollection<T>> { Value = [.. elements], Behind = "end" };
        }
    }

    public const int Kinds = 26;

    private static T[,] Grid<T>(List<T> elements)
    {
        var grid = new T[2, elements.Count / 2];
        for (int i = 0; i < grid.Length; i++)
        {
            grid[i / grid.GetLength(1), i % grid.GetLength(1)] = elements[i];
        }

        return grid;
    }

    private static string Word(int i) => i % 7 == 3 ? $"λ{i}" : $"Key {i}" + (i % 11 == 5 ? new string('x', 100) : "");

    private static IEnumerable<KeyValuePair<TKey, T>> Keyed<TKey, T>(IEnumerable<T> elements, Func<int, TKey> key) =>
        [.. elements.Select((element, i) => KeyValuePair.Create(key(i), element))];

    private static List<T> Many<T>(Random random, int size, Func<T> make) =>
        [.. Enumerable.Range(0, random.Next(size + 1)).Select(_ => make())];

    private static string Of(Random random, int length, char from, char to) =>
        string.Create(length, random, (span, source) =>
        {
            foreach (ref char place in span)
            {
                place = (char)source.Next(from, to + 1);
            }
        });
}
