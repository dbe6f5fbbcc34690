namespace Quickstart.Metadata;

/// <summary>The root of the graph.</summary>
public sealed class AssemblyNode : MetadataNode
{
    public string Version { get; set; } = "";

    public Guid ModuleVersionId { get; set; }

    public Dictionary<string, NamespaceNode> Namespaces { get; set; } = [];
}

public sealed class NamespaceNode : MetadataNode
{
    public List<TypeDefinitionNode> Types { get; set; } = [];
}
