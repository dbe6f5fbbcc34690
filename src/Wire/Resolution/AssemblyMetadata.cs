using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Reflection.Metadata;
using Wire.Runtime;

namespace Wire.Resolution;

/// <summary>
/// The metadata of a loaded assembly. Reflection follows type forwards and loads their targets; this class reads the tables and loads
/// nothing. Assemblies without metadata in memory, such as dynamic ones, are not covered.
/// </summary>
[UnconditionalSuppressMessage("Trimming", "IL2026", Justification = TrimmingAdvice.Absent)]
internal static class AssemblyMetadata
{
    /// <summary>Returns whether an assembly has metadata in memory: one that is emitted, or part of a native program, has not.</summary>
    public static unsafe bool Has(Assembly assembly) => assembly.TryGetRawMetadata(out _, out _);

    /// <summary>Reads an assembly's metadata; the default when there is none. The metadata must not outlive the call.</summary>
    public static unsafe TResult? Read<TState, TResult>(Assembly assembly, TState state, Func<MetadataReader, TState, TResult?> read)
    {
        TResult? result = assembly.TryGetRawMetadata(out byte* blob, out int length)
            ? read(new MetadataReader(blob, length), state)
            : default;
        GC.KeepAlive(assembly);
        return result;
    }

    /// <summary>The simple name of the assembly to which an assembly forwards a type; null when it does not.</summary>
    /// <param name="place">The assembly that used to define the type.</param>
    /// <param name="fullName">The type's full name. Nested types are forwarded with the outermost one.</param>
    public static string? ForwardOf(AssemblyTypes place, string fullName) => place.Read(Outermost(fullName), static (reader, type) =>
    {
        foreach (ExportedTypeHandle handle in reader.ExportedTypes)
        {
            ExportedType exported = reader.GetExportedType(handle);
            if (exported.IsForwarder
                && exported.Implementation.Kind == HandleKind.AssemblyReference
                && reader.StringComparer.Equals(exported.Name, type.Name)
                && reader.StringComparer.Equals(exported.Namespace, type.Namespace))
            {
                return reader.GetString(reader.GetAssemblyReference((AssemblyReferenceHandle)exported.Implementation).Name);
            }
        }

        return null;
    });

    /// <summary>The full names of the types that an assembly itself defines, without nested ones.</summary>
    public static HashSet<string> OutermostNames(Assembly assembly) => !Has(assembly)
        ? [.. Listed(assembly).Where(type => !type.IsNested).Select(type => type.FullName!)]
        : Read(assembly, 0, static (reader, _) =>
    {
        var names = new HashSet<string>(StringComparer.Ordinal);
        foreach (TypeDefinitionHandle handle in reader.TypeDefinitions)
        {
            TypeDefinition definition = reader.GetTypeDefinition(handle);
            if (!definition.IsNested)
            {
                names.Add(FullName(reader, definition));
            }
        }

        return names;
    }) ?? [];

    /// <summary>The types of an assembly that has no metadata in memory; all are there, so that this loads nothing.</summary>
    public static IEnumerable<Type> Listed(Assembly assembly)
    {
        try
        {
            return assembly.GetTypes();
        }
        catch (ReflectionTypeLoadException e)
        {
            // Another thread may be creating one, which no payload can contain yet.
            return e.Types.OfType<Type>();
        }
    }

    /// <summary>The full name of the outermost type around a nested one; of any other type, its own.</summary>
    public static string OutermostName(string fullName)
    {
        int inner = fullName.IndexOf('+', StringComparison.Ordinal);
        return inner < 0 ? fullName : fullName[..inner];
    }

    /// <summary>The full name of a type that an assembly defines.</summary>
    public static string FullName(MetadataReader reader, TypeDefinition type)
    {
        string name = Escaped(reader.GetString(type.Name));
        return type.GetDeclaringType() is { IsNil: false } outer
            ? $"{FullName(reader, reader.GetTypeDefinition(outer))}+{name}"
            : Join(Escaped(reader.GetString(type.Namespace)), name);
    }

    /// <summary>The full name of a type that an assembly refers to, and the simple name of its expected assembly.</summary>
    public static (string FullName, string? Assembly) Name(MetadataReader reader, TypeReferenceHandle handle)
    {
        TypeReference type = reader.GetTypeReference(handle);
        string name = Escaped(reader.GetString(type.Name));
        if (type.ResolutionScope.Kind == HandleKind.TypeReference)
        {
            (string outer, string? home) = Name(reader, (TypeReferenceHandle)type.ResolutionScope);
            return ($"{outer}+{name}", home);
        }

        return (
            Join(Escaped(reader.GetString(type.Namespace)), name),
            type.ResolutionScope.Kind == HandleKind.AssemblyReference
                ? reader.GetString(reader.GetAssemblyReference((AssemblyReferenceHandle)type.ResolutionScope).Name)
                : null);
    }

    /// <summary>The definition of a constructed generic type; other types as they are.</summary>
    public static EntityHandle WithoutArguments(MetadataReader reader, EntityHandle handle)
    {
        if (handle.Kind != HandleKind.TypeSpecification)
        {
            return handle;
        }

        BlobReader signature = reader.GetBlobReader(reader.GetTypeSpecification((TypeSpecificationHandle)handle).Signature);
        if (signature.ReadSignatureTypeCode() != SignatureTypeCode.GenericTypeInstance)
        {
            return handle;
        }

        signature.ReadCompressedInteger();
        return signature.ReadTypeHandle();
    }

    /// <summary>The class of an attribute.</summary>
    public static EntityHandle TypeOf(MetadataReader reader, CustomAttribute attribute) => attribute.Constructor.Kind switch
    {
        HandleKind.MemberReference => reader.GetMemberReference((MemberReferenceHandle)attribute.Constructor).Parent,
        HandleKind.MethodDefinition => reader.GetMethodDefinition((MethodDefinitionHandle)attribute.Constructor).GetDeclaringType(),
        _ => default,
    };

    /// <summary>The text that an attribute of a type was given first; null when the type does not have the attribute.</summary>
    public static string? TextOf(MetadataReader reader, TypeDefinition type, Type attributeClass)
    {
        foreach (CustomAttributeHandle handle in type.GetCustomAttributes())
        {
            CustomAttribute attribute = reader.GetCustomAttribute(handle);
            EntityHandle kind = TypeOf(reader, attribute);
            string? name = kind.Kind switch
            {
                HandleKind.TypeReference => Name(reader, (TypeReferenceHandle)kind).FullName,
                HandleKind.TypeDefinition => FullName(reader, reader.GetTypeDefinition((TypeDefinitionHandle)kind)),
                _ => null,
            };
            if (name == attributeClass.FullName)
            {
                BlobReader value = reader.GetBlobReader(attribute.Value);
                value.ReadUInt16();
                return value.ReadSerializedString();
            }
        }

        return null;
    }

    /// <summary>The full name of a type's base class; null when it has none, or a constructed one.</summary>
    public static string? BaseName(MetadataReader reader, TypeDefinition type)
    {
        if (type.BaseType.IsNil)
        {
            return null;
        }

        switch (type.BaseType.Kind)
        {
            case HandleKind.TypeDefinition:
                return FullName(reader, reader.GetTypeDefinition((TypeDefinitionHandle)type.BaseType));
            case HandleKind.TypeReference:
                TypeReference reference = reader.GetTypeReference((TypeReferenceHandle)type.BaseType);
                return Join(reader.GetString(reference.Namespace), reader.GetString(reference.Name));
            default:
                return null;
        }
    }

    // As Type.FullName has it.
    private static string Escaped(string name)
    {
        if (!name.AsSpan().ContainsAny(TypeNames.ReservedCharacters))
        {
            return name;
        }

        var text = new System.Text.StringBuilder();
        foreach (char c in name)
        {
            (TypeNames.Reserved.Contains(c, StringComparison.Ordinal) ? text.Append('\\') : text).Append(c);
        }

        return text.ToString();
    }

    private static string Join(string space, string name) => space.Length == 0 ? name : $"{space}.{name}";

    private static (string Namespace, string Name) Outermost(string fullName)
    {
        string outer = OutermostName(fullName);
        int dot = outer.LastIndexOf('.');
        return dot < 0 ? ("", outer) : (outer[..dot], outer[(dot + 1)..]);
    }
}
