namespace Wire.Types;

/// <summary>The members of a serializer's types by number, which is how a path keeps them. Thread-safe.</summary>
internal sealed class MemberNumbers
{
    // Of strings: other collections would have to be compiled for the first message.
    private readonly List<string> _owners = [];
    private readonly List<string> _names = [];
    private readonly Dictionary<string, int> _numbers = [];

    /// <summary>Gets the name of the type that declares a member, and the member's own.</summary>
    public (string Owner, string Name) this[int number]
    {
        get
        {
            lock (_names)
            {
                return (_owners[number], _names[number]);
            }
        }
    }

    /// <summary>Takes a number for a member, by which error messages find it.</summary>
    /// <param name="owner">The name of the type that declares it: the type may be unloaded.</param>
    /// <param name="name">The member's name on the wire.</param>
    public int Add(string owner, string name)
    {
        string key = $"{owner}\n{name}";
        lock (_names)
        {
            if (!_numbers.TryGetValue(key, out int number))
            {
                number = _names.Count;
                _owners.Add(owner);
                _names.Add(name);
                _numbers.Add(key, number);
            }

            return number;
        }
    }
}
