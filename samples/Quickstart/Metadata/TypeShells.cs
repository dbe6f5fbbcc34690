using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;

namespace Quickstart.Metadata;

/// <summary>
/// An empty node for every type and method definition: signatures, accessors and attributes refer to any of them
/// in any order, so all exist before the first is filled.
/// </summary>
internal sealed class TypeShells
{
    private TypeShells(TypeDefinitionNode[] types, MethodNode[] methods, IReadOnlyDictionary<string, TypeDefinitionNode> byName)
    {
        Types = types;
        Methods = methods;
        TypeNodes = new TypeNodeProvider(types, byName);
    }

    public TypeDefinitionNode[] Types { get; }

    public MethodNode[] Methods { get; }

    public TypeNodeProvider TypeNodes { get; }

    public static TypeShells Create(MetadataReader reader)
    {
        var types = new TypeDefinitionNode[reader.TypeDefinitions.Count];
        var byName = new Dictionary<string, TypeDefinitionNode>(types.Length);
        foreach (var handle in reader.TypeDefinitions)
        {
            var definition = reader.GetTypeDefinition(handle);
            var type = Create(reader, definition);
            type.Token = MetadataTokens.GetToken(handle);
            type.Name = reader.GetString(definition.Name);
            type.Flags = definition.Attributes;
            type.GenericParameters = GenericParameters(reader, type, definition.GetGenericParameters());
            types[Index(handle)] = type;
            byName.TryAdd(FullName(reader, definition), type);
        }

        var methods = new MethodNode[reader.MethodDefinitions.Count];
        foreach (var handle in reader.MethodDefinitions)
        {
            var definition = reader.GetMethodDefinition(handle);
            var method = new MethodNode
            {
                Token = MetadataTokens.GetToken(handle),
                Name = reader.GetString(definition.Name),
                Parent = types[Index(definition.GetDeclaringType())],
                Flags = definition.Attributes,
                Implementation = definition.ImplAttributes,
            };
            method.GenericParameters = GenericParameters(reader, method, definition.GetGenericParameters());
            methods[Index(handle)] = method;
        }

        var shells = new TypeShells(types, methods, byName);
        shells.FillEnums(reader);
        return shells;
    }

    public TypeDefinitionNode Type(TypeDefinitionHandle handle) => Types[Index(handle)];

    /// <summary>Null for the accessor that a property or an event lacks.</summary>
    public MethodNode? Method(MethodDefinitionHandle handle) => handle.IsNil ? null : Methods[Index(handle)];

    public TypeNode? TypeOf(EntityHandle handle, MetadataReader reader, GenericScope scope) => handle.Kind switch
    {
        _ when handle.IsNil => null,
        HandleKind.TypeDefinition => Type((TypeDefinitionHandle)handle),
        HandleKind.TypeReference => TypeNodes.GetTypeFromReference(reader, (TypeReferenceHandle)handle, 0),
        HandleKind.TypeSpecification => TypeNodes.GetTypeFromSpecification(reader, scope, (TypeSpecificationHandle)handle, 0),
        var kind => throw new BadImageFormatException($"{kind} is no type."),
    };

    // Attribute arguments that are enums cannot be decoded without it, and any type may carry such an attribute.
    private void FillEnums(MetadataReader reader)
    {
        foreach (var handle in reader.TypeDefinitions)
        {
            if (Type(handle) is EnumNode type)
            {
                var value = reader.GetTypeDefinition(handle).GetFields()
                    .Select(reader.GetFieldDefinition)
                    .Single(field => !field.Attributes.HasFlag(FieldAttributes.Static));
                type.UnderlyingType = (PrimitiveTypeNode)value.DecodeSignature(TypeNodes, new GenericScope([], []));
            }
        }
    }

    private static int Index(EntityHandle handle) => MetadataTokens.GetRowNumber(handle) - 1;

    private static List<GenericParameterNode> GenericParameters(
        MetadataReader reader, MetadataNode owner, GenericParameterHandleCollection handles)
    {
        var nodes = new List<GenericParameterNode>(handles.Count);
        foreach (var handle in handles)
        {
            var parameter = reader.GetGenericParameter(handle);
            nodes.Add(new GenericParameterNode
            {
                Token = MetadataTokens.GetToken(handle),
                Name = reader.GetString(parameter.Name),
                Parent = owner,
                Index = parameter.Index,
                Flags = parameter.Attributes,
            });
        }

        return nodes;
    }

    private static TypeDefinitionNode Create(MetadataReader reader, TypeDefinition definition)
    {
        if (definition.Attributes.HasFlag(TypeAttributes.Interface))
        {
            return new InterfaceNode();
        }

        string baseName = BaseName(reader, definition.BaseType);
        return baseName switch
        {
            // System.Enum derives from System.ValueType and is itself a class.
            "System.ValueType" when reader.GetString(definition.Name) != "Enum" => new StructNode(),
            "System.Enum" => new EnumNode(),
            "System.MulticastDelegate" => new DelegateNode(),
            _ => new ClassNode(),
        };
    }

    private static string BaseName(MetadataReader reader, EntityHandle handle)
    {
        if (handle.IsNil || handle.Kind == HandleKind.TypeSpecification)
        {
            return "";
        }

        if (handle.Kind == HandleKind.TypeDefinition)
        {
            return FullName(reader, reader.GetTypeDefinition((TypeDefinitionHandle)handle));
        }

        var reference = reader.GetTypeReference((TypeReferenceHandle)handle);
        return $"{reader.GetString(reference.Namespace)}.{reader.GetString(reference.Name)}";
    }

    private static string FullName(MetadataReader reader, TypeDefinition definition)
    {
        string name = reader.GetString(definition.Name);
        if (definition.IsNested)
        {
            return $"{FullName(reader, reader.GetTypeDefinition(definition.GetDeclaringType()))}+{name}";
        }

        return definition.Namespace.IsNil ? name : $"{reader.GetString(definition.Namespace)}.{name}";
    }
}
