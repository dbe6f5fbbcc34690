using Microsoft.CodeAnalysis;
using Wire.Analyzers.Symbols;

namespace Wire.Generator.Parsing;

/// <summary>A place where a type is declared, which says what can be known of its fields.</summary>
internal enum Origin
{
    /// <summary>In the sources that are compiled: all fields are seen.</summary>
    Own,

    /// <summary>In .NET: Wire knows what is in it.</summary>
    Framework,

    /// <summary>In Wire itself.</summary>
    Wire,

    /// <summary>In an assembly that has a table of its own.</summary>
    WithTable,

    /// <summary>In another project, which has no table.</summary>
    Project,

    /// <summary>In a library, of a package or a file.</summary>
    Library,
}

/// <summary>Tells where types are declared.</summary>
internal sealed class Origins(Compilation compilation)
{
    private readonly Dictionary<IAssemblySymbol, Origin> _known = new(SymbolEqualityComparer.Default);

    public Origin Of(ITypeSymbol type)
    {
        if (type.ContainingAssembly is not { } assembly)
        {
            return Origin.Framework;
        }

        if (!_known.TryGetValue(assembly, out Origin origin))
        {
            origin = Of(assembly);
            _known.Add(assembly, origin);
        }

        return origin;
    }

    /// <summary>Returns the tables of the assemblies that the compilation refers to.</summary>
    public IEnumerable<INamedTypeSymbol> Tables() => compilation.SourceModule.ReferencedAssemblySymbols
        .Where(assembly => !assembly.IsFramework())
        .SelectMany(TablesOf);

    private static IEnumerable<INamedTypeSymbol> TablesOf(IAssemblySymbol assembly) => assembly.GetAttributes()
        .Where(attribute => attribute.AttributeClass.IsWire("WireTypesOfAttribute"))
        .Select(attribute => attribute.ConstructorArguments.FirstOrDefault().Value)
        .OfType<INamedTypeSymbol>();

    private Origin Of(IAssemblySymbol assembly) =>
        SymbolEqualityComparer.Default.Equals(assembly, compilation.Assembly) ? Origin.Own
        : assembly.IsFramework() ? Origin.Framework
        : assembly.Name == "Wire" ? Origin.Wire
        : TablesOf(assembly).Any() ? Origin.WithTable
        : IsProject(assembly) ? Origin.Project
        : Origin.Library;

    // An editor has the sources of the other project, and a build its reference assembly, which stands in a folder `ref` among what the
    // build makes. Those of packages have the name of a framework in between.
    private bool IsProject(IAssemblySymbol assembly) => compilation.GetMetadataReference(assembly) switch
    {
        CompilationReference => true,
        PortableExecutableReference { FilePath: { } path } => FolderOf(path) is "ref" or "refint",
        _ => false,
    };

    private static string FolderOf(string path)
    {
        string[] parts = path.Split('/', '\\');
        return parts.Length < 2 ? "" : parts[parts.Length - 2];
    }
}
