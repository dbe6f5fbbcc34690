using System.ComponentModel;
using System.Runtime.CompilerServices;
using Wire.Compilation.Flat;
using Wire.Compilation.Flat.Parts;
using Wire.Sessions;
using Wire.Values;

namespace Wire;

/// <summary>The state that the parts of one flat message share while it is written. Its members may change with any release.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public ref struct FlatOutput
{
    /// <summary>The next identifier of a standalone message.</summary>
    internal int NextType;

    /// <summary>The bytes that stand for the types of objects in it.</summary>
    internal FlatTags Tags;

    /// <summary>The types that a session's reader knows; null for a standalone message.</summary>
    internal readonly WrittenTypes? Known;

    /// <summary>The byte that stands for the type of the elements.</summary>
    internal readonly byte Element;

    private readonly int _maxText;

    /// <summary>A whole message.</summary>
    internal FlatOutput(int types, WrittenTypes? known)
    {
        NextType = types;
        Known = known;
        _maxText = FlatText.TooLong;
    }

    /// <summary>Elements in a message that counts: long text is not flat.</summary>
    internal FlatOutput(byte element)
    {
        Element = element;
        _maxText = StringFormat.MaxShortLength;
    }

    /// <summary>Returns how much room text takes at most, behind its header.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal readonly int RoomOf(string? text)
    {
        int length = text is null ? 0 : text.Length;
        if (length > _maxText)
        {
            length = FlatText.TooLong;
        }

        return length * sizeof(char);
    }
}
