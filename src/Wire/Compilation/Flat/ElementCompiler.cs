using System.Diagnostics.CodeAnalysis;
using Wire.Flat;
using Wire.Runtime;
using Wire.Slots;

namespace Wire.Compilation.Flat;

/// <summary>Makes the flat code for the elements of collections.</summary>
[RequiresUnreferencedCode(TrimmingAdvice.Inside)]
internal static class ElementCompiler
{
    /// <summary>Makes the code for elements; null where there is none.</summary>
    public static FlatElements? TryCreate(ValueSerializer element)
    {
        var pair = element as IPairSerializer;
        return (pair is null ? element : FlatScope.IsFlat(pair.Key) ? pair.Value : null)
            is IObjectSlot { ExactEntry: { Prefix: null, Serializer.Flat: { IsLeaf: true } flat } entry } slot
            && (pair is null || flat.TakesPairs(element))
            ? new FlatElements(slot, entry, pair is null ? null : element)
            : null;
    }
}
