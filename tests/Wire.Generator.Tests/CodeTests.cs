using System.Collections;
using System.Globalization;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Wire.Generator.Tests.Testing;

namespace Wire.Generator.Tests;

/// <summary>Code for members is there where the sources show all of them, and code can name them.</summary>
public sealed class CodeTests
{
    [Theory]
    [InlineData("class Order { private readonly int _number; public string? Text { get; init; } }")]
    [InlineData("record Order(int Number, string Text) : Base(1); record Base(long Id);")]
    [InlineData("struct Order { private System.Guid _id; public object? Any; }")]
    [InlineData("readonly record struct Order(System.Collections.Generic.List<int?>? Numbers, (int A, string B) Pair);")]
    [InlineData("class Order : Base<int> { public required string Name; } class Base<T> where T : struct, System.IComparable { T? _a; }")]
    [InlineData("class Order { [System.Obsolete] public Old? Old; } "
        + "[System.Obsolete(\"gone\", error: true)] class Old { public OldPart Part; } "
        + "[System.Obsolete(\"gone\", error: true)] struct OldPart { public int Number; }")]
    [InlineData("class Order : Base<int, string> { } class Base<F0, Fields0> { F0? _a; Fields0? _b; }")]
    [InlineData("class Order { Node? _a; } sealed class Node { Node? _b; Node[]? _c; System.Collections.Generic.List<Node>? _d; }")]
    [InlineData("sealed class Order { Node[]? _all; } sealed class Node { System.Collections.Generic.List<Order>? _orders; }")]
    [InlineData("class Order : Outer<int>.Inner<string> { } class Outer<T> { public class Inner<T> { T? _a; } }")]
    [InlineData("class Order { public Box<int, string>? A; } class Box<F0, owner> { public F0? A; public owner? B; public int F1; }")]
    [InlineData("class Order { public bool A; public int B; public int C; } class _;")]
    [InlineData("class Order { public System.IntPtr A; public System.UIntPtr[]? B; } class nint; class @nuint;")]
    [InlineData("class Order(int number) { int Number() => number; }")]
    [InlineData("class Order() : Base(1); class Base(int number) { public int Number = number; int Next => number + 1; }")]
    [InlineData("struct Order(int number) { public int Last { get; } = number; int this[int i] => number + i; }")]
    [InlineData("class Order { private int @class; public dynamic? Any; [System.Obsolete] public int Old; public nint Native; }")]
    public void A_type_whose_fields_are_all_seen_has_code(string source) => Assert.Contains("Order", CodedOf(source));

    [Theory]
    [InlineData("class Order { private volatile int _number; }")]
    [InlineData("class Order { private Inner? _inner; class Inner { } }")]
    [InlineData("class Order { public event System.Action? Done; }")]
    [InlineData("class Order : System.Collections.Generic.List<int> { public int Number; }")]
    [InlineData("class Order : Base { private int _number; } class Base { private int _number; }")]
    [InlineData("[System.Runtime.CompilerServices.InlineArray(3)] struct Order { private int _first; }")]
    [InlineData("class Order { private System.Collections.Generic.List<Inner>[]? _a; private class Inner { } }")]
    [InlineData("class Order;")]
    [InlineData("partial class Order { partial int Number { get; set; } } "
        + "partial class Order { partial int Number { get => field; set => field = value; } }")]
    [InlineData("class Order : Base<int> { } class Base<T> where T : allows ref struct { int _a; }")]
    public void Any_other_type_has_none(string source) => Assert.DoesNotContain("Order", CodedOf(source));

    [Fact]
    public void A_generic_class_has_code_for_each_of_its_types_and_fields_found_once()
    {
        Compiled compiled = Compile("class Order { public Box<int>? A; public Box<string>? B; } class Box<T> { public T? Value; }");

        Assert.Equal(3, compiled.Coded.Length);
        Assert.Single(
            compiled.Source.Split("private static class Fields").Skip(1),
            part => part.Contains("Box<T0> owner", StringComparison.Ordinal));
    }

    // More are never asked of the reader at once.
    [Fact]
    public void Members_of_fixed_size_are_read_in_runs_of_4096_bytes()
    {
        string members = string.Concat(Enumerable.Range(0, 600).Select(i => $"public decimal M{i:D3}; "));
        Compiled compiled = Compile($"class Order {{ {members} }}");

        int[] sizes =
        [
            .. compiled.Source.Split("Ensure(ref writer, ref at, ").Skip(1)
                .Select(part => int.Parse(part[..part.IndexOf(',', StringComparison.Ordinal)], CultureInfo.InvariantCulture)),
        ];
        Assert.Equal([4096, 4096, 1408], sizes);
        Type order = compiled.Load().GetType("Order")!;
        object value = Activator.CreateInstance(order)!;
        order.GetField("M299")!.SetValue(value, 2.5m);
        order.GetField("M599")!.SetValue(value, 7m);
        var options = new SerializerOptions { TypeFilter = WireTypeFilter.Default.Allow(order), DynamicCode = false };
        var serializer = new Serializer(options with { Types = TableOf(order) });
        byte[] payload = serializer.Serialize(value);

        Assert.Equal(new Serializer(options).Serialize(value), payload);
        object read = serializer.Deserialize<object>(new MemoryStream(payload))!;
        Assert.Equal(2.5m, order.GetField("M299")!.GetValue(read));
        Assert.Equal(7m, order.GetField("M599")!.GetValue(read));
    }

    [Fact]
    public void Members_of_the_context_may_have_any_name()
    {
        Compiled compiled = Compiled.Of("""
            using Wire;
            [WireContext, WireType(typeof(Order))]
            partial class Messages : WireTypes
            {
                private int MemberCode0 => 1;
                private class Fields0 { public int _Fields => 2; }
                private void _MemberCodes() { }
            }
            class Order { public int Number; }
            """);
        compiled.Load();

        Assert.Contains("class __MemberCode0", compiled.Source, StringComparison.Ordinal);
    }

    // In flat messages the code for a class holds that for the objects in it.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Objects_whose_class_has_code_of_another_context_are_those_of_the_class(bool otherFirst)
    {
        Compiled compiled = Compile("""
            class Order { public Line? First; public System.Collections.Generic.List<Line?>? All; public Line[]? Others; }
            sealed class Line { public int Number; public int[]? Numbers; }
            [WireContext, WireType(typeof(Line))] partial class Others : WireTypes;
            """);
        Type order = compiled.Load().GetType("Order")!, line = order.Assembly.GetType("Line")!;
        object Line(int number)
        {
            object made = Activator.CreateInstance(line)!;
            line.GetField("Number")!.SetValue(made, number);
            line.GetField("Numbers")!.SetValue(made, new[] { 4, number });
            return made;
        }

        object value = Activator.CreateInstance(order)!;
        var all = (IList)Activator.CreateInstance(typeof(List<>).MakeGenericType(line))!;
        var others = (IList)Array.CreateInstance(line, 2);
        all.Add(Line(1));
        all.Add(null);
        others[1] = Line(2);
        order.GetField("First")!.SetValue(value, Line(3));
        order.GetField("All")!.SetValue(value, all);
        order.GetField("Others")!.SetValue(value, others);
        var options = new SerializerOptions { TypeFilter = WireTypeFilter.Default.Allow(order).Allow(line), DynamicCode = false };
        WireTypes own = TableOf(order), other = TableOf(order, "Others");
        WireTypes both = otherFirst ? WireTypes.Combine(other, own) : WireTypes.Combine(own, other);
        var serializer = new Serializer(options with { Types = both });
        byte[] expected = new Serializer(options).Serialize(value);

        for (int turn = 0; turn < 3; turn++)
        {
            Assert.Equal(expected, serializer.Serialize(value));
            object read = serializer.Deserialize<object>(expected)!;
            Assert.Equal(expected, new Serializer(options).Serialize(read));
            Assert.Equal(Numbers(order.GetField("All")!.GetValue(read)), [1, null]);
            Assert.Equal(Numbers(order.GetField("Others")!.GetValue(read)), [null, 2]);
            Assert.Equal([4, 3], (int[])line.GetField("Numbers")!.GetValue(order.GetField("First")!.GetValue(read))!);
        }

        IEnumerable<object?> Numbers(object? lines) =>
            ((IEnumerable)lines!).Cast<object?>().Select(each => each is null ? null : line.GetField("Number")!.GetValue(each));
    }

    [Fact]
    public void Types_behind_an_alias_are_not_named()
    {
        CSharpCompilation other = Compiled.Create(["namespace Lib; public class Entity { public int Number; }"]);
        Compiled compiled = Compiled.Of(Compiled.Create(
            [
                """
                extern alias other;
                using Wire;
                [WireContext, WireType(typeof(Order))] partial class Messages : WireTypes;
                class Order { public System.Collections.Generic.Stack<other::Lib.Entity>? Entities; public Own? Own; }
                class Own { public int Number; }
                """,
            ],
            other.ToMetadataReference(["other"])));

        Assert.DoesNotContain(compiled.Compilation.GetDiagnostics(), each => each.Severity == DiagnosticSeverity.Error);
        Assert.Equal(["Own"], compiled.Coded);
    }

    private static WireTypes TableOf(Type type, string context = "Messages") =>
        (WireTypes)type.Assembly.GetType(context)!.GetProperty("Default")!.GetValue(null)!;

    private static string[] CodedOf(string source)
    {
        Compiled compiled = Compile(source);
        compiled.Load();
        return compiled.Coded;
    }

    private static Compiled Compile(string source) => Compiled.Of(
        $"using Wire; [WireContext, WireType(typeof(Order))] partial class Messages : WireTypes; {source}");
}
