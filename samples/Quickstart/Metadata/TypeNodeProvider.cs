using System.Collections.Immutable;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;

namespace Quickstart.Metadata;

/// <summary>The generic parameters that a signature may name by number.</summary>
internal readonly record struct GenericScope(List<GenericParameterNode> OfType, List<GenericParameterNode> OfMethod);

/// <summary>Turns signatures into type nodes, the same node for the same type every time.</summary>
internal sealed class TypeNodeProvider(TypeDefinitionNode[] definitions, IReadOnlyDictionary<string, TypeDefinitionNode> definitionsByName)
    : ISignatureTypeProvider<TypeNode, GenericScope>, ICustomAttributeTypeProvider<TypeNode>
{
    private readonly Dictionary<string, TypeNode> _types = [];
    private readonly Dictionary<TypeNode, int> _numbers = new(ReferenceEqualityComparer.Instance);

    public TypeNode GetPrimitiveType(PrimitiveTypeCode typeCode) =>
        Intern($"primitive {typeCode}", () => new PrimitiveTypeNode { Name = typeCode.ToString(), Code = typeCode });

    public TypeNode GetTypeFromDefinition(MetadataReader reader, TypeDefinitionHandle handle, byte rawTypeKind) =>
        definitions[MetadataTokens.GetRowNumber(handle) - 1];

    public TypeNode GetTypeFromReference(MetadataReader reader, TypeReferenceHandle handle, byte rawTypeKind)
    {
        var reference = reader.GetTypeReference(handle);
        return GetTypeFromSerializedName($"{reader.GetString(reference.Namespace)}.{reader.GetString(reference.Name)}");
    }

    public TypeNode GetTypeFromSpecification(
        MetadataReader reader, GenericScope genericContext, TypeSpecificationHandle handle, byte rawTypeKind) =>
        reader.GetTypeSpecification(handle).DecodeSignature(this, genericContext);

    public TypeNode GetTypeFromSerializedName(string name)
    {
        string typeName = name.Split(',', 2)[0];
        return definitionsByName.TryGetValue(typeName, out var definition)
            ? definition
            : Intern($"reference {name}", () => new TypeReferenceNode { Name = name });
    }

    public TypeNode GetSystemType() => GetTypeFromSerializedName("System.Type");

    public bool IsSystemType(TypeNode type) => type == GetSystemType();

    public PrimitiveTypeCode GetUnderlyingEnumType(TypeNode type) => ((EnumNode)type).UnderlyingType!.Code;

    public TypeNode GetGenericTypeParameter(GenericScope genericContext, int index) => genericContext.OfType[index];

    public TypeNode GetGenericMethodParameter(GenericScope genericContext, int index) => genericContext.OfMethod[index];

    public TypeNode GetSZArrayType(TypeNode elementType) => Array(elementType, 1, "[]");

    public TypeNode GetArrayType(TypeNode elementType, ArrayShape shape) =>
        Array(elementType, shape.Rank, shape.Rank == 1 ? "[*]" : $"[{new string(',', shape.Rank - 1)}]");

    public TypeNode GetPointerType(TypeNode elementType) =>
        Intern($"{Number(elementType)}*", () => new PointerTypeNode { Name = $"{elementType.Name}*", Element = elementType });

    public TypeNode GetByReferenceType(TypeNode elementType) =>
        Intern($"{Number(elementType)}&", () => new ByReferenceTypeNode { Name = $"{elementType.Name}&", Element = elementType });

    public TypeNode GetPinnedType(TypeNode elementType) =>
        Intern($"pinned {Number(elementType)}", () => new PinnedTypeNode { Name = $"pinned {elementType.Name}", Element = elementType });

    public TypeNode GetModifiedType(TypeNode modifier, TypeNode unmodifiedType, bool isRequired) =>
        Intern($"{Number(unmodifiedType)} {isRequired} {Number(modifier)}", () => new ModifiedTypeNode
        {
            Name = $"{unmodifiedType.Name} {(isRequired ? "modreq" : "modopt")}({modifier.Name})",
            Element = unmodifiedType,
            Modifier = modifier,
            IsRequired = isRequired,
        });

    public TypeNode GetGenericInstantiation(TypeNode genericType, ImmutableArray<TypeNode> typeArguments) =>
        Intern($"{Number(genericType)}<{Numbers(typeArguments)}>", () => new GenericInstanceNode
        {
            Name = $"{genericType.Name}<{Names(typeArguments)}>",
            Definition = genericType,
            Arguments = [.. typeArguments],
        });

    public TypeNode GetFunctionPointerType(MethodSignature<TypeNode> signature) =>
        Intern($"{signature.Header} {Number(signature.ReturnType)}({Numbers(signature.ParameterTypes)})", () => new FunctionPointerNode
        {
            Name = $"method {signature.ReturnType.Name} *({Names(signature.ParameterTypes)})",
            CallingConvention = signature.Header.CallingConvention,
            ReturnType = signature.ReturnType,
            Parameters = [.. signature.ParameterTypes],
        });

    private static string Names(ImmutableArray<TypeNode> types) => string.Join(", ", types.Select(type => type.Name));

    private TypeNode Array(TypeNode element, int rank, string suffix) =>
        Intern($"{Number(element)}{suffix}", () => new ArrayTypeNode { Name = element.Name + suffix, Element = element, Rank = rank });

    // Names alone are ambiguous (nested types, generic parameters), so keys are built from numbers given on first sight.
    private int Number(TypeNode type)
    {
        if (!_numbers.TryGetValue(type, out int number))
        {
            number = _numbers.Count;
            _numbers.Add(type, number);
        }

        return number;
    }

    private string Numbers(ImmutableArray<TypeNode> types) => string.Join(',', types.Select(Number));

    private TypeNode Intern(string key, Func<TypeNode> create)
    {
        if (!_types.TryGetValue(key, out var type))
        {
            type = create();
            _types.Add(key, type);
        }

        return type;
    }
}
