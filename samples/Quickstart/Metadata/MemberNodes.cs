using System.Reflection;
using System.Reflection.Metadata;

namespace Quickstart.Metadata;

public abstract class MemberNode : MetadataNode;

public sealed class FieldNode : MemberNode
{
    public FieldAttributes Flags { get; set; }

    public int Offset { get; set; }

    public TypeNode? Type { get; set; }

    public ConstantNode? Value { get; set; }
}

public sealed class MethodNode : MemberNode
{
    public MethodAttributes Flags { get; set; }

    public MethodImplAttributes Implementation { get; set; }

    public SignatureCallingConvention CallingConvention { get; set; }

    public List<GenericParameterNode> GenericParameters { get; set; } = [];

    public TypeNode? ReturnType { get; set; }

    public List<ParameterNode> Parameters { get; set; } = [];

    public MethodBodyNode? Body { get; set; }
}

public sealed class PropertyNode : MemberNode
{
    public PropertyAttributes Flags { get; set; }

    public TypeNode? Type { get; set; }

    public MethodNode? Getter { get; set; }

    public MethodNode? Setter { get; set; }
}

public sealed class EventNode : MemberNode
{
    public EventAttributes Flags { get; set; }

    public TypeNode? Type { get; set; }

    public MethodNode? Adder { get; set; }

    public MethodNode? Remover { get; set; }
}
