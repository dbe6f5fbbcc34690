using Wire.Types;

namespace Wire.Compilation.Flat.Parts;

/// <summary>A value serializer whose values can be parts of flat messages without emitted code, but for objects and structs.</summary>
internal interface IFlatSlot
{
    /// <summary>Makes the code for a variable; null when its values are not flat.</summary>
    FlatPart? CreateFlatPart();
}

/// <summary>A value serializer of arrays or lists that can be parts of flat messages without emitted code.</summary>
internal interface IFlatSequence
{
    /// <summary>Makes the code for a variable; null when the elements are not flat.</summary>
    /// <param name="entry">The type of the collection.</param>
    /// <param name="parts">What makes the code for the elements.</param>
    FlatPart? CreateFlatPart(TypeEntry entry, FlatParts parts);
}
