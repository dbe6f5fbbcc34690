using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;

namespace Quickstart.Metadata;

/// <summary>Fills type nodes with what the assembly says about them.</summary>
internal sealed class TypeLoader(MetadataReader reader, TypeShells shells, ValueLoader values, MethodLoader methods)
{
    public void Fill(TypeDefinitionHandle handle)
    {
        var definition = reader.GetTypeDefinition(handle);
        var type = shells.Type(handle);
        var scope = new GenericScope(type.GenericParameters, []);

        type.BaseType = shells.TypeOf(definition.BaseType, reader, scope);
        foreach (var implemented in definition.GetInterfaceImplementations())
        {
            type.Interfaces.Add(shells.TypeOf(reader.GetInterfaceImplementation(implemented).Interface, reader, scope)!);
        }

        values.Constrain(type.GenericParameters, definition.GetGenericParameters(), scope);
        type.Members.AddRange(definition.GetFields().Select(field => Field(type, reader.GetFieldDefinition(field), field, scope)));
        type.Members.AddRange(definition.GetMethods().Select(method => methods.Fill(method, type)));
        type.Members.AddRange(definition.GetProperties().Select(property => Property(type, property, scope)));
        type.Members.AddRange(definition.GetEvents().Select(raised => Event(type, raised, scope)));
        type.CustomAttributes = values.Attributes(type, definition.GetCustomAttributes());

        if (type is StructNode structure && !definition.GetLayout().IsDefault)
        {
            structure.PackingSize = definition.GetLayout().PackingSize;
            structure.Size = definition.GetLayout().Size;
        }
    }

    private FieldNode Field(TypeDefinitionNode parent, FieldDefinition definition, FieldDefinitionHandle handle, GenericScope scope)
    {
        var field = new FieldNode
        {
            Token = MetadataTokens.GetToken(handle),
            Name = reader.GetString(definition.Name),
            Parent = parent,
            Flags = definition.Attributes,
            Offset = definition.GetOffset(),
            Type = definition.DecodeSignature(shells.TypeNodes, scope),
        };
        field.Value = values.Literal(field, definition.GetDefaultValue());
        field.CustomAttributes = values.Attributes(field, definition.GetCustomAttributes());
        return field;
    }

    private PropertyNode Property(TypeDefinitionNode parent, PropertyDefinitionHandle handle, GenericScope scope)
    {
        var definition = reader.GetPropertyDefinition(handle);
        var accessors = definition.GetAccessors();
        var property = new PropertyNode
        {
            Token = MetadataTokens.GetToken(handle),
            Name = reader.GetString(definition.Name),
            Parent = parent,
            Flags = definition.Attributes,
            Type = definition.DecodeSignature(shells.TypeNodes, scope).ReturnType,
            Getter = shells.Method(accessors.Getter),
            Setter = shells.Method(accessors.Setter),
        };
        property.CustomAttributes = values.Attributes(property, definition.GetCustomAttributes());
        return property;
    }

    private EventNode Event(TypeDefinitionNode parent, EventDefinitionHandle handle, GenericScope scope)
    {
        var definition = reader.GetEventDefinition(handle);
        var accessors = definition.GetAccessors();
        var raised = new EventNode
        {
            Token = MetadataTokens.GetToken(handle),
            Name = reader.GetString(definition.Name),
            Parent = parent,
            Flags = definition.Attributes,
            Type = shells.TypeOf(definition.Type, reader, scope),
            Adder = shells.Method(accessors.Adder),
            Remover = shells.Method(accessors.Remover),
        };
        raised.CustomAttributes = values.Attributes(raised, definition.GetCustomAttributes());
        return raised;
    }
}
