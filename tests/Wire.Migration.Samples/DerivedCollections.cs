using System.Collections;
using System.Collections.ObjectModel;
using System.Runtime.Serialization;

#pragma warning disable SYSLIB0050, SYSLIB0051, CS0672

namespace Wire.Migration.Samples;

[Serializable]
public sealed class Names : List<string>
{
    public string Language { get; set; } = "en";
}

/// <summary>Writes a value of its own with those of its base class.</summary>
[Serializable]
public sealed class Prices : Dictionary<string, int>
{
    public Prices()
        : base(StringComparer.OrdinalIgnoreCase)
    {
    }

    private Prices(SerializationInfo info, StreamingContext context)
        : base(info, context) => Currency = info.GetString("Currency")!;

    public string Currency { get; set; } = "EUR";

    public override void GetObjectData(SerializationInfo info, StreamingContext context)
    {
        base.GetObjectData(info, context);
        info.AddValue("Currency", Currency);
    }
}

[Serializable]
public sealed class Numbers : CollectionBase
{
    public void Add(int number) => List.Add(number);
}

[Serializable]
public sealed class Table : DictionaryBase
{
    public void Add(string key, object value) => Dictionary.Add(key, value);
}

[Serializable]
public sealed class Orders : KeyedCollection<int, Order>
{
    protected override int GetKeyForItem(Order item) => item.Number;
}

/// <summary>Orders words by their length.</summary>
[Serializable]
public sealed class ByLength : IComparer<string>, IEqualityComparer<string>
{
    private readonly int _sign = -1;

    public int Compare(string? x, string? y) => _sign * (x?.Length ?? 0).CompareTo(y?.Length ?? 0);

    public bool Equals(string? x, string? y) => x?.Length == y?.Length;

    public int GetHashCode(string obj) => obj.Length;
}

#pragma warning restore SYSLIB0050, SYSLIB0051, CS0672
