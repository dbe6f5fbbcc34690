using System.Collections.Concurrent;
using System.Globalization;
using Wire.Unknown;

namespace Wire;

/// <summary>
/// The members of an object that its class does not know, as they came: see <see cref="IUnknownMembers"/>. It says which they are, and
/// their content is for serializers only. Nothing in it has been judged by the <see cref="WireTypeFilter"/>, and no type in it is known or
/// loaded. Immutable and thread-safe.
/// </summary>
public sealed class UnknownMembers
{
    private readonly UnknownSchema _schema;
    private readonly UnknownContent?[] _contents;
    private readonly ConcurrentDictionary<(UnknownSchema, string), UnknownLayout> _layouts;
    private UnknownLayout? _layout;

    internal UnknownMembers(UnknownSchema schema, ConcurrentDictionary<(UnknownSchema, string), UnknownLayout> layouts)
    {
        (_schema, _layouts) = (schema, layouts);
        _contents = new UnknownContent?[schema.Members.Length];
    }

    /// <summary>Gets the names of the members that are kept, in the payload's order.</summary>
    public IReadOnlyList<string> Names => NamesOf(areKept: true);

    /// <summary>
    /// Gets the names of the members that could not be kept, because they mean nothing outside of the payload that they came in: those
    /// with a value that a user's value serializer has written, those with an async sequence, and those that share an object, other than
    /// one of a class with members, with a member that the program knows.
    /// </summary>
    public IReadOnlyList<string> Dropped => NamesOf(areKept: false);

    /// <summary>Gets the number of bytes of the kept values, without the definitions of their types.</summary>
    public long Size => _contents.Sum(content => content?.Size ?? 0);

    /// <summary>Returns the names of the members, each with what its values look like, and those that could not be kept.</summary>
    public override string ToString() => string.Join("; ", _schema.Members.Select(
        (member, i) => string.Create(CultureInfo.InvariantCulture, $"{member.Name}: {(_contents[i] is null ? "dropped" : member.Shape)}")));

    /// <summary>Gets whether there is nothing to write.</summary>
    internal bool IsEmpty => Array.TrueForAll(_contents, content => content is null);

    /// <summary>Gets the number of members, those included that could not be kept.</summary>
    internal int Count => _contents.Length;

    /// <summary>Returns members of the same schema, without their contents.</summary>
    internal UnknownMembers Emptied() => new(_schema, _layouts);

    /// <summary>Gets whether two objects may have it, because no object in it could be taken for one that they share.</summary>
    internal bool IsShareable => Array.TrueForAll(_contents, content => content is not { HasIdentities: true });

    /// <summary>The members that are kept.</summary>
    internal UnknownLayout Layout => _layout ??= _schema.LayoutOf(_contents, _layouts);

    /// <summary>Gets the content of a member; null when it could not be kept.</summary>
    /// <param name="index">The member's index in its schema.</param>
    internal UnknownContent? Content(int index) => _contents[index];

    /// <summary>Sets the content of a member, while its message is being read.</summary>
    internal void Set(int index, UnknownContent? content) => _contents[index] = content;

    /// <summary>Returns whether a member holds an object that cannot be carried over.</summary>
    /// <param name="isMissing">True if something of its message is missing.</param>
    internal bool HoldsLost(bool isMissing) => Array.Exists(_contents, content => content?.HoldsLost(isMissing) == true);

    /// <summary>Drops the members that hold an object which cannot be carried over, where something of their message is missing.</summary>
    internal void DropLost()
    {
        _layout = null;
        for (int i = 0; i < _contents.Length; i++)
        {
            if (_contents[i]?.HoldsLost(isMissing: true) == true)
            {
                _contents[i] = null;
            }
        }
    }

    private string[] NamesOf(bool areKept) =>
        [.. _schema.Members.Where((_, i) => _contents[i] is not null == areKept).Select(member => member.Name)];
}
