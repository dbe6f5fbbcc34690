namespace Wire.Types;

/// <summary>The members of a serializer's types by number, which is how a path keeps them. Thread-safe.</summary>
internal sealed class MemberNumbers
{
    private readonly List<(string Owner, string Name)> _members = [];
    private readonly Dictionary<(string Owner, string Name), int> _numbers = [];

    /// <summary>Gets the name of the type that declares a member, and the member's own.</summary>
    public (string Owner, string Name) this[int number]
    {
        get
        {
            lock (_members)
            {
                return _members[number];
            }
        }
    }

    /// <summary>Takes a number for a member, by which error messages find it.</summary>
    /// <param name="owner">The name of the type that declares it: the type may be unloaded.</param>
    /// <param name="name">The member's name on the wire.</param>
    public int Add(string owner, string name)
    {
        lock (_members)
        {
            if (!_numbers.TryGetValue((owner, name), out int number))
            {
                number = _members.Count;
                _members.Add((owner, name));
                _numbers.Add((owner, name), number);
            }

            return number;
        }
    }
}
