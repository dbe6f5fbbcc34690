using System.Collections.Concurrent;
using Wire.Format;

namespace Wire.Unknown;

/// <summary>The members of a writer's schema that a class does not know. Shared by all objects that are read by that schema.</summary>
/// <param name="members">The members.</param>
/// <param name="names">The names that the writer gives to members of the class, where the class gives others.</param>
internal sealed class UnknownSchema(ShapeMember[] members, IReadOnlyDictionary<string, string> names)
{
    // How many sets of kept members are cached for a schema: which members of an object are kept may differ.
    private const int MaxLayouts = 16;

    private readonly Dictionary<string, UnknownLayout> _layouts = [];

    // A recursion to the object around the member means other members where that object is another version.
    private readonly bool[] _areWhole = Array.ConvertAll(members, member => !member.Shape.LeadsOut);

    /// <summary>Gets the members.</summary>
    public ShapeMember[] Members => members;

    /// <summary>Returns whether the layout of a member stands for itself, rather than for one that is around it.</summary>
    public bool IsWhole(int index) => _areWhole[index];

    /// <summary>Gets the layout of those members that are there.</summary>
    /// <param name="contents">The members.</param>
    /// <param name="others">The layouts of the message that are not remembered here, by their schemas and members.</param>
    public UnknownLayout LayoutOf(UnknownContent?[] contents, ConcurrentDictionary<(UnknownSchema, string), UnknownLayout> others)
    {
        string key = string.Concat(contents.Select(content => content is null ? '0' : '1'));
        lock (_layouts)
        {
            if (_layouts.TryGetValue(key, out UnknownLayout? known))
            {
                return known;
            }

            if (_layouts.Count < MaxLayouts)
            {
                UnknownLayout added = Create(contents);
                _layouts.Add(key, added);
                return added;
            }
        }

        return others.GetOrAdd((this, key), (_, of) => Create(of), contents);
    }

    private UnknownLayout Create(UnknownContent?[] contents) =>
        new(members, [.. Enumerable.Range(0, members.Length).Where(i => contents[i] is not null)], names);
}
