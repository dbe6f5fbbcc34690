using System.Numerics;

namespace Wire.Tool.Walking;

/// <summary>Facts that nodes say about themselves.</summary>
internal static class NodeFacts
{
    /// <summary>Returns whether a node is a sequence of bytes, which is shown and measured as a whole.</summary>
    public static bool IsOfBytes(PayloadNode node)
    {
        if (node.Kind != PayloadKind.Sequence || node.Count == 0)
        {
            return false;
        }

        PayloadNode first = node[0];
        return first.Length == 1 && first.ScalarType == typeof(byte) && first.Type is null;
    }

    /// <summary>Returns the name of a node's type, plain; null where the payload says none.</summary>
    public static string? NameOf(PayloadNode node) => node.Type is { } type
        ? type.IsNamed ? Running.PlainText.Show(type.ToString()) : null
        : node.TypeName is { } name && name.StartsWith("System.", StringComparison.Ordinal) ? name["System.".Length..] : node.TypeName;

    /// <summary>Returns the number of bytes in front of the first part of a node; all bytes of one without parts.</summary>
    public static int HeadOf(PayloadNode node)
    {
        if (!IsOfBytes(node) && Level.TryEnter(node, out Level? level))
        {
            using (level)
            {
                if (level.MoveNext(out PayloadNode first, out _))
                {
                    return first.Offset - node.Offset;
                }
            }
        }

        return node.Length;
    }

    /// <summary>Returns the number of bytes of a variable-length integer.</summary>
    public static int VarintSize(long number) => (BitOperations.Log2((ulong)Math.Max(number, 1)) / 7) + 1;
}
