using System.Reflection;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Wire.Gates.Tests.Architecture;

/// <summary>
/// What is seen of a library before any of its code is read: in a longer file, or a larger folder, a concept wants its own.
/// </summary>
public sealed class FileTests
{
    private const int MostLines = 400;
    private const int MostFiles = 25;
    private const int MostVirtuals = 20;

    private const BindingFlags Declared =
        BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.DeclaredOnly;

    private static readonly SourceFile[] Files = [.. Libraries.All.SelectMany(Libraries.Sources)];

    [Fact]
    public void No_file_has_more_than_400_lines() => Assert.Empty(Files
        .Select(file => (file.Path, Count: file.Lines.Count()))
        .Where(file => file.Count > MostLines)
        .Select(file => $"{file.Path} has {file.Count} lines"));

    [Fact]
    public void No_folder_has_more_than_25_files() => Assert.Empty(Files
        .GroupBy(file => Path.GetDirectoryName(file.Path))
        .Where(folder => folder.Count() > MostFiles)
        .Select(folder => $"{folder.Key} has {folder.Count()} files"));

    // What only a few answer is an interface of theirs, in Slots or beside them.
    [Fact]
    public void A_value_serializer_has_at_most_20_virtual_members() => Assert.InRange(
        new[] { typeof(ValueSerializer), typeof(ValueSerializer<>) }
            .SelectMany(type => type.GetMethods(Declared))
            .Count(method => method.IsVirtual && method.GetBaseDefinition() == method),
        10,
        MostVirtuals);

    // They stand in the namespace of the library, as what is in the root folder does: see .editorconfig.
    [Theory]
    [InlineData("src/Wire/Exceptions")]
    [InlineData("src/Wire/Options")]
    [InlineData("src/Wire/Payloads")]
    [InlineData("src/Wire.RabbitMQ/Bodies")]
    [InlineData("src/Wire.RabbitMQ/Handlers")]
    public void A_folder_of_public_types_has_no_other(string folder)
    {
        SourceFile[] files = [.. Files.Where(file => Path.GetDirectoryName(file.Path) == folder)];
        Assert.NotEmpty(files);
        Assert.All(files, file =>
        {
            BaseNamespaceDeclarationSyntax space = CSharpSyntaxTree.ParseText(file.Text).GetCompilationUnitRoot()
                .Members.OfType<BaseNamespaceDeclarationSyntax>().Single();
            Assert.Equal(folder.Split('/')[1], space.Name.ToString());
            Assert.All(space.Members, member => Assert.Contains(member.Modifiers, modifier => modifier.IsKind(SyntaxKind.PublicKeyword)));
        });
    }
}
