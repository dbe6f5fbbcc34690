using Wire.Sessions.Objects;

namespace Wire.Sessions;

/// <summary>The actions that need complete objects, and wait until the cycle that these are in is complete.</summary>
/// <remarks>Such as adding a key to a hashed or sorted collection, where the key or the comparer leads to an object around it.</remarks>
internal sealed class WaitingActions
{
    private readonly List<(int Lowest, Action Action)> _actions = [];

    /// <summary>Gets whether there is any.</summary>
    public bool Any => _actions.Count > 0;

    /// <summary>Gets the number of them.</summary>
    public int Count => _actions.Count;

    /// <summary>Defers an action until a cycle is complete.</summary>
    /// <param name="lowest">The number of the outermost object of the cycle, or <see cref="ReadObjects.EndOfMessage"/>.</param>
    /// <param name="action">The action.</param>
    public void Add(int lowest, Action action) => _actions.Add((lowest, action));

    /// <summary>Performs those that wait for an object or one inside it, in the order of deferral: deeper objects came first.</summary>
    public void Do(int lowest)
    {
        // What waits for a cycle was deferred after its outermost object began, and none of it waits for an object further out.
        int first = _actions.Count;
        while (first > 0 && _actions[first - 1].Lowest >= lowest)
        {
            first--;
        }

        if (first < _actions.Count)
        {
            List<(int Lowest, Action Action)> due = _actions[first..];
            _actions.RemoveRange(first, due.Count);
            due.ForEach(waiting => waiting.Action());
        }
    }

    /// <summary>Forgets all.</summary>
    public void Clear() => _actions.Clear();
}
