using System.Xml.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Wire.Gates.Tests.Documentation;

/// <summary>What is used most has an example in its documentation, which editors show, and each example compiles.</summary>
public sealed class ExampleTests
{
    // What examples may speak of without making it.
    private const string Given = """
        global using System;
        global using System.Buffers;
        global using System.Collections.Generic;
        global using System.Drawing;
        global using System.IO;
        global using System.IO.Pipelines;
        global using System.Net.Sockets;
        global using Shop;
        global using Wire;
        global using static Shop.Given;

        namespace Shop;

        public abstract record Message(int Id);
        public sealed record OrderPlaced(int Id, string Customer, decimal Total) : Message(Id);
        public sealed record OrderShipped(int Id, int Parcels) : Message(Id);

        public static class Given
        {
            public static readonly Serializer serializer = new();
            public static readonly OrderPlaced order = new(1, "Ada", 19.90m);
            public static readonly IAsyncEnumerable<OrderPlaced> orders = null!;
            public static readonly byte[] payload = serializer.Serialize(order);
            public static readonly byte[][] messages = [payload];
            public static readonly Stream stream = Stream.Null;
            public static readonly Socket socket = null!;
        }
        """;

    private static readonly MetadataReference[] References =
    [
        .. ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator)
            .Select(path => MetadataReference.CreateFromFile(path)),
    ];

    private static readonly (string Member, string Code)[] Examples =
    [
        .. XDocument.Load(Path.Combine(AppContext.BaseDirectory, "Wire.xml")).Descendants("member")
            .Where(member => member.Element("example") is not null)
            .Select(member => (member.Attribute("name")!.Value, member.Element("example")!.Element("code")!.Value)),
    ];

    /// <summary>The members that have one.</summary>
    public static TheoryData<string> Members => [.. Examples.Select(example => example.Member)];

    [Fact]
    public void What_is_used_most_has_one() => Assert.InRange(Examples.Length, 20, int.MaxValue);

    [Theory]
    [MemberData(nameof(Members))]
    public void An_example_compiles(string member)
    {
        SyntaxTree code = CSharpSyntaxTree.ParseText(Examples.Single(example => example.Member == member).Code);
        OutputKind kind = code.GetRoot().ChildNodes().Any(node => node is GlobalStatementSyntax)
            ? OutputKind.ConsoleApplication
            : OutputKind.DynamicallyLinkedLibrary;
        var compilation = CSharpCompilation.Create(
            "Example",
            [CSharpSyntaxTree.ParseText(Given), code],
            References,
            new CSharpCompilationOptions(kind, nullableContextOptions: NullableContextOptions.Enable));

        Assert.Empty(compilation.GetDiagnostics().Where(found => found.Severity == DiagnosticSeverity.Error));
    }
}
