namespace Wire.Sessions;

/// <summary>The linked lists of a message that is read, in which nodes have their places.</summary>
internal sealed class ReadLists
{
    /// <summary>The memory that a list takes here.</summary>
    public const int PerList = 128;

    private readonly Dictionary<object, ReadList> _lists = new(ReferenceEqualityComparer.Instance);

    /// <summary>Gets the number of lists.</summary>
    public int Count => _lists.Count;

    /// <summary>Notes a list that has all of its elements now.</summary>
    public ReadList Add<T>(LinkedList<T> list)
    {
        var known = new ReadList(_lists.Count, ListVersion.Of(list));
        _lists.Add(list, known);
        return known;
    }

    /// <summary>Finds a list; null when it has not been noted.</summary>
    public ReadList? Find(object list) => _lists.GetValueOrDefault(list);
}

/// <summary>What is known of a list.</summary>
/// <param name="number">The number of lists noted before it.</param>
/// <param name="version">Its version.</param>
internal sealed class ReadList(int number, int version)
{
    /// <summary>Gets the number of lists noted before it.</summary>
    public int Number => number;

    /// <summary>Gets or sets its version since it was read, or an object has taken the place of one of its nodes.</summary>
    public int Version { get; set; } = version;

    /// <summary>Gets or sets those of its nodes that are not objects of the message yet; null until one is asked for.</summary>
    public Array? Nodes { get; set; }
}
