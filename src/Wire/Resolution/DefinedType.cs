using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Runtime.Loader;
using Wire.Runtime;

namespace Wire.Resolution;

/// <summary>A type that an assembly of the program defines, described by metadata before it is loaded.</summary>
/// <param name="place">The assembly.</param>
/// <param name="token">The metadata token of the definition.</param>
/// <param name="made">The type of an assembly that has no metadata yet because it is emitted; null for others.</param>
[UnconditionalSuppressMessage("Trimming", "IL2026", Justification = TrimmingAdvice.Absent)]
internal sealed class DefinedType(AssemblyTypes place, int token, Type? made)
{
    // The limit of bases and interfaces: more mean a cycle in damaged metadata.
    private const int MaxBases = 1024;

    private (string FullName, TypeAttributes Attributes, bool IsPrivate)? _facts;

    /// <summary>Its own full name, whatever a <see cref="WireNameAttribute"/> says.</summary>
    public string FullName => Facts.FullName;

    /// <summary>Gets whether it is private to another type, or inside one that is.</summary>
    public bool IsPrivate => Facts.IsPrivate;

    /// <summary>Gets whether it is a static class.</summary>
    public bool IsStatic =>
        (Facts.Attributes & (TypeAttributes.Abstract | TypeAttributes.Sealed)) == (TypeAttributes.Abstract | TypeAttributes.Sealed);

    private (string FullName, TypeAttributes Attributes, bool IsPrivate) Facts => _facts ??= made is not null
        ? (made.FullName ?? made.Name, made.Attributes, IsHidden(made.Attributes))
        : place.Read(token, static (reader, token) =>
        {
            TypeDefinition type = reader.GetTypeDefinition((TypeDefinitionHandle)MetadataTokens.EntityHandle(token));
            bool isPrivate = IsHidden(type.Attributes);
            for (TypeDefinitionHandle outer =
                type.GetDeclaringType(); !outer.IsNil; outer = reader.GetTypeDefinition(outer).GetDeclaringType())
            {
                isPrivate |= IsHidden(reader.GetTypeDefinition(outer).Attributes);
            }

            return (AssemblyMetadata.FullName(reader, type), type.Attributes, isPrivate);
        });

    /// <summary>Loads the type; null when it needs a missing assembly. This loads its assembly and its base types too.</summary>
    public Type? Load()
    {
        try
        {
            // The runtime may load another build than the one that was looked into, in which the token means another type.
            return made ?? place.Assembly?.ManifestModule.ResolveType(token)
                ?? AssemblyLoadContext.Default.LoadFromAssemblyName(new AssemblyName(place.Name)).GetType(FullName);
        }
        catch (Exception e) when (e is FileNotFoundException or FileLoadException or TypeLoadException or BadImageFormatException)
        {
            return null;
        }
    }

    /// <summary>Returns whether the type is another one or derives from it, as far as loaded assemblies show.</summary>
    public bool DerivesFrom(Type baseType) => made is not null
        || Reaches(place, MetadataTokens.EntityHandle(token), baseType);

    /// <summary>Returns whether the type has an attribute, or one that derives from it.</summary>
    public bool HasAttribute(Type attribute) => made is not null
        || place.Read((token, place, attribute), static (reader, asked) =>
        {
            var type = reader.GetTypeDefinition((TypeDefinitionHandle)MetadataTokens.EntityHandle(asked.token));
            foreach (CustomAttributeHandle handle in type.GetCustomAttributes())
            {
                if (Reaches(asked.place, AssemblyMetadata.TypeOf(reader, reader.GetCustomAttribute(handle)), asked.attribute))
                {
                    return true;
                }
            }

            return false;
        });

    private static bool IsHidden(TypeAttributes attributes) =>
        (attributes & TypeAttributes.VisibilityMask) is TypeAttributes.NestedPrivate
            or TypeAttributes.NestedFamily
            or TypeAttributes.NestedFamANDAssem;

    // Breadth first through bases and interfaces. Only names are compared: the rule is checked again when the type is loaded.
    private static bool Reaches(AssemblyTypes start, EntityHandle first, Type target)
    {
        var open = new Queue<(AssemblyTypes Place, EntityHandle Type)>([(start, first)]);
        for (int i = 0; i < MaxBases && open.TryDequeue(out (AssemblyTypes Place, EntityHandle Type) next); i++)
        {
            if (next.Place.Read((next, open, target), static (reader, asked) =>
                IsOrAsks(reader, asked.next.Place, asked.next.Type, asked.target, asked.open)))
            {
                return true;
            }
        }

        return false;
    }

    private static bool IsOrAsks(
        MetadataReader reader, AssemblyTypes place, EntityHandle handle, Type target, Queue<(AssemblyTypes, EntityHandle)> open)
    {
        handle = AssemblyMetadata.WithoutArguments(reader, handle);
        switch (handle.Kind)
        {
            case HandleKind.TypeDefinition:
                TypeDefinition type = reader.GetTypeDefinition((TypeDefinitionHandle)handle);
                if (AssemblyMetadata.FullName(reader, type) == target.FullName)
                {
                    return true;
                }

                foreach (EntityHandle above in type.GetInterfaceImplementations().Select(
                    each => reader.GetInterfaceImplementation(each).Interface).Prepend(type.BaseType).Where(each => !each.IsNil))
                {
                    open.Enqueue((place, above));
                }

                return false;
            case HandleKind.TypeReference:
                (string fullName, string? home) = AssemblyMetadata.Name(reader, (TypeReferenceHandle)handle);
                if (fullName == target.FullName)
                {
                    return true;
                }

                bool isFound = false;
                foreach (AssemblyTypes defining in Homes(home, fullName))
                {
                    isFound = true;
                    open.Enqueue((defining, MetadataTokens.EntityHandle(defining.TokenOf(fullName))));
                }

                // No .NET type derives from one of the program.
                return !isFound && home is not null && FrameworkTypes.IsHome(home) && FrameworkAssemblies.Contains(target.Assembly)
                    && FrameworkTypes.Find(fullName) is { } framework
                        && (target.IsAssignableFrom(framework) || framework.DerivesFromDefinition(target));
            default:
                return false;
        }
    }

    // The program's assemblies that may define a type expected in an assembly of a given name: that one, or the target of its type forward.
    private static IEnumerable<AssemblyTypes> Homes(string? name, string fullName)
    {
        AssemblyTypes[] all = Array.FindAll(ProgramAssemblies.All(), place => !place.IsDynamic && !place.IsFramework);
        AssemblyTypes[] named = Array.FindAll(all, place => place.Name == name);
        AssemblyTypes[] defining = Array.FindAll(named, place => place.TokenOf(fullName) != 0);
        if (defining.Length > 0)
        {
            return defining;
        }

        string?[] targets = Array.ConvertAll(named, place => AssemblyMetadata.ForwardOf(place, fullName));
        return all.Where(place => targets.Contains(place.Name) && place.TokenOf(fullName) != 0);
    }
}
