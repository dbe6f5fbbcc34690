namespace Wire.Migration.Samples;

[Serializable]
public class Item
{
    private readonly int _id = -1;

    public int ItemId => _id;
}

/// <summary>What became of <see cref="Former.Article"/>: other names, a wider number, a member that is new.</summary>
[Serializable]
[WireName("article")]
public sealed class Article : Item
{
    private readonly int _id = -1;

    public int ArticleId => _id;

    [WireName("_title")]
    public string Name { get; set; } = "";

    public long? Price { get; set; }

    public Extent Size { get; set; }

    public Extent[][]? Sizes { get; set; }

    public object? Other { get; set; }

    public int Added { get; set; } = 1;
}

public enum Extent
{
    Small = 1,
    Large = 2,
}

[Serializable]
[WireName("named")]
public sealed class Named
{
    public int Number { get; set; }
}
