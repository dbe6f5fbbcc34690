using Microsoft.CodeAnalysis;
using Wire.Generator.Tests.Testing;

namespace Wire.Generator.Tests;

/// <summary>What cannot be in messages is said when the program is built, with the way to it and the place.</summary>
public sealed class DiagnosticTests
{
    private const string Usings = """
        using System;
        using System.Collections.Generic;
        using Wire;

        """;

    private static readonly string Folder = Directory.CreateTempSubdirectory("generator").FullName;

    public static TheoryData<string, string, string, string> Cases() => new()
    {
        // Contexts that cannot be completed.
        { "WIRE001", "[WireContext] class Here : WireTypes;", "'Here' has [WireContext], and is not partial", "Here" },
        {
            "WIRE001", "[WireContext] partial class Here;",
            "'Here' has [WireContext], and does not derive from WireTypes: write `partial class Here : WireTypes`", "Here"
        },
        { "WIRE001", "[WireContext] partial class Here<T> : WireTypes;", "is generic, or in a generic type: a context has", "Here" },
        { "WIRE001", "[WireContext] abstract partial class Here : WireTypes;", "is abstract: a context is a class", "Here" },
        { "WIRE001", "[WireContext] file partial class Here : WireTypes;", "is local to its file, so that", "Here" },
        {
            "WIRE001", "class Outer { [WireContext] partial class Here : WireTypes; }",
            "'Outer.Here' has [WireContext], and is in 'Outer', which is not partial", "Here"
        },
        { "WIRE001", "[WireContext] partial class Here : WireTypes { Here(int a) { } }", "has no constructor without parameters", "Here" },

        // Names.
        {
            "WIRE002", "class Order { private List<Line> _lines; class Line { public Price Price; } struct Price; }",
            "Order._lines[].Price is of 'Order.Price', which code of the context cannot name", "Price"
        },
        { "WIRE002", "class Order { private Dictionary<Stage, int> _all; enum Stage; }", "Order._all is of 'Order.Stage', which", "_all" },
        { "WIRE002", "class Order { Stage? Now { get; set; } } file struct Stage;", "Order.Now is of 'Stage', which", "Now" },

        // Generic types.
        {
            "WIRE003", "class Order; class Box<T, U>; [WireContext, WireType(typeof(Box<,>))] partial class More : WireTypes;",
            "'Box<T, U>' has no type arguments, and no object has such a type: name it with each of its arguments, such as 'Box<int, int>'",
            "WireType(typeof(Box<,>))"
        },
        {
            "WIRE004", "class Order { public Grow<int> Grows; } class Grow<T> { public Grow<Grow<T>> Next; }",
            "Order.Grows.Next.Next.Next.Next.Next.Next.Next.Next.Next.Next.Next.Next is of a type with more than 12 generic types", "Next"
        },

        // What is no value.
        { "WIRE005", "class Order { public Action Done { get; set; } }", "Order.Done is of 'System.Action', and a delegate", "Done" },
        { "WIRE005", "class Order { public event Action Done; }", "Order.Done is of 'System.Action', and a delegate is code", "Done" },
        { "WIRE005", "class Order(Func<int> get) { int Now() => get(); }", "Order.get is of 'System.Func<int>', and a delegate", "get" },
        { "WIRE005", "struct Order { public unsafe int* At; }", "Order.At is of 'int*', and a pointer has no meaning outside", "At" },
        { "WIRE005", "struct Order { public unsafe fixed int At[4]; }", "Order.At is of 'int*', and a pointer has no meaning", "At" },
        { "WIRE005", "ref struct Order;", "Order is of 'Order', and a ref struct lives on the stack alone", "WireType(typeof(Order))" },
        { "WIRE005", "static class Order;", "Order is of 'Order', and no object has this type", "WireType(typeof(Order))" },

        // Derived types.
        {
            "WIRE009", "class Order; interface IMessage; class Box<T> : IMessage; "
                + "[WireContext, WireDerivedFrom(typeof(IMessage))] partial class More : WireTypes;",
            "'Box<T>' derives from 'IMessage' and is generic: name it with each of its arguments, by [WireType]",
            "WireDerivedFrom(typeof(IMessage))"
        },
    };

    [Theory]
    [MemberData(nameof(Cases))]
    public void What_cannot_be_is_reported_with_its_path_and_place(string id, string source, string message, string place)
    {
        string context = source.Contains("Order", StringComparison.Ordinal)
            ? "[WireContext, WireType(typeof(Order))] partial class Here : WireTypes;"
            : "";

        Check(Compiled.Of(Usings + source + context), id, message, place);
    }

    [Fact]
    public void Code_may_silence_a_warning_where_it_is()
    {
        Compiled compiled = Compiled.Of(Usings + """
            [WireContext, WireType(typeof(Order))] partial class Here : WireTypes;
            class Order
            {
            #pragma warning disable WIRE005
                public Action Done { get; set; }
            #pragma warning restore WIRE005
                public List<int> Lines { get; set; }
            }
            """);

        Assert.Empty(compiled.Reported.Where(each => !each.IsSuppressed));
        Assert.Equal(["Class<Order>(static () => new Order())"], compiled.Rows);
    }

    [Fact]
    public void The_samples_have_nothing_to_report() => Assert.Empty(Compiled.Of(Compiled.Text("Kinds.cs")).Reported);

    // An editor refers to the other project's sources, and a build to its reference assembly.
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_type_of_a_project_without_a_context_is_an_error(bool isEditor)
    {
        var other = Compiled.Create(
            ["namespace Lib; public class Entity; public struct Money { int _a; } public enum State; public interface IOne;"]);
        MetadataReference reference = isEditor ? other.ToMetadataReference() : Saved(other, "ref");

        Compiled compiled = Compiled.Of(Compiled.Create([Usings + """
            [WireContext, WireType(typeof(Order))] partial class Here : WireTypes;
            class Order : Lib.Entity
            {
                public List<Line> Lines;
                public Lib.State State;
                public Lib.IOne One;
            }
            class Line
            {
                public Lib.Money Price;
            }
            """], reference));

        Assert.Equal(["WIRE006", "WIRE006"], compiled.Reported.Select(each => each.Id));
        CheckBegins("Order is of 'Lib.Entity', of the project Compiled", compiled.Reported[0]);
        CheckBegins("Order.Lines[].Price is of 'Lib.Money', of the project Compiled", compiled.Reported[1]);
        Assert.Equal("Price", TextAt(compiled.Reported[1]));
        Assert.Equal(["Class<Line>(static () => new Line())", "Enum<State>()", "Struct<Money>()"], compiled.Rows);
    }

    [Fact]
    public void A_type_of_a_library_has_a_row_and_an_information()
    {
        var other = Compiled.Create(["namespace Lib; public class Entity; public struct Money { int _a; }"]);

        Compiled compiled = Compiled.Of(Compiled.Create([Usings + """
            [WireContext, WireType(typeof(Order))] partial class Here : WireTypes;
            class Order
            {
                public Lib.Money Price;
                public Lib.Entity Entity;
            }
            """], Saved(other, "lib")));

        Assert.Equal(["WIRE007", "WIRE007"], compiled.Reported.Select(each => each.Id));
        Assert.All(compiled.Reported, each => Assert.Equal(DiagnosticSeverity.Info, each.Severity));
        CheckBegins("Order.Price is of 'Lib.Money', of the assembly Compiled", compiled.Reported[0]);
        Assert.Equal(["Class<Entity>()", "Class<Order>(static () => new Order())", "Struct<Money>()"], compiled.Rows);
    }

    [Fact]
    public void A_context_that_another_assembly_cannot_see_is_a_warning()
    {
        Compiled other = Compiled.Of(Usings + """
            [WireContext, WireType(typeof(Money))] internal partial class Theirs : WireTypes;
            public struct Money;
            """);

        Compiled compiled = Compiled.Of(Compiled.Create(
            [Usings + "[WireContext, WireType(typeof(Money))] partial class Here : WireTypes;"], other.Compilation.ToMetadataReference()));

        Diagnostic found = Assert.Single(compiled.Reported);
        Assert.Equal("WIRE008", found.Id);
        CheckBegins($"The assembly {other.Compilation.AssemblyName} has 'Theirs' as a table of its types, which", found);
    }

    private static void Check(Compiled compiled, string id, string message, string place)
    {
        Diagnostic found = Assert.Single(compiled.Reported);
        Assert.Equal(id, found.Id);
        Assert.Contains(message, found.GetMessage(null), StringComparison.Ordinal);
        Assert.Equal(place, TextAt(found));
        Assert.EndsWith($"docs/generator.md#{id.ToLowerInvariant()}", found.Descriptor.HelpLinkUri, StringComparison.Ordinal);
        Assert.Equal("Wire", found.Descriptor.Category);
    }

    private static void CheckBegins(string message, Diagnostic found) =>
        Assert.StartsWith(message, found.GetMessage(null), StringComparison.Ordinal);

    private static string TextAt(Diagnostic found) => found.Location.SourceTree!.GetText().ToString(found.Location.SourceSpan);

    // As the SDK lays assemblies out.
    private static PortableExecutableReference Saved(Microsoft.CodeAnalysis.Compilation compilation, string folder)
    {
        string path = Path.Combine(Folder, folder, $"{compilation.AssemblyName}.dll");
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        using (FileStream file = File.Create(path))
        {
            Assert.True(compilation.Emit(
                file, options: new(metadataOnly: folder == "ref", includePrivateMembers: folder != "ref")).Success);
        }

        return MetadataReference.CreateFromFile(path);
    }
}
