using System.Reflection;
using System.Reflection.Metadata;

namespace Quickstart.Metadata;

/// <summary>A type as signatures mention it; one node serves every signature that mentions the same type.</summary>
public abstract class TypeNode : MetadataNode;

public sealed class PrimitiveTypeNode : TypeNode
{
    public PrimitiveTypeCode Code { get; set; }
}

/// <summary>A type of another assembly, or one known by name only.</summary>
public sealed class TypeReferenceNode : TypeNode;

public sealed class GenericParameterNode : TypeNode
{
    public int Index { get; set; }

    public GenericParameterAttributes Flags { get; set; }

    public List<TypeNode> Constraints { get; set; } = [];
}

public sealed class GenericInstanceNode : TypeNode
{
    public TypeNode? Definition { get; set; }

    public TypeNode[] Arguments { get; set; } = [];
}

public sealed class FunctionPointerNode : TypeNode
{
    public SignatureCallingConvention CallingConvention { get; set; }

    public TypeNode? ReturnType { get; set; }

    public TypeNode[] Parameters { get; set; } = [];
}

/// <summary>A type that adds one thing to another type.</summary>
public abstract class ElementTypeNode : TypeNode
{
    public TypeNode? Element { get; set; }
}

public sealed class PointerTypeNode : ElementTypeNode;

public sealed class ByReferenceTypeNode : ElementTypeNode;

public sealed class PinnedTypeNode : ElementTypeNode;

public sealed class ArrayTypeNode : ElementTypeNode
{
    public int Rank { get; set; }
}

public sealed class ModifiedTypeNode : ElementTypeNode
{
    public TypeNode? Modifier { get; set; }

    public bool IsRequired { get; set; }
}
