using System.Reflection;
using System.Reflection.Metadata;

namespace Quickstart.Metadata;

public sealed class ParameterNode : MetadataNode
{
    public int Position { get; set; }

    public ParameterAttributes Flags { get; set; }

    public TypeNode? Type { get; set; }

    public ConstantNode? DefaultValue { get; set; }
}

/// <summary>
/// The shape of a method's body; its instructions are left out, being one opaque block that says nothing about a serializer.
/// </summary>
public sealed class MethodBodyNode : MetadataNode
{
    public int CodeSize { get; set; }

    public int MaxStack { get; set; }

    public bool InitializesLocals { get; set; }

    public TypeNode[] Locals { get; set; } = [];

    public List<ExceptionRegionNode> ExceptionRegions { get; set; } = [];
}

public sealed class ExceptionRegionNode : MetadataNode
{
    public ExceptionRegionKind Kind { get; set; }

    public int TryOffset { get; set; }

    public int TryLength { get; set; }

    public int HandlerOffset { get; set; }

    public int HandlerLength { get; set; }

    public TypeNode? CatchType { get; set; }
}
