using Wire.Format;
using Wire.Types;

namespace Wire.Sessions;

/// <summary>
/// The objects of the current message: their numbers, and those whose stand-ins are being written. What they are kept in is made for the
/// first of them.
/// </summary>
/// <param name="path">The way to the current value, for errors.</param>
/// <param name="registry">Knows the names of the members on it.</param>
internal sealed class WrittenObjects(GraphPath path, TypeRegistry registry)
{
    private ObjectTable? _numbered;
    private ReplacedObjects? _replaced;

    /// <summary>Gets the number of objects of the message that have numbers.</summary>
    public int Count => _numbered?.Count ?? 0;

    /// <summary>The objects whose stand-ins are being written.</summary>
    public ReplacedObjects Replaced => _replaced ??= new();

    /// <summary>Writes a reference when the object has been written before; else gives it the next number.</summary>
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

        writer.WriteByte(Tag.Reference);
        writer.WriteVarUInt32((uint)number);
        return true;
    }

    /// <summary>Gives a root that is a value type its number: everything with a manifest takes one.</summary>
    public void SkipNumber() => (_numbered ??= new ObjectTable()).Skip();

    /// <summary>The error of a graph that continues for ever because a stand-in leads back to its object; null when none does.</summary>
    /// <param name="place">Where that was noticed.</param>
    public ObjectGraphException? FindWayBack(string place) =>
        _replaced?.FindRepeated() is { } replaced ? LeadsBack(replaced, place) : null;

    /// <summary>Forgets the objects at the end of a message.</summary>
    public void Clear() => _numbered?.Clear();

    /// <summary>Forgets the objects of a message that has failed, stand-ins that were not finished among them.</summary>
    public void Abandon()
    {
        Clear();
        _replaced?.Clear();
    }

    private static ObjectGraphException LeadsBack(object value, string place) => new(
        $"The stand-in of an object of type {value.GetType()} refers back to the object at {place}. The object is created after its " +
        "stand-in has been read: remove the back reference from the stand-in.", place);
}
