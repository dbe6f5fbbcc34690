using System.Collections;
using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Diagnostics;
using System.Dynamic;
using System.Globalization;
using System.Text;
using System.Text.Json.Nodes;
using System.Xml.Linq;

namespace Wire.Benchmarks.Hostile;

/// <summary>
/// How long reading takes, until it is done or refused, when keys have been chosen so that they stand in each other's way, and how
/// long when they come by chance.
/// </summary>
internal static class Floods
{
    private const int Keys = 100_000;

    private static readonly Serializer Writer = new();

    private static readonly int Size = new HashSet<byte>().EnsureCapacity(Keys);

    /// <summary>Measures, and prints the table.</summary>
    public static void Run()
    {
        Console.WriteLine("| What | by chance ms | crafted ms | ratio | |");
        Console.WriteLine("|:--|--:|--:|--:|:--|");
        long[] chance = [.. Enumerable.Range(0, Keys).Select(i => new Random(i).NextInt64())];
        long[] equal = [.. Enumerable.Range(1, Keys).Select(i => ((long)i << 32) | (uint)i)];
        long[] modulo = [.. Enumerable.Range(0, Keys).Select(i => ((long)i * Size) & uint.MaxValue)];
        long[] under = [.. chance[..(Keys - 1500)], .. equal[..1500]];
        Longs("equal hash codes", chance, equal);
        Longs("equal remainders", chance, modulo);
        Longs("equal hash codes, just allowed", chance, under);
        string[] names = [.. chance.Select(i => i.ToString("x16", CultureInfo.InvariantCulture))];
        string[] colliding = [.. Collide(Keys)];
        Print("HashSet<string>, one hash code without a secret", Bytes(names.ToHashSet()), Bytes(colliding.ToHashSet()));
        Print(
            "ConcurrentDictionary<string, int>, same",
            Bytes(new ConcurrentDictionary<string, int>(names.Select(Pair))),
            Bytes(new ConcurrentDictionary<string, int>(colliding.Select(Pair))));
        Print(
            "OrderedDictionary<string, int>, same",
            Bytes(new OrderedDictionary<string, int>(names.Select(Pair))),
            Bytes(new OrderedDictionary<string, int>(colliding.Select(Pair))));
        Print("ImmutableHashSet<string>, same", Bytes(names.ToImmutableHashSet()), Bytes(colliding.ToImmutableHashSet()));
        Print("Hashtable of strings, same", Bytes(Table(names)), Bytes(Table(colliding)));
        Print(
            "HashSet<string> of a culture, same",
            Bytes(names.ToHashSet(StringComparer.InvariantCulture)),
            Bytes(colliding.ToHashSet(StringComparer.InvariantCulture)));
        var ascending = new SortedList<int, int>(Enumerable.Range(0, Keys).ToDictionary(i => i));
        int[] order = [.. Enumerable.Range(0, Keys)];
        new Random(1).Shuffle(order);
        Print("SortedList<int, int>, the other way round", InOrder(ascending, i => order[i]), InOrder(ascending, i => Keys - i));
        Print(
            "ExpandoObject of 1,400 members; by chance: a Dictionary",
            Bytes(Members(1400).ToDictionary(StringComparer.Ordinal)),
            Bytes(Members(1400)));
        Print("JsonObject, names of one hash code", Bytes(Json(names)), Bytes(Json(colliding)));
        Print("XElement, attributes", Bytes(Nodes(20_000)), Bytes(Attributes(20_000)));
        Print("XElement, namespaces", Bytes(Nodes(20_000)), Bytes(Namespaces(20_000)));
    }

    private static void Longs(string how, long[] chance, long[] crafted)
    {
        Print($"HashSet<long>, {how}", Bytes(chance.ToHashSet()), Patched(Bytes(chance.ToHashSet()), crafted));
        Print($"ImmutableHashSet<long>, {how}", Bytes(chance.ToImmutableHashSet()), Patched(Bytes(chance.ToImmutableHashSet()), crafted));
        Print($"FrozenSet<long>, {how}", Bytes(chance.ToFrozenSet()), Patched(Bytes(chance.ToFrozenSet()), crafted));
    }

    private static void Print(string what, byte[] chance, byte[] crafted)
    {
        (double honest, _) = Measure(chance);
        (double hostile, string outcome) = Measure(crafted);
        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture, $"| {what} | {honest:0.0} | {hostile:0.0} | {hostile / honest:0.00} | {outcome} |"));
    }

    private static (double Milliseconds, string Outcome) Measure(byte[] bytes)
    {
        var serializer = new Serializer();
        var times = new List<double>();
        string outcome = "";
        while (times.Count < 7 && times.LastOrDefault() < 5000)
        {
            long start = Stopwatch.GetTimestamp();
            outcome = Crafted.Read(serializer, bytes);
            times.Add(Stopwatch.GetElapsedTime(start).TotalMilliseconds);
        }

        return (times.Median(), outcome);
    }

    private static byte[] Bytes(object value) => Writer.Serialize(value);

    private static KeyValuePair<string, int> Pair(string name) => new(name, 1);

    // The keys stand at the end, eight bytes each.
    private static byte[] Patched(byte[] bytes, long[] keys)
    {
        for (int i = 0; i < keys.Length; i++)
        {
            BitConverter.TryWriteBytes(bytes.AsSpan(bytes.Length - ((keys.Length - i) * sizeof(long))), keys[i]);
        }

        return bytes;
    }

    private static byte[] InOrder(SortedList<int, int> list, Func<int, int> key)
    {
        byte[] bytes = Bytes(list);
        for (int i = 0; i < list.Count; i++)
        {
            BitConverter.TryWriteBytes(bytes.AsSpan(bytes.Length - ((i + 1) * 2 * sizeof(int))), key(i));
        }

        return bytes;
    }

    private static Hashtable Table(string[] names)
    {
        var table = new Hashtable();
        foreach (string name in names)
        {
            table.Add(name, null);
        }

        return table;
    }

    private static ExpandoObject Members(int count)
    {
        var members = new ExpandoObject();
        for (int i = 0; i < count; i++)
        {
            ((IDictionary<string, object?>)members).Add($"m{i}", null);
        }

        return members;
    }

    private static JsonObject Json(string[] names)
    {
        var properties = new JsonObject();
        foreach (string name in names)
        {
            properties.Add(name, null);
        }

        return properties;
    }

    private static XElement Nodes(int count) => new("x", Enumerable.Range(0, count).Select(i => new XElement($"a{i}", "")));

    private static XElement Attributes(int count) => new("x", Enumerable.Range(0, count).Select(i => new XAttribute($"a{i}", "")));

    private static XElement Namespaces(int count) =>
        new("x", Enumerable.Range(0, count).Select(i => new XAttribute(XNamespace.Xmlns + $"a{i}", $"urn:{i}")));

    /// <summary>
    /// Strings for which .NET's hash code without a secret is the same: it takes two characters at a time into each of two halves.
    /// </summary>
    private static IEnumerable<string> Collide(int count)
    {
        // Of four characters, the first two go into one half and the other two into the other. After the first, the half is known, and
        // what the next has to be for the half to end at zero follows: each beginning has one end.
        const uint Seed = (5381 << 16) + 5381;
        for (uint i = 0, found = 0; found < count; i++)
        {
            uint first = ('a' + (i % 512)) | (('a' + (i / 512)) << 16);
            uint half = Rotated(Seed) ^ first;
            uint next = Rotated(half);
            char low = (char)next;
            char high = (char)(next >> 16);
            if (low == 0 || high == 0 || char.IsSurrogate(low) || char.IsSurrogate(high))
            {
                continue;
            }

            found++;
            yield return new StringBuilder().Append((char)first).Append((char)(first >> 16)).Append("xy").Append(low).Append(high).Append(
                "xy").ToString();
        }
    }

    private static uint Rotated(uint half) => uint.RotateLeft(half, 5) + half;
}
