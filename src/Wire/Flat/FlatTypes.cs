using System.Runtime.CompilerServices;
using Wire.Format;
using Wire.Sessions;
using Wire.Types;

namespace Wire.Flat;

/// <summary>
/// The types that the reader of a flat message knows. In a standalone message they are those that it has defined so far: their order is
/// their identifiers. In a message of a session they are those of the session, and it defines none.
/// </summary>
internal struct FlatTypes
{
    /// <summary>The maximal number of types that the parts of a standalone message define.</summary>
    public const int Most = 8;

    /// <summary>The result of <see cref="TagOf"/> for a type that has been added: its definition follows.</summary>
    public const int IsNew = 0;

    private readonly WrittenTypes? _written;
    private readonly DeserializerSession? _reading;
    private readonly int _first;
    private int _count;
    private Identities _types;
    private Tags _tags;

    /// <summary>The types of a standalone message.</summary>
    /// <param name="before">The number of types in front of the root's members.</param>
    public FlatTypes(int before)
    {
        // The arrays are filled before they are read.
        Unsafe.SkipInit(out this);
        _written = null;
        _reading = null;
        _first = Tag.FirstShortIdentifier + before;
        _count = 0;
    }

    /// <summary>The types of a session that writes.</summary>
    public FlatTypes(WrittenTypes written)
        : this(0) => _written = written;

    /// <summary>The types of a session that reads.</summary>
    public FlatTypes(DeserializerSession reading)
        : this(0) => _reading = reading;

    /// <summary>
    /// Finds the byte that stands for a type, or takes the next identifier for it: then it <see cref="IsNew"/>. Negative when only a
    /// session can define it.
    /// </summary>
    public int TagOf(TypeEntry entry)
    {
        nint type = entry.Identity;
        for (int i = 0; i < _count; i++)
        {
            if (_types[i] == type)
            {
                return _tags[i];
            }
        }

        if (_written is null)
        {
            Note(type, (byte)(_first + _count));
            return IsNew;
        }

        if (!_written.TryGetTag(entry, entry.Type, out byte tag))
        {
            return -1;
        }

        Note(type, tag);
        return tag;
    }

    /// <summary>Says whether a byte stands for a type in a position that declares it.</summary>
    public bool Is(byte tag, TypeEntry entry)
    {
        nint type = entry.Identity;
        for (int i = 0; i < _count; i++)
        {
            if (_tags[i] == tag)
            {
                return _types[i] == type;
            }
        }

        if (_reading is null || !ReferenceEquals(_reading.FindFitting(tag, entry.Type), entry.Serializer))
        {
            return false;
        }

        Note(type, tag);
        return true;
    }

    /// <summary>
    /// Takes the next identifier for a type that a message defines; false when it has one already, or belongs to a session.
    /// </summary>
    public bool TryDefine(TypeEntry entry) => _reading is null && TagOf(entry) == IsNew;

    // There are no more types than the bounds of the root's type say.
    private void Note(nint type, byte tag)
    {
        _types[_count] = type;
        _tags[_count++] = tag;
    }

    [InlineArray(Most)]
    private struct Identities
    {
        public nint First;
    }

    [InlineArray(Most)]
    private struct Tags
    {
        public byte First;
    }
}
