using System.ComponentModel;
using Wire.Compilation.Flat.Parts;

namespace Wire;

/// <summary>The state that the parts of one flat message share while it is read. Its members may change with any release.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public ref struct FlatInput
{
    /// <summary>The next identifier of a standalone message.</summary>
    internal int NextType;

    /// <summary>The bytes that stand for the types of objects in it.</summary>
    internal FlatTags Tags;

    /// <summary>The session that the message belongs to; null for a standalone one.</summary>
    internal readonly DeserializerSession? Session;

    /// <summary>The byte that stands for the type of the elements.</summary>
    internal readonly byte Element;

    /// <summary>True if long text is counted, and not read here.</summary>
    internal readonly bool CountsText;

    /// <summary>A whole message.</summary>
    internal FlatInput(int types, DeserializerSession? session)
    {
        NextType = types;
        Session = session;
    }

    /// <summary>Elements in a message that counts.</summary>
    internal FlatInput(byte element)
    {
        Element = element;
        CountsText = true;
    }
}
