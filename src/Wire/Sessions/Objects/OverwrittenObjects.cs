namespace Wire.Sessions.Objects;

/// <summary>
/// The objects of the caller that a message is read into. Each is taken once, by identity: where the caller's graph has one object in two
/// places, and the message two, one of them is new.
/// </summary>
internal sealed class OverwrittenObjects
{
    // One that a thread does not need at present.
    [ThreadStatic]
    private static OverwrittenObjects? _free;

    private readonly ObjectTable _taken = new();
    private object? _root;

    private OverwrittenObjects()
    {
    }

    /// <summary>Gets whether what the message says nothing of stays as it is; otherwise it is what it would be in a new object.</summary>
    public bool KeepsMissing { get; private set; }

    /// <summary>Begins a message.</summary>
    public static OverwrittenObjects Begin(object root, bool keepsMissing)
    {
        OverwrittenObjects objects = _free ?? new();
        _free = null;
        objects._root = root;
        objects.KeepsMissing = keepsMissing;
        objects._taken.TryGetOrAdd(root, out _);
        return objects;
    }

    /// <summary>Returns the caller's root, if it is of exactly a type; otherwise null.</summary>
    public object? RootOf(Type type) => ReferenceEquals(_root?.GetType(), type) ? _root : null;

    /// <summary>Takes an object; false where it has been taken before.</summary>
    public bool TryTake(object there) => !_taken.TryGetOrAdd(there, out _);

    /// <summary>Gets how many objects have been taken.</summary>
    public int Count => _taken.Count;

    /// <summary>Gives back the object that was taken last, where there are more than so many.</summary>
    public void GiveBack(int count)
    {
        if (_taken.Count > count)
        {
            _taken.RemoveLast();
        }
    }

    /// <summary>Forgets the objects at the end of a message.</summary>
    public void End()
    {
        _root = null;
        _taken.Clear();
        _free = this;
    }
}
