using System.Collections;
using System.Collections.ObjectModel;
using System.Collections.Specialized;
using System.ComponentModel;
using System.Runtime.Serialization;

#pragma warning disable SYSLIB0050, SYSLIB0051

namespace Shop;

[Serializable]
internal class Parent(int number)
{
    private readonly int _number = number;

    protected int Number => _number;
}

[Serializable]
internal sealed class Child(int number) : Parent(number)
{
    private readonly int _own = number;

    public int Sum => Number + _own;

    public static int Twice(int value) => 2 * value;
}

internal sealed record Person(string Name, int Age);

internal sealed class Node
{
    public Node? Next { get; set; }

    public static Node Circle()
    {
        var node = new Node();
        node.Next = new Node { Next = node };
        return node;
    }
}

internal sealed class OrderException(string message, int number, Exception inner) : Exception(message, inner)
{
    public int Number { get; } = number;
}

/// <summary>An ISerializable, with the constructor that BinaryFormatter called; its fields alone would not do.</summary>
internal sealed class Money : ISerializable
{
    [NonSerialized]
    private readonly string _text;

    public Money(int amount, string currency) => _text = $"{amount} {currency}";

    private Money(SerializationInfo info, StreamingContext context) => _text = info.GetString("text")!;

    public string Text => _text;

    public void GetObjectData(SerializationInfo info, StreamingContext context) => info.AddValue("text", _text);
}

internal sealed class Cached
{
    private readonly string _name;

    [NonSerialized]
    private string _upper;

    public Cached(string name)
    {
        _name = name;
        _upper = name.ToUpperInvariant();
    }

    public string Upper => _upper;

    [OnDeserialized]
    private void Deserialized(StreamingContext context) => _upper = _name.ToUpperInvariant();
}

internal sealed class OnlyOne
{
    public static OnlyOne Instance { get; } = new();

    private OnlyOne()
    {
    }
}

internal sealed class Prices : Dictionary<string, int>
{
    public string Currency { get; set; } = "EUR";
}

internal sealed class Numbers : CollectionBase
{
    public void Add(int number) => List.Add(number);
}

internal sealed class Names : KeyedCollection<string, string>
{
    protected override string GetKeyForItem(string item) => item;
}

internal sealed class Grown
{
    [OptionalField(VersionAdded = 2)]
    private int _added;

    public int Old { get; set; }

    public int Added
    {
        get => _added;
        set => _added = value;
    }
}

internal sealed class Watched
{
    [field: NonSerialized]
    public event EventHandler? Changed;

    public static Watched WithListener()
    {
        var watched = new Watched();
        watched.Changed += (_, _) => { };
        return watched;
    }

    public bool HasListener => Changed is not null;
}

internal sealed class Part : Component;

internal sealed class Sealed : ReadOnlyCollectionBase;

internal sealed class Keyed : NameObjectCollectionBase;
