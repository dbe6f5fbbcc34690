using System.Reflection;
using Microsoft.CodeAnalysis;
using Wire.Generator.Tests.Testing;

namespace Wire.Generator.Tests;

/// <summary>A context that is asked for them has the members of its types as properties of views.</summary>
public sealed class ViewTests
{
    private const string Shop = """
        using System;
        using System.Collections.Generic;
        using Wire;

        namespace Shop
        {
            public abstract class Message { public long Number { get; set; } }
            public sealed class Order : Message
            {
                [WireName("wire name")] public string Customer { get; set; } = "Ada";
                public List<Line> Lines { get; set; } = new()
                {
                    new() { Price = 2, Product = "nut" }, new() { Price = 3, Product = "bolt" },
                };
                public Line[] More { get; set; } = new Line[1];
                public IReadOnlyList<int> Numbers { get; set; } = new[] { 4, 5 };
                public Dictionary<string, Line> ByName { get; set; } = new() { ["a"] = new Line { Price = 6 } };
                public Line? First { get; set; }
                public Place Place { get; set; } = new Place(7, 8);
                public DayOfWeek? Day { get; set; } = DayOfWeek.Friday;
                public Uri? Home { get; set; } = new Uri("http://a/");
                public object? Any { get; set; } = 9;
                public (int A, int B) Pair { get; set; }
                public bool IsNull { get; set; }
                public int @class { get; set; } = 10;
                private int _hidden = 11;
                [IgnoreMember] public int LeftOut { get; set; } = _number;
                private const int _number = 12;
                public int Hidden() => _hidden;
            }
            public sealed class Line { public decimal Price { get; set; } public string? Product { get; set; } }
            public readonly record struct Place(int X, int Y);

            [WireContext(Views = true)]
            [WireDerivedFrom(typeof(Message))]
            internal sealed partial class Messages : WireTypes;

            public static class Program
            {
                public static string Look(Serializer serializer, byte[] payload)
                {
                    PayloadView<Order> view = serializer.Views<Order>().Open(payload);
                    decimal sum = 0;
                    foreach (PayloadView<Line> line in view.Lines)
                    {
                        sum += line.Price;
                    }

                    foreach (PayloadView<int> number in view.Numbers)
                    {
                        sum += number.ToObject();
                    }

                    return view.ByName.TryGetValue("a", out PayloadView<Line> found)
                        ? $"{view.Number} {view.Customer.ToString()} {sum} {view.Lines[1].Product.ToString()} "
                            + $"{view.More.Count} {found.Price} "
                            + $"{view.First.IsNull} {view.Place.Y} {view.Day} {view.Home} {view.Any} {view.@class}"
                        : "";
                }
            }
        }
        """;

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Properties_have_the_values_of_the_members(bool references)
    {
        Assembly program = Compiled.Of(Shop).Load();
        Type order = program.GetType("Shop.Order")!;
        var serializer = new Serializer(new SerializerOptions
        {
            PreserveObjectReferences = references,
            TypeFilter = WireTypeFilter.Default.AllowNamespace("Shop"),
        });
        byte[] payload = serializer.Serialize(Activator.CreateInstance(order));

        object? seen = program.GetType("Shop.Program")!.GetMethod("Look")!.Invoke(null, [serializer, payload]);

        Assert.Equal("0 Ada 14 bolt 1 6 True 8 Friday http://a/ 9 10", seen);
    }

    [Fact]
    public void Members_that_cannot_be_properties_are_left_out()
    {
        string source = Compiled.Of(Shop).Source;

        Assert.Contains("internal static class MessagesViews", source, StringComparison.Ordinal);
        foreach (string name in new[] { "Pair", "IsNull", "_hidden", "LeftOut" })
        {
            Assert.DoesNotContain($" {name} => view", source, StringComparison.Ordinal);
        }

        Assert.DoesNotContain(
            "Views", Compiled.Of(Shop.Replace("(Views = true)", "", StringComparison.Ordinal)).Source, StringComparison.Ordinal);
    }

    // Types of all kinds, also those that only the context can name.
    [Theory]
    [InlineData("class Order { public Inner? Part; public class Inner { public int Number; } }")]
    [InlineData("class Order { [System.Obsolete(\"gone\", error: true)] public int Gone; [System.Obsolete] public Old? Part; } "
        + "[System.Obsolete(\"gone\", error: true)] class Old { public int Number; }")]
    [InlineData("class Order { public Box<int>? A; public Box<string[]>? B; } class Box<T> { public T? Value; public T[]? Values; }")]
    [InlineData(
        "struct Order { public dynamic? Any; public nint Native; public int?[]? Numbers; public int[,]? Grid; public int[][]? Jagged; }")]
    [InlineData(
        "class Order { public System.Collections.Generic.Dictionary<string, System.Collections.Generic.List<int>>? Map; " +
        "public Order? Next; }")]
    [InlineData("class Order { public Box<(int A, int B)>? A; public Box<(int X, int Y)>? B; public Last? C; public Next? D; } "
        + "class Box<T> { public T? Value; public int Number; } class Last { public int Number; } class Next { public int Number; }")]
    [InlineData(
        "class Order { public int Get; public int ToObject; public string? view; public int Members0; public int M0; " +
        "public Order? Order1; }")]
    public void All_that_has_code_compiles(string source) => Compiled.Of(
        $"{source} [Wire.WireContext(Views = true)] [Wire.WireType(typeof(Order))] sealed partial class Messages : Wire.WireTypes;").Load();

    [Fact]
    public void Of_members_with_one_name_that_of_the_class_itself_is_the_property()
    {
        Compiled compiled = Compiled.Of(Hiding);
        Assembly program = compiled.Load();
        Type order = program.GetType("Shop.Order")!;
        var serializer = new Serializer(new SerializerOptions { TypeFilter = WireTypeFilter.Default.AllowNamespace("Shop") });
        byte[] payload = serializer.Serialize(Activator.CreateInstance(order));

        object? seen = program.GetType("Shop.Program")!.GetMethod("Look")!.Invoke(null, [serializer, payload]);

        Assert.Equal("own 2 3", seen);

        // Where what hides it is not in payloads, only the base class has the property.
        Assert.Equal(2, compiled.Source.Split(" Computed => view").Length);
        Assert.Equal(2, compiled.Source.Split(" Inside => view").Length);
    }

    private const string Hiding = """
        using Wire;

        namespace Shop
        {
            public abstract class Message
            {
                [WireName("a")] public string Name { get; set; } = "base";
                [WireName("b")] public virtual int Both { get; set; } = 1;
                public virtual int Over { get; set; } = 3;
                public int Computed { get; set; } = 4;
                public int Inside { get; set; } = 5;
            }
            public sealed class Order : Message
            {
                [WireName("c")] public new string Name { get; set; } = "own";
                [WireName("d")] public override int Both { get; set; } = 2;
                public override int Over { get => base.Over; set => base.Over = value; }
                public new int Computed => 6;
                internal new int Inside() => 7;
            }

            [WireContext(Views = true)]
            [WireDerivedFrom(typeof(Message))]
            [WireType(typeof(Message))]
            internal sealed partial class Messages : WireTypes;

            public static class Program
            {
                public static string Look(Serializer serializer, byte[] payload)
                {
                    PayloadView<Order> view = serializer.Views<Order>().Open(payload);
                    return $"{view.Name.ToString()} {view.Both} {view.Over}";
                }
            }
        }
        """;

    [Fact]
    public void Types_of_all_kinds_compile() => Compiled.Of(
        Compiled.Text("Kinds.cs").Replace("[WireContext]", "[WireContext(Views = true)]", StringComparison.Ordinal)).Load();
}
