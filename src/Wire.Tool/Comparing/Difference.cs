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
internal sealed record NodePair(NodePair? Around, NodePart Part, PayloadNode? First, PayloadNode? Second)
{
    // The innermost pair whose parts are enough for the beginning of a path: those of all pairs inside it are the same.
    private readonly NodePair? _first = Around?._count >= PathText.MostFirst ? Around._first ?? Around : null;
    private readonly int _count = Around is null ? 1 : Around._count + 1;
    private NodePart[]? _parts;

    /// <summary>Returns the path, plain.</summary>
    public string DescribePath() => PathText.Describe(_first?.Parts ?? Outward().Reverse(), Outward(), _count);

    private NodePart[] Parts => _parts ??= [.. Outward().Reverse()];

    private IEnumerable<NodePart> Outward()
    {
        for (NodePair? at = this; at is not null; at = at.Around)
        {
            yield return at.Part;
        }
    }
}

/// <summary>A difference.</summary>
/// <param name="Kind">The kind.</param>
/// <param name="Pair">The nodes.</param>
/// <param name="Reason">What differs, where it is not the value.</param>
internal readonly record struct Difference(DifferenceKind Kind, NodePair Pair, string? Reason);
