namespace Quickstart.Metadata;

/// <summary>Anything found in an assembly's metadata.</summary>
public abstract class MetadataNode
{
    /// <summary>The metadata token; zero for nodes that have no row of their own.</summary>
    public int Token { get; set; }

    public string Name { get; set; } = "";

    /// <summary>The node that owns this one; null for the root and for types built inside signatures, which many share.</summary>
    public MetadataNode? Parent { get; set; }

    /// <summary>Null when there are none, as for most nodes.</summary>
    public List<AttributeNode>? CustomAttributes { get; set; }
}
