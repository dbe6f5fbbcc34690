namespace Wire.Sessions.Objects;

/// <summary>
/// The objects whose stand-ins are being written, outermost first. Such an object exists for a reader only when its stand-in is complete,
/// so nothing inside may refer to it.
/// </summary>
internal sealed class ReplacedObjects
{
    private readonly List<object?> _objects = [];

    /// <summary>Begins the stand-in of a value; those of value types have no identity and cannot be referred to.</summary>
    public void Push<T>(T value) => _objects.Add(typeof(T).IsValueType ? null : value);

    /// <summary>Ends the innermost stand-in.</summary>
    public void Pop() => _objects.RemoveAt(_objects.Count - 1);

    /// <summary>Returns whether the object's stand-in is being written.</summary>
    public bool Contains(object value) => _objects.Exists(other => ReferenceEquals(other, value));

    /// <summary>An object whose stand-in refers back to the object; null when there is none.</summary>
    public object? FindRepeated()
    {
        var seen = new HashSet<object>(ReferenceEqualityComparer.Instance);
        return _objects.Find(value => value is not null && !seen.Add(value));
    }

    public void Clear() => _objects.Clear();
}
