namespace Wire.Compilation.Flat.Parts;

/// <summary>A value serializer of pairs that can be written by flat code of which nothing is emitted.</summary>
internal interface IFlatPairs
{
    /// <summary>Makes the code for a pair, of which the key is flat.</summary>
    /// <param name="value">The code for the value.</param>
    FlatPart CreateFlatPart(FlatPart value);
}
