using System.Collections.Frozen;
using Wire.Testing;
using Wire.Tests.Testing;

namespace Wire.Tests.Behaviour.Versions;

/// <summary>Elements that were written in one collection are read in every other one that holds such elements.</summary>
public sealed class CollectionConversionTests
{
    private static readonly string[] Ways = ["root", "element", "value"];

    public static TheoryData<bool, bool> Options => new() { { false, true }, { true, true }, { false, false }, { true, false } };

    [Theory]
    [MemberData(nameof(Options))]
    public void Numbers_are_read_in_every_collection(bool references, bool dynamicCode) =>
        ReadInAll([1, 2, 70_000], references, dynamicCode);

    [Theory]
    [MemberData(nameof(Options))]
    public void Texts_are_read_in_every_collection(bool references, bool dynamicCode) =>
        ReadInAll(["", "a", "ü"], references, dynamicCode);

    [Theory]
    [MemberData(nameof(Options))]
    public void Objects_are_read_in_every_collection(bool references, bool dynamicCode) =>
        ReadInAll<Item>([new(1, "a"), new(2, null)], references, dynamicCode);

    [Theory]
    [MemberData(nameof(Options))]
    public void Values_are_read_in_every_collection(bool references, bool dynamicCode) =>
        ReadInAll<Place>([new(1, "a"), new(2, null)], references, dynamicCode);

    [Theory]
    [MemberData(nameof(Options))]
    public void Nullable_values_are_read_in_every_collection(bool references, bool dynamicCode) =>
        ReadInAll<long?>([1, long.MaxValue], references, dynamicCode);

    [Theory]
    [MemberData(nameof(Options))]
    public void Nothing_is_read_in_every_collection(bool references, bool dynamicCode) =>
        ReadInAll<Guid>([], references, dynamicCode);

    private static void ReadInAll<T>(T[] items, bool references, bool dynamicCode)
    {
        Serializer serializer = Create(references, dynamicCode);
        var failures = new List<string>();
        foreach (CollectionForm<T> from in CollectionForm<T>.All)
        {
            var values = new List<(string Way, byte[] Bytes, byte[] Again, SerializerSession Session)>();
            object value = from.Make(items);
            foreach (string way in Ways)
            {
                object root = Call<object>(nameof(Wrap), [from.Declared], way, value);
                SerializerSession session = serializer.GetSerializerSession();
                values.Add((way, serializer.Serialize(root), serializer.Serialize(root, session), session));
            }

            foreach (CollectionForm<T> to in CollectionForm<T>.All.Sample(among: 2, Array.IndexOf(CollectionForm<T>.All, from)))
            {
                foreach ((string way, byte[] bytes, byte[] first, SerializerSession _) in values)
                {
                    try
                    {
                        Type expected = to.ReadAs(value, way == "root" ? null : from.Declared);
                        foreach (object read in Call<object[]>(nameof(Read), [to.Declared], way, serializer, bytes, first))
                        {
                            Check(from, items, expected, read);
                        }
                    }
                    catch (Exception e) when (e is WireFormatException or Xunit.Sdk.XunitException or InvalidCastException)
                    {
                        failures.Add($"{way} {from} as {to}: {e.Message}");
                    }
                }
            }
        }

        Assert.True(failures.Count == 0, string.Join(Environment.NewLine, failures.Take(20).Prepend($"{failures.Count} failed")));
    }

    private static void Check<T>(CollectionForm<T> from, T[] items, Type expected, object read)
    {
        Assert.Equal(expected, read is FrozenSet<T> ? typeof(FrozenSet<T>) : read.GetType());
        CollectionForm<T> to = Array.Find(CollectionForm<T>.All, form => form.Declared == expected)!;
        T[] elements = [.. to.Items(read)];
        Assert.Equal(items, from.Order == FormOrder.None || to.Order == FormOrder.None ? [.. elements.Order()] : elements);
    }

    // The interfaces are arguments of the types that the payloads name.
    private static Serializer Create(bool references, bool dynamicCode)
    {
        SerializerOptions options = Configuration.Options(references, tolerance: true, dynamicCode);
        Type[] faces = [.. CollectionForm<int>.All.Select(form => form.Declared).Where(type => type.IsInterface)];
        return new(options with
        {
            TypeFilter = faces.Aggregate(options.TypeFilter, (filter, face) => filter.Allow(face.GetGenericTypeDefinition())),
        });
    }

    private static object Wrap<TFrom>(string way, object value) => way switch
    {
        "root" => value,
        "element" => new List<TFrom> { (TFrom)value },
        _ => new Dictionary<int, TFrom> { [1] = (TFrom)value },
    };

    private static object[] Read<TTo>(string way, Serializer serializer, byte[] bytes, byte[] first) => way switch
    {
        "root" => [.. ReadAll<TTo>(serializer, bytes, first).Cast<object>()],
        "element" => [.. ReadAll<TTo[]>(serializer, bytes, first).Select(root => (object)Assert.Single(root)!)],
        _ => [.. ReadAll<SortedList<int, TTo>>(serializer, bytes, first).Select(root => (object)Assert.Single(root).Value!)],
    };

    private static IEnumerable<T> ReadAll<T>(Serializer serializer, byte[] bytes, byte[] first)
    {
        using DeserializerSession session = serializer.GetDeserializerSession();
        yield return serializer.Deserialize<T>(bytes)!;
        yield return serializer.Deserialize<T>(bytes)!;
        yield return serializer.Deserialize<T>(new SeekableStream(bytes))!;
        yield return serializer.Deserialize<T>(first, session)!;
        yield return serializer.Deserialize<T>(first, session)!;
    }

    private static TResult Call<TResult>(string method, Type[] arguments, params object[] values) =>
        (TResult)typeof(CollectionConversionTests)
            .GetMethod(method, System.Reflection.BindingFlags.NonPublic | System.Reflection.BindingFlags.Static)!
            .MakeGenericMethod(arguments)
            .Invoke(null, System.Reflection.BindingFlags.DoNotWrapExceptions, null, values, null)!;

    private sealed record Item(int Id, string? Name) : IComparable<Item>
    {
        public int CompareTo(Item? other) => Id.CompareTo(other?.Id);
    }

    private readonly record struct Place(int Id, string? Name) : IComparable<Place>
    {
        public int CompareTo(Place other) => Id.CompareTo(other.Id);
    }
}
