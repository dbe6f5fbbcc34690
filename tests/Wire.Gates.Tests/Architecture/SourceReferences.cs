using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;

namespace Wire.Gates.Tests.Architecture;

/// <summary>
/// The references between the source files of an assembly, as they were compiled: base types, fields, signatures, and all that method
/// bodies name. Nested types and those that the compiler makes count to their outermost one, files that share a type count as the first
/// of them. Constants leave no trace in what uses them, and attributes are left out.
/// </summary>
internal sealed class SourceReferences
{
    // Of the portable PDB: the documents of types that have no code.
    private static readonly Guid TypeDocuments = new("932E74BC-DBA9-4478-8D46-0F32A7BAB3D3");

    private readonly MetadataReader _metadata;
    private readonly PEReader _image;
    private readonly Dictionary<TypeDefinitionHandle, string[]> _documents = [];
    private readonly Dictionary<string, string> _first = [];
    private readonly Dictionary<string, SortedSet<string>> _targets = new(StringComparer.Ordinal);

    private SourceReferences(PEReader image, MetadataReader symbols, string space)
    {
        _image = image;
        _metadata = image.GetMetadataReader();
        ILookup<TypeDefinitionHandle, TypeDefinitionHandle> types = _metadata.TypeDefinitions.ToLookup(OutermostOf);
        TypeDefinitionHandle[] roots = [.. types.Select(group => group.Key).Where(type => IsIn(type, space))];
        foreach (TypeDefinitionHandle root in roots)
        {
            string[] documents = [.. types[root].SelectMany(type => DocumentsOf(type, symbols))
                .Where(path => !path.Contains("/obj/", StringComparison.Ordinal))
                .Distinct()
                .OrderBy(path => path.Length)
                .ThenBy(path => path, StringComparer.Ordinal)];
            if (documents.Length > 0)
            {
                _documents.Add(root, documents);
            }
        }

        int folder = CommonFolder([.. _documents.Values.SelectMany(paths => paths)]);
        foreach ((TypeDefinitionHandle root, string[] documents) in _documents)
        {
            string first = documents[0][folder..];
            foreach (string path in documents)
            {
                _first.TryAdd(path[folder..], first);
            }

            _targets.TryAdd(first, new(StringComparer.Ordinal));
        }

        foreach (TypeDefinitionHandle root in _documents.Keys)
        {
            AddReferences(root, types[root], folder);
        }
    }

    /// <summary>Gets the files, with the other files that each refers to.</summary>
    public IReadOnlyDictionary<string, SortedSet<string>> Targets => _targets;

    /// <summary>Reads the references of an assembly whose symbols lie beside it.</summary>
    /// <param name="assembly">The assembly.</param>
    /// <param name="space">The namespace whose types are looked at.</param>
    public static SourceReferences Read(Assembly assembly, string space)
    {
        using var image = new PEReader(File.OpenRead(assembly.Location));
        using var symbols = MetadataReaderProvider.FromPortablePdbStream(
            File.OpenRead(Path.ChangeExtension(assembly.Location, ".pdb")));
        return new SourceReferences(image, symbols.GetMetadataReader(), space);
    }

    private bool IsIn(TypeDefinitionHandle type, string space)
    {
        string own = _metadata.GetString(_metadata.GetTypeDefinition(type).Namespace);
        return own == space || own.StartsWith($"{space}.", StringComparison.Ordinal);
    }

    private TypeDefinitionHandle OutermostOf(TypeDefinitionHandle type)
    {
        while (_metadata.GetTypeDefinition(type).GetDeclaringType() is { IsNil: false } outer)
        {
            type = outer;
        }

        return type;
    }

    private IEnumerable<string> DocumentsOf(TypeDefinitionHandle type, MetadataReader symbols)
    {
        foreach (MethodDefinitionHandle method in _metadata.GetTypeDefinition(type).GetMethods())
        {
            MethodDebugInformation debug = symbols.GetMethodDebugInformation(method);
            if (!debug.SequencePointsBlob.IsNil)
            {
                foreach (SequencePoint point in debug.GetSequencePoints())
                {
                    yield return NameOf(point.Document, symbols);
                }
            }
        }

        foreach (CustomDebugInformationHandle handle in symbols.GetCustomDebugInformation(type))
        {
            CustomDebugInformation information = symbols.GetCustomDebugInformation(handle);
            if (symbols.GetGuid(information.Kind) == TypeDocuments)
            {
                BlobReader documents = symbols.GetBlobReader(information.Value);
                while (documents.RemainingBytes > 0)
                {
                    yield return NameOf(System.Reflection.Metadata.Ecma335.MetadataTokens.DocumentHandle(
                        documents.ReadCompressedInteger()), symbols);
                }
            }
        }
    }

    private static string NameOf(DocumentHandle document, MetadataReader symbols) =>
        symbols.GetString(symbols.GetDocument(document).Name).Replace('\\', '/');

    // The length of the path of the folder that all lie in.
    private static int CommonFolder(string[] paths)
    {
        string common = paths[0];
        while (!paths.All(path => path.StartsWith(common, StringComparison.Ordinal)) || !common.EndsWith('/'))
        {
            common = common[..^1];
        }

        return common.Length;
    }

    private void AddReferences(TypeDefinitionHandle root, IEnumerable<TypeDefinitionHandle> parts, int folder)
    {
        var found = new ReferencedTypes();
        foreach (TypeDefinitionHandle part in parts)
        {
            TypeDefinition type = _metadata.GetTypeDefinition(part);
            Add(type.BaseType, found);
            AddConstraints(type.GetGenericParameters(), found);
            foreach (InterfaceImplementationHandle implemented in type.GetInterfaceImplementations())
            {
                Add(_metadata.GetInterfaceImplementation(implemented).Interface, found);
            }

            foreach (FieldDefinitionHandle field in type.GetFields())
            {
                _metadata.GetFieldDefinition(field).DecodeSignature(found, null);
            }

            foreach (MethodDefinitionHandle handle in type.GetMethods())
            {
                MethodDefinition method = _metadata.GetMethodDefinition(handle);
                method.DecodeSignature(found, null);
                AddConstraints(method.GetGenericParameters(), found);
                if (method.RelativeVirtualAddress != 0)
                {
                    AddBody(_image.GetMethodBody(method.RelativeVirtualAddress), found);
                }
            }
        }

        string from = _first[_documents[root][0][folder..]];
        foreach (TypeDefinitionHandle type in found.Found)
        {
            if (_documents.TryGetValue(OutermostOf(type), out string[]? documents)
                && _first[documents[0][folder..]] is var to && to != from)
            {
                _targets[from].Add(to);
            }
        }
    }

    private void AddBody(MethodBodyBlock body, ReferencedTypes found)
    {
        foreach (EntityHandle token in MethodTokens.Read(body.GetILBytes()!))
        {
            Add(token, found);
        }

        foreach (ExceptionRegion region in body.ExceptionRegions)
        {
            Add(region.CatchType, found);
        }

        if (!body.LocalSignature.IsNil)
        {
            _metadata.GetStandaloneSignature(body.LocalSignature).DecodeLocalSignature(found, null);
        }
    }

    private void AddConstraints(GenericParameterHandleCollection parameters, ReferencedTypes found)
    {
        foreach (GenericParameterHandle parameter in parameters)
        {
            foreach (GenericParameterConstraintHandle constraint in _metadata.GetGenericParameter(parameter).GetConstraints())
            {
                Add(_metadata.GetGenericParameterConstraint(constraint).Type, found);
            }
        }
    }

    private void Add(EntityHandle handle, ReferencedTypes found)
    {
        if (handle.IsNil)
        {
            return;
        }

        switch (handle.Kind)
        {
            case HandleKind.TypeDefinition:
                found.Found.Add((TypeDefinitionHandle)handle);
                break;
            case HandleKind.TypeSpecification:
                _metadata.GetTypeSpecification((TypeSpecificationHandle)handle).DecodeSignature(found, null);
                break;
            case HandleKind.MethodDefinition:
                found.Found.Add(_metadata.GetMethodDefinition((MethodDefinitionHandle)handle).GetDeclaringType());
                break;
            case HandleKind.FieldDefinition:
                found.Found.Add(_metadata.GetFieldDefinition((FieldDefinitionHandle)handle).GetDeclaringType());
                break;
            case HandleKind.MemberReference:
                Add(_metadata.GetMemberReference((MemberReferenceHandle)handle).Parent, found);
                break;
            case HandleKind.MethodSpecification:
                MethodSpecification method = _metadata.GetMethodSpecification((MethodSpecificationHandle)handle);
                Add(method.Method, found);
                method.DecodeSignature(found, null);
                break;
            case HandleKind.StandaloneSignature:
                _metadata.GetStandaloneSignature((StandaloneSignatureHandle)handle).DecodeMethodSignature(found, null);
                break;
        }
    }
}
