using System.Collections.Immutable;
using System.Diagnostics.CodeAnalysis;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Diagnostics;
using Wire.Generator.Tests.Testing;

namespace Wire.Generator.Tests;

/// <summary>WIRE010: what a native program gives to Wire, and no context has.</summary>
public sealed class NativeTests
{
    private const string Types = """
        using System;
        using System.Collections.Generic;
        using System.IO;
        using System.Threading.Tasks;
        using Shop;
        using Wire;

        namespace Shop
        {
            public class Order { private Price _price; public List<Line> Lines { get; } = []; }
            public class Line { public string Name; public int Number; public DateTime? When; public Dictionary<string, int> Counts; }
            public class Lines { public Line[] All; public Stage Stage { get; set; } }
            public struct Price { public long Amount; }
            public enum Stage;
            public class Only<T> where T : struct { public T Value; }
            public class Box<T> { public T Value; }
            public abstract class Query<T> { public T Result => default; }
            public class GetLine : Query<Line> { public int Number = 1; }
            public class OnlyInt : Only<int> { public int Number = 1; }
            public interface IShape;
            public abstract class Message { public Price Price; }
            public sealed class Placed : Message, IShape;
            public class Envelope { public Message Content; }
        }

        """;

    private const string Context = "[WireContext, WireType(typeof(Order))] partial class Messages : WireTypes;";

    [Theory]
    [InlineData("Serialize<Price>(default)", "Shop.Price", "WireRow.Struct<Shop.Price>()")]
    [InlineData("Serialize(new Order())", "Shop.Order", "WireRow.Struct<Shop.Price>()")]
    [InlineData("Serialize<Order?>(null)", "Shop.Order", "WireRow.Struct<Shop.Price>()")]
    [InlineData("Serialize(new Lines(), Stream.Null)", "Shop.Lines", "WireRow.Enum<Shop.Stage>()")]
    [InlineData("Serialize(new Order(), session)", "Shop.Order", "WireRow.Struct<Shop.Price>()")]
    [InlineData("SerializeTyped(new Order())", "Shop.Order", "WireRow.Struct<Shop.Price>()")]
    [InlineData("SerializeFramedAsync(new Order(), Stream.Null)", "Shop.Order", "WireRow.Struct<Shop.Price>()")]
    [InlineData("SerializeAllFramedAsync(new Order[1], Stream.Null)", "Shop.Order", "WireRow.Struct<Shop.Price>()")]
    [InlineData("Deserialize<Order>(payload)", "Shop.Order", "WireRow.Struct<Shop.Price>()")]
    [InlineData("Deserialize<Order>(payload, out _)", "Shop.Order", "WireRow.Struct<Shop.Price>()")]
    [InlineData("DeserializeFramedAsync<Order>(Stream.Null)", "Shop.Order", "WireRow.Struct<Shop.Price>()")]
    [InlineData("DeserializeAllFramedAsync<Order>(Stream.Null)", "Shop.Order", "WireRow.Struct<Shop.Price>()")]
    [InlineData("Read<Stage>(payload, \"Now\")", "Shop.Stage", "WireRow.Enum<Shop.Stage>()")]
    [InlineData("Clone(new Order())", "Shop.Order", "WireRow.Struct<Shop.Price>()")]
    [InlineData("Deserialize<Price?>(payload)", "Shop.Price?", "WireRow.Struct<Shop.Price>()")]
    [InlineData("Deserialize<Price[]>(payload)", "Shop.Price[]", "WireRow.Struct<Shop.Price>()")]
    [InlineData("Deserialize<List<Order>>(payload)", "System.Collections.Generic.List<Shop.Order>", "WireRow.Struct<Shop.Price>()")]
    [InlineData(
        "Deserialize<IReadOnlyList<Price>>(payload)",
        "System.Collections.Generic.IReadOnlyList<Shop.Price>",
        "WireRow.Struct<Shop.Price>()")]
    [InlineData("Deserialize<(string, int)>(payload)", "(string, int)", "WireRow.Struct<System.ValueTuple<string, int>>()")]
    [InlineData(
        "Deserialize<Dictionary<Guid, Line>>(payload)",
        "System.Collections.Generic.Dictionary<System.Guid, Shop.Line>",
        "WireRow.Dictionary<System.Guid, object>()")]
    [InlineData("Deserialize<List<int?>>(payload)", "System.Collections.Generic.List<int?>", "WireRow.List<int?>()")]
    [InlineData("Deserialize<SortedSet<string>>(payload)", "System.Collections.Generic.SortedSet<string>", "WireRow.SortedSet<object>()")]
    [InlineData("Deserialize<Only<int>>(payload)", "Shop.Only<int>", "WireRow.Class<Shop.Only<int>>()")]
    [InlineData("Deserialize<GetLine>(payload)", "Shop.GetLine", "WireRow.Class<Shop.GetLine>()")]
    [InlineData("Deserialize<OnlyInt>(payload)", "Shop.OnlyInt", "WireRow.Class<Shop.OnlyInt>()")]
    [InlineData(
        "Deserialize<KeyValuePair<int, Line>>(payload)",
        "System.Collections.Generic.KeyValuePair<int, Shop.Line>",
        "WireRow.Struct<System.Collections.Generic.KeyValuePair<int, Shop.Line>>()")]
    [InlineData("Deserialize<Range>(payload)", "System.Range", "WireRow.Struct<System.Range>()")]
    [InlineData("Deserialize<Envelope>(payload)", "Shop.Envelope", "WireRow.Struct<Shop.Price>()")]
    [InlineData("Deserialize<Own>(payload)", "Shop.Program.Own", "WireRow.Struct<Shop.Program.Own>()")]
    public async Task What_needs_a_row_is_found(string call, string type, string row)
    {
        Diagnostic found = Assert.Single(await FindAsync(Calling(call)));

        Assert.Equal("WIRE010", found.Id);
        Assert.Equal(DiagnosticSeverity.Error, found.Severity);
        Assert.Equal($"serializer.{call}", found.Location.SourceTree!.GetText().ToString(found.Location.SourceSpan));
        Assert.Contains(
            $"is given '{type}', which is in no context, and a native program needs the row {row}: add a partial class with [WireContext] "
                + $"and [WireType(typeof({type}))] that derives from WireTypes, and give its Default to SerializerOptions.Types",
            found.GetMessage(null),
            StringComparison.Ordinal);
        Assert.EndsWith("docs/generator.md#wire010", found.Descriptor.HelpLinkUri, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("Serialize(1)")]
    [InlineData("Serialize(\"a\")")]
    [InlineData("Serialize<object>(default(Price))")]
    [InlineData("Serialize<dynamic>(1)")]
    [InlineData("Serialize<Guid?>(null)")]
    [InlineData("Serialize(new { A = 1 })")]
    [InlineData("Serialize(new int[1])")]
    [InlineData("Serialize(new Exception())")]
    [InlineData("Serialize(Tuple.Create(1, \"a\"))")]
    [InlineData("Deserialize<Half>(payload)")]
    [InlineData("Deserialize<IShape>(payload)")]
    [InlineData("Deserialize<Message>(payload)")]
    [InlineData("Deserialize<List<IShape>>(payload)")]
    [InlineData("Deserialize<Message[]>(payload)")]
    [InlineData("Deserialize<IReadOnlyList<string>>(payload)")]
    [InlineData("Deserialize<List<string>>(payload)")]
    [InlineData("Deserialize<List<Guid>>(payload)")]
    [InlineData("Deserialize<Line>(payload)")]
    [InlineData("Deserialize<Dictionary<string, Line[]>>(payload)")]
    [InlineData("Deserialize<HashSet<Line>>(payload)")]
    [InlineData("Deserialize<Dictionary<int, Line>>(payload)")]
    [InlineData("Deserialize<KeyValuePair<string, Line>>(payload)")]
    [InlineData("Deserialize<ReadOnlyMemory<byte>>(payload)")]
    [InlineData("Deserialize<Half?>(payload)")]
    [InlineData("Deserialize<Half[]>(payload)")]
    [InlineData("Deserialize<Index>(payload)")]
    [InlineData("Deserialize<Box<int>>(payload)")]
    [InlineData("Deserialize<T>(payload)")]
    [InlineData("Deserialize<List<T>>(payload)")]
    [InlineData("Deserialize<(T, int)>(payload)")]
    [InlineData("Deserialize(typeof(Price), payload)")]
    public async Task What_needs_none_is_not_found(string call) => Assert.Empty(await FindAsync(Calling(call)));

    [Theory]
    [InlineData("Deserialize<Order>(payload)")]
    [InlineData("Deserialize<Price>(payload)")]
    [InlineData("Deserialize<Price[]>(payload)")]
    [InlineData("Deserialize<List<Order>>(payload)")]
    [InlineData("Deserialize<Envelope>(payload)")]
    public async Task What_a_context_has_is_not_found(string call) => Assert.Empty(await FindAsync(Calling(call) + Context));

    [Fact]
    public async Task A_context_that_does_not_have_it_is_named()
    {
        Diagnostic found = Assert.Single(await FindAsync(Calling("Deserialize<Lines>(payload)") + Context));

        Assert.Equal(
            "Deserialize<Lines> is given 'Shop.Lines', which is in no context, and a native program needs the row "
                + "WireRow.Enum<Shop.Stage>(): add [WireType(typeof(Shop.Lines))] to the context Messages",
            found.GetMessage(null));
    }

    [Fact]
    public async Task Derived_types_of_a_context_are_not_found() => Assert.Empty(await FindAsync(
        Calling("Deserialize<Placed>(payload)") + "[WireContext, WireDerivedFrom(typeof(IShape))] partial class Messages : WireTypes;"));

    [Fact]
    public async Task A_method_that_is_passed_on_is_found() =>
        Assert.Single(await FindAsync(Calling("ToString(); Func<Price, byte[]> write = serializer.Serialize")));

    [Theory]
    [InlineData("false")]
    [InlineData("")]
    [InlineData(null)]
    public async Task Other_programs_are_not_looked_at(string? native) =>
        Assert.Empty(await FindAsync(Compiled.Create([Calling("Serialize<Price>(default)")]), native));

    [Fact]
    public async Task A_program_of_one_file_has_a_warning()
    {
        CSharpCompilation compilation = Compiled.Create([Calling("Serialize<Price>(default)")]);
        SyntaxTree tree = compilation.SyntaxTrees.Single();
        var file = CSharpSyntaxTree.Create(
            (CSharpSyntaxNode)tree.GetRoot(),
            Compiled.Language.WithFeatures([new("FileBasedProgram", "true")]),
            tree.FilePath,
            encoding: null);

        Assert.Equal(
            DiagnosticSeverity.Warning, Assert.Single(await FindAsync(compilation.ReplaceSyntaxTree(tree, file), "true")).Severity);
    }

    // By hand, a row may be another one than a context would have.
    [Theory]
    [InlineData("class Table : WireTypes { protected override IEnumerable<WireTypeRow> CreateRows() => []; }")]
    [InlineData("class Table<T> : WireTypes { protected override IEnumerable<WireTypeRow> CreateRows() => []; }")]
    [InlineData("class Table { static WireTypes All => [WireRow.HashSet<int>()]; }")]
    [InlineData("class Writer : ValueSerializerFactory { public override ValueSerializer Create(Type type) => null; }")]
    public async Task Rows_by_hand_are_enough(string code) =>
        Assert.Empty(await FindAsync(Calling("Deserialize<Lines>(payload)") + code));

    [Theory]
    [InlineData("Deserialize<Lines>(payload)", "WireRow.Enum<Stage>()", 0)]
    [InlineData("Deserialize<List<Stage?>>(payload)", "WireRow.Enum<Stage>()", 1)]
    [InlineData("Deserialize<List<Stage?>>(payload)", "WireRow.List<Stage?>()", 0)]
    [InlineData("Deserialize<Queue<Line>>(payload)", "WireRow.Queue<Line>()", 0)]
    [InlineData("Deserialize<Queue<Line>>(payload)", "WireRow.Stack<Line>()", 1)]
    [InlineData("Deserialize<Lines>(payload)", "Row<Stage>()", 0)]
    [InlineData("Deserialize<Lines>(payload)", "WireRow.HashSet<int>()", 1)]
    public async Task Rows_beside_a_context_are_counted(string call, string row, int found)
    {
        string code = $$"""
            class Table
            {
                static WireTypes All => WireTypes.Combine(Messages.Default, [{{row}}]);
                static WireTypeRow Row<T>() => null;
            }
            """;

        Assert.Equal(found, (await FindAsync(Calling(call) + Context + code)).Length);
    }

    [Theory]
    [InlineData("abstract class Base<T> : ValueSerializer<T>; abstract class Writer : Base<Price>;")]
    [InlineData("class Stand : ISurrogate<Stand, Order> { public static Stand From(Order one) => null; public Order ToSource() => null; }")]
    [InlineData("class Stands { object One => Surrogate.Create<Order, string>(order => \"\", text => new Order()); }")]
    public async Task What_is_written_in_another_way_is_not_found(string code) =>
        Assert.Empty(await FindAsync(Calling("Deserialize<Order>(payload)") + code));

    [Theory]
    [InlineData("Stage Stage;", "WireRow.Enum<Shop.Stage>()")]
    [InlineData("Lines Lines;", "WireRow.Enum<Shop.Stage>()")]
    [InlineData("Dictionary<Price, Stage> Stages;", "WireRow.Enum<Shop.Stage>()")]
    [InlineData("HashSet<Guid> Ids;", "WireRow.HashSet<System.Guid>()")]
    [InlineData("IShape Shape;", null)]
    [InlineData("Message Content;", null)]
    [InlineData("List<Price> Prices;", null)]
    [InlineData("Price? Price;", null)]
    [InlineData("Price[,] Prices;", null)]
    [InlineData("Queue<Price?> Prices;", null)]
    [InlineData("Dictionary<int, Price[]> Prices;", null)]
    [InlineData("(Price, int) Price;", null)]
    [InlineData("Only<Price> Price;", null)]
    public async Task What_stands_beside_it_is_looked_at(string member, string? row)
    {
        string code = $"abstract class Writer : ValueSerializer<Price>; class Both {{ Price _price; {member} }}";
        Diagnostic[] found = [.. await FindAsync(Calling("Deserialize<Both>(payload)") + code)];

        Assert.Equal(row is null ? 0 : 1, found.Length);
        Assert.All(found, each => Assert.Contains($"needs the row {row}:", each.GetMessage(null), StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("Deserialize<Lib.Money>(payload)")]
    [InlineData("Deserialize<Dictionary<Lib.Money, string>>(payload)")]
    [InlineData("Deserialize<Lib.Entity>(payload)")]
    [InlineData("Deserialize<HashSet<Guid>>(payload)")]
    public async Task What_another_assembly_may_have_rows_for_is_not_found(string call)
    {
        Compiled other = Compiled.Of("""
            using Wire;
            namespace Lib;
            [WireContext, WireType(typeof(Entity))] public partial class Table : WireTypes;
            public class Entity { Money _price; }
            public struct Money;
            """);

        Assert.Empty(await FindAsync(Compiled.Create([Calling(call)], other.Compilation.ToMetadataReference()), "true"));
    }

    [Theory]
    [InlineData("", 1)]
    [InlineData("class Options { static SerializerOptions All => new() { Types = Lib.Rows.All }; }", 0)]
    [InlineData("class Options { static Serializer One => Lib.Rows.One(); }", 0)]
    public async Task What_is_taken_from_another_assembly_is_not_found(string code, int found)
    {
        CSharpCompilation other = Compiled.Create(["""
            namespace Lib;
            public static class Rows
            {
                public static Wire.WireTypes All => [Wire.WireRow.Struct<Money>()];
                public static Wire.Serializer One() => new(new() { Types = All });
            }
            public struct Money;
            """]);

        Assert.Equal(found, (await FindAsync(
            Compiled.Create([Calling("Deserialize<Lib.Money>(payload)") + code], other.ToMetadataReference()), "true")).Length);
        Assert.Single(await FindAsync(
            Compiled.Create([Calling("Deserialize<Price>(payload)") + code], other.ToMetadataReference()), "true"));
    }

    [Fact]
    public async Task A_type_of_a_project_without_a_context_is_found()
    {
        CSharpCompilation other = Compiled.Create(["namespace Lib; public class Entity { long _number; }"]);

        Diagnostic found = Assert.Single(await FindAsync(
            Compiled.Create([Calling("Deserialize<Lib.Entity>(payload)")], other.ToMetadataReference()), "true"));

        Assert.Equal(
            "Deserialize<Entity> is given 'Lib.Entity', which is in no context, and a native program needs to know the fields of "
                + $"'Lib.Entity': give the project {other.AssemblyName} a context of its own, with [WireType(typeof(Lib.Entity))]",
            found.GetMessage(null));
    }

    // Programs that have been published as native code: one with a context, and one with rows by hand.
    [Theory]
    [InlineData("RoundTrips/")]
    [InlineData("NativeMessages/")]
    public async Task Programs_that_work_have_nothing_to_report(string folder) =>
        Assert.Empty(await FindAsync(Compiled.Program(folder), "true"));

    private static string Calling(string call) => Types + $$"""
        namespace Shop
        {
            class Program
            {
                void Run<T>(Serializer serializer, SerializerSession session, byte[] payload)
                {
                    serializer.{{call}};
                }

                struct Own;
            }
        }

        """;

    private static Task<ImmutableArray<Diagnostic>> FindAsync(string source) => FindAsync(Compiled.Create([source]), "true");

    private static async Task<ImmutableArray<Diagnostic>> FindAsync(CSharpCompilation compilation, string? native)
    {
        Compiled compiled = Compiled.Of(compilation);
        Assert.Empty(compiled.Compilation.GetDiagnostics().Where(each => each.Severity == DiagnosticSeverity.Error));
        var options = new AnalyzerOptions([], new BuildProperties(native));
        return await compiled.Compilation.WithAnalyzers([new ContextAnalyzer()], options).GetAnalyzerDiagnosticsAsync();
    }

    private sealed class BuildProperties(string? native) : AnalyzerConfigOptionsProvider
    {
        public override AnalyzerConfigOptions GlobalOptions { get; } = new Options(native);

        public override AnalyzerConfigOptions GetOptions(SyntaxTree tree) => GlobalOptions;

        public override AnalyzerConfigOptions GetOptions(AdditionalText textFile) => GlobalOptions;
    }

    private sealed class Options(string? native) : AnalyzerConfigOptions
    {
        public override bool TryGetValue(string key, [NotNullWhen(true)] out string? value)
        {
            value = key == "build_property.PublishAot" ? native : null;
            return value is not null;
        }
    }
}
