namespace Quickstart.Metadata;

/// <summary>A value written in metadata: a literal, a default, an argument of an attribute.</summary>
public abstract class ConstantNode : MetadataNode
{
    public TypeNode? Type { get; set; }
}

public sealed class Constant<T> : ConstantNode
{
    public T? Value { get; set; }
}

public sealed class TypeConstant : ConstantNode
{
    public TypeNode? Value { get; set; }
}

public sealed class ArrayConstant : ConstantNode
{
    public List<ConstantNode>? Items { get; set; }
}

public sealed class AttributeNode : MetadataNode
{
    public TypeNode? Type { get; set; }

    public List<ConstantNode> Arguments { get; set; } = [];
}
