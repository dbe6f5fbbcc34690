using System.Runtime.CompilerServices;

namespace Wire.Compilation.Flat.Parts;

/// <summary>The bytes that stand for the types of objects in a flat message, 0 where one has none yet.</summary>
[InlineArray(FlatScope.MaxObjects)]
internal struct FlatTags
{
    private byte _first;
}
