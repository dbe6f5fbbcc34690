using System.Reflection;

namespace Quickstart.Metadata;

/// <summary>A type that the assembly defines, as opposed to one built from it in a signature.</summary>
public abstract class TypeDefinitionNode : TypeNode
{
    public TypeAttributes Flags { get; set; }

    public TypeNode? BaseType { get; set; }

    public List<TypeNode> Interfaces { get; set; } = [];

    public List<GenericParameterNode> GenericParameters { get; set; } = [];

    public List<MemberNode> Members { get; set; } = [];

    public List<TypeDefinitionNode> NestedTypes { get; set; } = [];
}

public sealed class ClassNode : TypeDefinitionNode;

public sealed class InterfaceNode : TypeDefinitionNode;

public sealed class DelegateNode : TypeDefinitionNode;

public sealed class StructNode : TypeDefinitionNode
{
    public int PackingSize { get; set; }

    public int Size { get; set; }
}

public sealed class EnumNode : TypeDefinitionNode
{
    public PrimitiveTypeNode? UnderlyingType { get; set; }
}
