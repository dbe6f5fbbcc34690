using System.Collections.Immutable;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;

namespace Quickstart.Metadata;

/// <summary>Reads what hangs on every kind of node: literals, custom attributes, constraints.</summary>
internal sealed class ValueLoader(MetadataReader reader, TypeShells shells)
{
    public ConstantNode? Literal(MetadataNode owner, ConstantHandle handle)
    {
        if (handle.IsNil)
        {
            return null;
        }

        var constant = reader.GetConstant(handle);
        var value = ConstantFactory.Create(reader.GetBlobReader(constant.Value).ReadConstant(constant.TypeCode));
        value.Token = MetadataTokens.GetToken(handle);
        value.Parent = owner;
        return value;
    }

    public List<AttributeNode>? Attributes(MetadataNode owner, CustomAttributeHandleCollection handles) =>
        handles.Count == 0 ? null : [.. handles.Select(handle => Attribute(owner, handle))];

    public void Constrain(List<GenericParameterNode> parameters, GenericParameterHandleCollection handles, GenericScope scope)
    {
        foreach (var (parameter, handle) in parameters.Zip(handles))
        {
            var definition = reader.GetGenericParameter(handle);
            foreach (var constraint in definition.GetConstraints())
            {
                parameter.Constraints.Add(shells.TypeOf(reader.GetGenericParameterConstraint(constraint).Type, reader, scope)!);
            }

            parameter.CustomAttributes = Attributes(parameter, definition.GetCustomAttributes());
        }
    }

    private AttributeNode Attribute(MetadataNode owner, CustomAttributeHandle handle)
    {
        var definition = reader.GetCustomAttribute(handle);
        var arguments = definition.DecodeValue(shells.TypeNodes);
        var attribute = new AttributeNode { Token = MetadataTokens.GetToken(handle), Parent = owner, Type = TypeOf(definition) };
        foreach (var argument in arguments.FixedArguments)
        {
            attribute.Arguments.Add(Argument(attribute, "", argument.Type, argument.Value));
        }

        foreach (var argument in arguments.NamedArguments)
        {
            attribute.Arguments.Add(Argument(attribute, argument.Name!, argument.Type, argument.Value));
        }

        return attribute;
    }

    private TypeNode? TypeOf(CustomAttribute attribute) => attribute.Constructor.Kind == HandleKind.MethodDefinition
        ? (TypeNode?)shells.Method((MethodDefinitionHandle)attribute.Constructor)!.Parent
        : shells.TypeOf(
            reader.GetMemberReference((MemberReferenceHandle)attribute.Constructor).Parent, reader, new GenericScope([], []));

    private static ConstantNode Argument(AttributeNode owner, string name, TypeNode type, object? value)
    {
        ConstantNode constant = value switch
        {
            TypeNode named => new TypeConstant { Value = named },
            ImmutableArray<CustomAttributeTypedArgument<TypeNode>> items => new ArrayConstant
            {
                Items = [.. items.Select(item => Argument(owner, "", item.Type, item.Value))],
            },
            _ => ConstantFactory.Create(value),
        };
        constant.Name = name;
        constant.Parent = owner;
        constant.Type = type;
        return constant;
    }
}
