namespace Bench;

/// <summary>A node of a binary tree that knows its parent, so that the graph has cycles.</summary>
public sealed partial class TreeNode
{
    /// <summary>A number.</summary>
    public int Id { get; set; }

    /// <summary>A short text.</summary>
    public string Name { get; set; } = "";

    /// <summary>The node above; null for the root.</summary>
    public TreeNode? Parent { get; set; }

    /// <summary>The lower half; null for a leaf.</summary>
    public TreeNode? Left { get; set; }

    /// <summary>The upper half; null for a leaf.</summary>
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
