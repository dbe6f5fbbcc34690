using System.Runtime.Serialization;

namespace Bench;

/// <summary>A node of a binary tree that knows its parent, so that the graph has cycles.</summary>
[DataContract]
public sealed partial class TreeNode
{
    /// <summary>A number.</summary>
    [DataMember(Order = 0)]
    public int Id { get; set; }

    /// <summary>A short text.</summary>
    [DataMember(Order = 1)]
    public string Name { get; set; } = "";

    /// <summary>The node above; null for the root.</summary>
    [DataMember(Order = 2)]
    public TreeNode? Parent { get; set; }

    /// <summary>The lower half; null for a leaf.</summary>
    [DataMember(Order = 3)]
    public TreeNode? Left { get; set; }

    /// <summary>The upper half; null for a leaf.</summary>
    [DataMember(Order = 4)]
    public TreeNode? Right { get; set; }

    /// <summary>Makes a full tree.</summary>
    public static TreeNode Create(int levels)
    {
        int next = 0;
        return Create(levels, null);

        TreeNode Create(int levels, TreeNode? parent)
        {
            var node = new TreeNode { Id = next, Name = $"node {next}", Parent = parent };
            next++;
            if (levels > 1)
            {
                node.Left = Create(levels - 1, node);
                node.Right = Create(levels - 1, node);
            }

            return node;
        }
    }
}
