using System.Collections;

// These fields are read by BinaryFormatter alone, and some have the names that classes of .NET Framework had.
#pragma warning disable IDE0052, IDE1006, CS0414

namespace Wire.Migration.Samples.Former;

/// <summary>The base class as .NET Framework had it, which BinaryFormatter of today does not write.</summary>
[Serializable]
public abstract class CollectionBase
{
    private readonly ArrayList list = [1, 2];
}

[Serializable]
public sealed class Numbers : CollectionBase;

/// <inheritdoc cref="CollectionBase"/>
[Serializable]
public abstract class DictionaryBase
{
    private readonly Hashtable hashtable = new() { ["a"] = 1 };
}

[Serializable]
public sealed class Table : DictionaryBase;

[Serializable]
public class Thing
{
    private readonly int _id = 5;
}

/// <summary>An article as an earlier version of the program had it.</summary>
[Serializable]
public sealed class Article : Thing
{
    private readonly int _id = 6;

    private readonly string _title = "pen";

    public int Price { get; set; } = 7;

    public int Gone { get; set; } = 8;

    public Size Size { get; set; } = Size.Large;

    public Size[][] Sizes { get; set; } = [[Size.Small], []];

    public object Other { get; set; } = new List<Size> { Size.Large };
}

[Serializable]
public enum Size
{
    Small = 1,
    Large = 2,
}
