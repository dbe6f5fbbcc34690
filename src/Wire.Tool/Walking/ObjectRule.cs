namespace Wire.Tool.Walking;

/// <summary>Tells objects from values that lie inside of others, by their bytes.</summary>
internal static class ObjectRule
{
    // Tags of clause 3 of the format: the declared type, and a new object.
    private const byte Declared = 0x04;
    private const byte NewObject = 0x2F;

    /// <summary>Says whether a node is an object that <see cref="Limits.MaxObjects"/> counts.</summary>
    public static bool IsObject(PayloadNode node)
    {
        if (node.Kind is PayloadKind.Null or PayloadKind.Reference || node.Length == 0)
        {
            return false;
        }

        if (node.Type is not null)
        {
            return true;
        }

        if (node.Kind == PayloadKind.Scalar)
        {
            return false;
        }

        byte first = node.RawBytes.Span[0];
        return node.TypeName is not null || first == NewObject || (first == Declared && NodeFacts.HeadOf(node) > InlineHeadOf(node));
    }

    // The bytes in front of the first part where no tag is.
    private static int InlineHeadOf(PayloadNode node) => node.Kind switch
    {
        PayloadKind.Members => 0,
        PayloadKind.Union => 1,
        PayloadKind.Sequence => NodeFacts.VarintSize(node.Count) + (NodeFacts.IsOfBytes(node) ? node.Count : 0),
        PayloadKind.Set or PayloadKind.Map => 1 + NodeFacts.VarintSize(node.Count),
        _ => 0,
    };
}
