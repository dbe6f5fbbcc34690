using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Reflection.PortableExecutable;

namespace Quickstart.Metadata;

/// <summary>
/// Reads the metadata of an assembly file into a graph of nodes. Made for the core library, which builds on no other
/// assembly: the size of an enum defined elsewhere, which decoding an attribute may need, would be out of reach.
/// </summary>
internal static class AssemblyLoader
{
    /// <param name="path">The assembly file.</param>
    /// <param name="progress">Told, as it goes, how many types of how many are read.</param>
    public static AssemblyNode Load(string path, Action<int, int> progress)
    {
        using var file = new PEReader(File.OpenRead(path));
        var reader = file.GetMetadataReader();
        var shells = TypeShells.Create(reader);
        var values = new ValueLoader(reader, shells);
        var types = new TypeLoader(reader, shells, values, new MethodLoader(file, reader, shells, values));

        var definition = reader.GetAssemblyDefinition();
        var assembly = new AssemblyNode
        {
            Token = MetadataTokens.GetToken(EntityHandle.AssemblyDefinition),
            Name = reader.GetString(definition.Name),
            Version = definition.Version.ToString(),
            ModuleVersionId = reader.GetGuid(reader.GetModuleDefinition().Mvid),
        };
        assembly.CustomAttributes = values.Attributes(assembly, definition.GetCustomAttributes());

        int done = 0;
        foreach (var handle in reader.TypeDefinitions)
        {
            types.Fill(handle);
            AddToOwner(assembly, reader, shells, handle);
            progress(++done, shells.Types.Length);
        }

        return assembly;
    }

    private static void AddToOwner(AssemblyNode assembly, MetadataReader reader, TypeShells shells, TypeDefinitionHandle handle)
    {
        var type = shells.Type(handle);
        var definition = reader.GetTypeDefinition(handle);
        if (definition.IsNested)
        {
            var owner = shells.Type(definition.GetDeclaringType());
            owner.NestedTypes.Add(type);
            type.Parent = owner;
            return;
        }

        string name = reader.GetString(definition.Namespace);
        if (!assembly.Namespaces.TryGetValue(name, out var owningNamespace))
        {
            owningNamespace = new NamespaceNode { Name = name, Parent = assembly };
            assembly.Namespaces.Add(name, owningNamespace);
        }

        owningNamespace.Types.Add(type);
        type.Parent = owningNamespace;
    }
}
