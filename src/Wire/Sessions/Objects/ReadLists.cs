namespace Wire.Sessions.Objects;

/// <summary>The linked lists of a message that is read, in which nodes have their places.</summary>
internal sealed class ReadLists
{
    /// <summary>The memory that a list takes here.</summary>
    public const int PerList = 128;

    private readonly Dictionary<object, ReadList> _lists = new(ReferenceEqualityComparer.Instance);

    // By their lists, which are being read.
    private Dictionary<object, List<Action>>? _waiting;

    /// <summary>Gets the number of lists.</summary>
    public int Count => _lists.Count;

    /// <summary>Defers the placing of a node until its list has all of its elements.</summary>
    public void Wait(object list, Action put)
    {
        _waiting ??= new(ReferenceEqualityComparer.Instance);
        if (!_waiting.TryGetValue(list, out List<Action>? puts))
        {
            _waiting.Add(list, puts = []);
        }

        puts.Add(put);
    }

    /// <summary>Notes a list that has all of its elements now, and places the nodes that wait for it.</summary>
    public ReadList Add<T>(LinkedList<T> list)
    {
        var known = new ReadList(_lists.Count, ListVersion.Of(list));
        _lists.Add(list, known);
        Place(list);
        return known;
    }

    /// <summary>Places the nodes that still wait, for lists that nobody has noted.</summary>
    public void PlaceRest()
    {
        foreach (object list in _waiting?.Keys.ToArray() ?? [])
        {
            Place(list);
        }
    }

    /// <summary>Finds a list; null when it has not been noted.</summary>
    public ReadList? Find(object list) => _lists.GetValueOrDefault(list);

    private void Place(object list)
    {
        if (_waiting is not null && _waiting.Remove(list, out List<Action>? puts))
        {
            puts.ForEach(put => put());
        }
    }
}

/// <summary>The state of a list.</summary>
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
