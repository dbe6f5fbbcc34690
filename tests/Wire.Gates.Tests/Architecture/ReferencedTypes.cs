using System.Collections.Immutable;
using System.Reflection.Metadata;

namespace Wire.Gates.Tests.Architecture;

/// <summary>Collects the types of an assembly that signatures of it name.</summary>
internal sealed class ReferencedTypes : ISignatureTypeProvider<ReferencedTypes?, object?>
{
    /// <summary>Gets the types that are defined in the assembly itself.</summary>
    public HashSet<TypeDefinitionHandle> Found { get; } = [];

    public ReferencedTypes? GetTypeFromDefinition(MetadataReader reader, TypeDefinitionHandle handle, byte rawTypeKind)
    {
        Found.Add(handle);
        return null;
    }

    public ReferencedTypes? GetTypeFromSpecification(
        MetadataReader reader, object? genericContext, TypeSpecificationHandle handle, byte rawTypeKind) =>
        reader.GetTypeSpecification(handle).DecodeSignature(this, genericContext);

    public ReferencedTypes? GetTypeFromReference(MetadataReader reader, TypeReferenceHandle handle, byte rawTypeKind) => null;

    public ReferencedTypes? GetPrimitiveType(PrimitiveTypeCode typeCode) => null;

    public ReferencedTypes? GetGenericInstantiation(ReferencedTypes? genericType, ImmutableArray<ReferencedTypes?> typeArguments) => null;

    public ReferencedTypes? GetArrayType(ReferencedTypes? elementType, ArrayShape shape) => null;

    public ReferencedTypes? GetSZArrayType(ReferencedTypes? elementType) => null;

    public ReferencedTypes? GetByReferenceType(ReferencedTypes? elementType) => null;

    public ReferencedTypes? GetPointerType(ReferencedTypes? elementType) => null;

    public ReferencedTypes? GetPinnedType(ReferencedTypes? elementType) => null;

    public ReferencedTypes? GetFunctionPointerType(MethodSignature<ReferencedTypes?> signature) => null;

    public ReferencedTypes? GetModifiedType(ReferencedTypes? modifier, ReferencedTypes? unmodifiedType, bool isRequired) => null;

    public ReferencedTypes? GetGenericTypeParameter(object? genericContext, int index) => null;

    public ReferencedTypes? GetGenericMethodParameter(object? genericContext, int index) => null;
}
