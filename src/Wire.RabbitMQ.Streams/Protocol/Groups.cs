using System.Numerics;

namespace Wire.RabbitMQ.Streams.Protocol;

/// <summary>No fields.</summary>
internal struct Nothing : IFieldGroup<Nothing>;

/// <summary>A key and its value, as in properties and arguments.</summary>
internal struct Pair : IFieldGroup<Pair>
{
    public string? Key;
    public string? Value;

    static void IFieldGroup<Pair>.Fields<TFields>(ref Pair group, ref TFields fields)
    {
        fields.Text(ref group.Key);
        fields.Text(ref group.Value);
    }
}

/// <summary>A text of a list.</summary>
internal struct Item : IFieldGroup<Item>
{
    public string? Text;

    static void IFieldGroup<Item>.Fields<TFields>(ref Item group, ref TFields fields) => fields.Text(ref group.Text);
}

/// <summary>A number alone.</summary>
internal struct Number<T> : IFieldGroup<Number<T>>
    where T : unmanaged, IBinaryInteger<T>
{
    public T Value;

    static void IFieldGroup<Number<T>>.Fields<TFields>(ref Number<T> group, ref TFields fields) => fields.Number(ref group.Value);
}

/// <summary>A list alone.</summary>
internal struct ListOf<TItem> : IFieldGroup<ListOf<TItem>>
    where TItem : struct, IFieldGroup<TItem>
{
    public IReadOnlyList<TItem>? Items;

    static void IFieldGroup<ListOf<TItem>>.Fields<TFields>(ref ListOf<TItem> group, ref TFields fields) => fields.List(ref group.Items);
}

/// <summary>Converts lists of groups to the types of the library, and back.</summary>
internal static class Groups
{
    public static IReadOnlyList<Pair> Pairs(IEnumerable<KeyValuePair<string, string>> pairs) =>
        [.. pairs.Select(pair => new Pair { Key = pair.Key, Value = pair.Value })];

    public static IReadOnlyList<Item> Items(IEnumerable<string> texts) => [.. texts.Select(text => new Item { Text = text })];

    /// <summary>Reads pairs; for a repeated key, the last value counts.</summary>
    public static IReadOnlyDictionary<string, string> Dictionary(IReadOnlyList<Pair>? pairs)
    {
        var dictionary = new Dictionary<string, string>(StringComparer.Ordinal);
        foreach (Pair pair in pairs ?? [])
        {
            dictionary[pair.Key ?? ""] = pair.Value ?? "";
        }

        return dictionary;
    }

    /// <summary>The largest version of each command; for a repeated one, the last.</summary>
    public static IReadOnlyDictionary<CommandKey, ushort> MaxVersions(IReadOnlyList<VersionRange>? ranges)
    {
        var versions = new Dictionary<CommandKey, ushort>();
        foreach (VersionRange range in ranges ?? [])
        {
            versions[(CommandKey)range.Key] = range.Max;
        }

        return versions;
    }

    public static IReadOnlyList<string> Texts(IReadOnlyList<Item>? items) => [.. (items ?? []).Select(item => item.Text ?? "")];
}
