using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Wire.Tool.Tests;

/// <summary>Assemblies that are compiled into a folder of their own.</summary>
internal sealed class Compiled : IDisposable
{
    private static readonly PortableExecutableReference[] Platform =
    [
        .. ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator)
            .Where(path => Path.GetFileName(path).StartsWith("System.", StringComparison.Ordinal))
            .Select(path => MetadataReference.CreateFromFile(path)),
    ];

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("wire-contract-");

    /// <summary>Gets the path of a file in the folder.</summary>
    public string this[string name] => Path.Combine(_folder.FullName, name);

    /// <summary>Compiles an assembly that refers to the serializer, and returns its path.</summary>
    public string Compile(string name, string code) => Compile(name, code, typeof(Serializer).Assembly.Location);

    /// <summary>Compiles an assembly, and returns its path.</summary>
    public string Compile(string name, string code, params string[] references)
    {
        string path = this[$"{name}.dll"];
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        var compilation = CSharpCompilation.Create(
            Path.GetFileNameWithoutExtension(path),
            [CSharpSyntaxTree.ParseText(code)],
            [.. Platform, .. references.Select(reference => MetadataReference.CreateFromFile(reference))],
            new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, nullableContextOptions: NullableContextOptions.Enable));
        Microsoft.CodeAnalysis.Emit.EmitResult result = compilation.Emit(path);
        Assert.True(result.Success, string.Join('\n', result.Diagnostics));
        return path;
    }

    /// <summary>Writes a file, and returns its path.</summary>
    public string Write(string name, string text)
    {
        File.WriteAllText(this[name], text);
        return this[name];
    }

    public void Dispose() => _folder.Delete(recursive: true);
}
