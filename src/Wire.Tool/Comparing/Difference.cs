using Wire.Tool.Walking;

namespace Wire.Tool.Comparing;

/// <summary>The kind of a difference: what stands in front of its line.</summary>
internal enum DifferenceKind
{
    Changed = '~',
    OnlyInFirst = '-',
    OnlyInSecond = '+',
}

/// <summary>Two nodes that are to be compared, or one that the other side does not have.</summary>
/// <param name="Around">The pair around it.</param>
/// <param name="Part">Its part of that.</param>
/// <param name="First">The node of the first payload.</param>
/// <param name="Second">The node of the second one.</param>
internal sealed record NodePair(NodePair? Around, NodePart Part, PayloadNode? First, PayloadNode? Second);

/// <summary>A difference.</summary>
/// <param name="Kind">The kind.</param>
/// <param name="Pair">The nodes.</param>
/// <param name="Reason">What differs, where it is not the value.</param>
internal readonly record struct Difference(DifferenceKind Kind, NodePair Pair, string? Reason);
