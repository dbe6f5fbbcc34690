using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;

namespace Wire.Packages.Tests.Feeds;

/// <summary>What the metadata of an assembly says, without loading it.</summary>
internal sealed class AssemblyFacts
{
    /// <summary>Reads an assembly.</summary>
    public AssemblyFacts(byte[] bytes)
    {
        using var file = new PEReader(new MemoryStream(bytes));
        MetadataReader metadata = file.GetMetadataReader();
        Name = metadata.GetString(metadata.GetAssemblyDefinition().Name);
        Version = metadata.GetAssemblyDefinition().Version;
        Friends = [.. metadata.GetAssemblyDefinition().GetCustomAttributes().Select(metadata.GetCustomAttribute)
            .Where(attribute => TypeName(metadata, attribute) == "InternalsVisibleToAttribute")
            .Select(attribute => metadata.GetBlobReader(attribute.Value)).Select(FirstString)];
        foreach (TypeDefinition type in metadata.TypeDefinitions.Select(metadata.GetTypeDefinition)
            .Where(type => IsVisible(metadata, type)))
        {
            string name = FullName(metadata, type);
            Types.Add(name);
            Members.UnionWith(Visible(metadata, type).Select(member => $"{name}.{member.Replace('.', '#')}"));
        }
    }

    /// <summary>The name of the assembly.</summary>
    public string Name { get; }

    /// <summary>The version of the assembly.</summary>
    public Version Version { get; }

    /// <summary>The assemblies that see its internals.</summary>
    public HashSet<string> Friends { get; }

    /// <summary>The names of the types that others see.</summary>
    public HashSet<string> Types { get; } = [];

    /// <summary>The names of the members that others see, with those of their types.</summary>
    public HashSet<string> Members { get; } = [];

    private static IEnumerable<string> Visible(MetadataReader metadata, TypeDefinition type)
    {
        foreach (MethodDefinition method in type.GetMethods().Select(metadata.GetMethodDefinition))
        {
            if ((method.Attributes & MethodAttributes.MemberAccessMask)
                is MethodAttributes.Public or MethodAttributes.Family or MethodAttributes.FamORAssem)
            {
                // Of a property or event, the accessor is what one sees.
                string name = metadata.GetString(method.Name);
                yield return name;
                yield return name[(name.IndexOf('_', StringComparison.Ordinal) + 1)..];
            }
        }

        foreach (FieldDefinition field in type.GetFields().Select(metadata.GetFieldDefinition))
        {
            if ((field.Attributes & FieldAttributes.FieldAccessMask)
                is FieldAttributes.Public or FieldAttributes.Family or FieldAttributes.FamORAssem)
            {
                yield return metadata.GetString(field.Name);
            }
        }
    }

    private static bool IsVisible(MetadataReader metadata, TypeDefinition type) => (type.Attributes & TypeAttributes.VisibilityMask) switch
    {
        TypeAttributes.Public => true,
        TypeAttributes.NestedPublic or TypeAttributes.NestedFamily or TypeAttributes.NestedFamORAssem =>
            IsVisible(metadata, metadata.GetTypeDefinition(type.GetDeclaringType())),
        _ => false,
    };

    private static string FullName(MetadataReader metadata, TypeDefinition type)
    {
        string name = metadata.GetString(type.Name);
        string space = metadata.GetString(type.Namespace);
        return !type.GetDeclaringType().IsNil ? $"{FullName(metadata, metadata.GetTypeDefinition(type.GetDeclaringType()))}.{name}"
            : space.Length == 0 ? name
            : $"{space}.{name}";
    }

    private static string TypeName(MetadataReader metadata, CustomAttribute attribute) =>
        attribute.Constructor.Kind == HandleKind.MemberReference
        && metadata.GetMemberReference((MemberReferenceHandle)attribute.Constructor).Parent is { Kind: HandleKind.TypeReference } parent
            ? metadata.GetString(metadata.GetTypeReference((TypeReferenceHandle)parent).Name)
            : "";

    private static string FirstString(BlobReader value)
    {
        value.ReadUInt16();
        return value.ReadSerializedString()!;
    }
}
