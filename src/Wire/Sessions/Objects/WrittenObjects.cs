using Wire.Types;

namespace Wire.Sessions.Objects;

/// <summary>
/// The objects of the current message: their numbers, and those whose stand-ins are being written. The tables are allocated on first use.
/// </summary>
/// <param name="path">The path to the current value, for errors.</param>
/// <param name="registry">The registry, which has the names of the members on it.</param>
internal sealed class WrittenObjects(GraphPath path, TypeRegistry registry)
{
    private ObjectTable? _numbered;
    private ReplacedObjects? _replaced;
    private NodeIndices? _nodes;

    /// <summary>Gets the number of objects of the message that have numbers.</summary>
    public int Count => _numbered?.Count ?? 0;

    /// <summary>The objects whose stand-ins are being written.</summary>
    public ReplacedObjects Replaced => _replaced ??= new();

    /// <summary>The nodes of linked lists.</summary>
    public NodeIndices Nodes => _nodes ??= new();

    /// <summary>Writes a reference when the object has been written before; otherwise assigns the next number.</summary>
    public bool WriteReference(ref WireWriter writer, object value)
    {
        if (!(_numbered ??= new ObjectTable()).TryGetOrAdd(value, out int number))
        {
            return false;
        }

        if (_replaced is { } replaced && replaced.Contains(value))
        {
            throw LeadsBack(value, path.Describe(writer.Member, registry));
        }

        writer.WriteReference((uint)number);
        return true;
    }

    /// <summary>Assigns the number of a root that is a value type: every value with a manifest takes one.</summary>
    public void SkipNumber() => (_numbered ??= new ObjectTable()).Skip();

    /// <summary>Makes the error for an endless graph, in which a stand-in refers back to its object; null when none does.</summary>
    /// <param name="place">The position of the detection.</param>
    public ObjectGraphException? FindWayBack(string place) =>
        _replaced?.FindRepeated() is { } replaced ? LeadsBack(replaced, place) : null;

    /// <summary>Forgets the objects at the end of a message.</summary>
    public void Clear()
    {
        _numbered?.Clear();
        _nodes?.Clear();
    }

    /// <summary>Forgets the objects of a failed message, including unfinished stand-ins.</summary>
    public void Abandon()
    {
        Clear();
        _replaced?.Clear();
    }

    private static ObjectGraphException LeadsBack(object value, string place) => new(
        $"The stand-in of an object of type {value.GetType()} refers back to the object at {place}. The object is created after its " +
        "stand-in has been read: remove the back reference from the stand-in.", place);
}
