using System.Reflection;
using System.Reflection.Metadata;

namespace Wire;

/// <summary>
/// What a loaded assembly says in its own metadata. Reflection follows type forwards and loads where they lead; this reads
/// the tables and loads nothing. Of an assembly without metadata in memory, such as a dynamic one, it knows nothing.
/// </summary>
internal static class AssemblyMetadata
{
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
    /// <param name="assembly">The assembly where the type used to be.</param>
    /// <param name="fullName">The type's full name. Inner types go with the outermost one.</param>
    public static string? ForwardOf(Assembly assembly, string fullName) => Read(assembly, Outermost(fullName), static (reader, type) =>
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

    /// <summary>Whether an assembly itself defines a type, or the type that the type is inside.</summary>
    public static bool Defines(Assembly assembly, string fullName) => Read(assembly, Outermost(fullName), static (reader, type) =>
    {
        foreach (TypeDefinitionHandle handle in reader.TypeDefinitions)
        {
            TypeDefinition definition = reader.GetTypeDefinition(handle);
            if (!definition.IsNested
                && reader.StringComparer.Equals(definition.Name, type.Name)
                && reader.StringComparer.Equals(definition.Namespace, type.Namespace))
            {
                return true;
            }
        }

        return false;
    });

    /// <summary>The full name of a type that an assembly defines.</summary>
    public static string FullName(MetadataReader reader, TypeDefinition type)
    {
        string name = reader.GetString(type.Name);
        return type.GetDeclaringType() is { IsNil: false } outer
            ? $"{FullName(reader, reader.GetTypeDefinition(outer))}+{name}"
            : Join(reader.GetString(type.Namespace), name);
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

    private static string Join(string space, string name) => space.Length == 0 ? name : $"{space}.{name}";

    private static (string Namespace, string Name) Outermost(string fullName)
    {
        int inner = fullName.IndexOf('+', StringComparison.Ordinal);
        string outer = inner < 0 ? fullName : fullName[..inner];
        int dot = outer.LastIndexOf('.');
        return dot < 0 ? ("", outer) : (outer[..dot], outer[(dot + 1)..]);
    }
}
