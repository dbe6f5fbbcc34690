using Wire.Generator.Tests.Testing;

namespace Wire.Generator.Tests;

/// <summary>A row makes objects where the sources show that nothing else happens then.</summary>
public sealed class CreationTests
{
    [Theory]
    [InlineData("class Order { public int Number { get; set; } public string? Name; }")]
    [InlineData("class Order { public Order() { } }")]
    [InlineData("class Order { internal Order() : base() { } const int A = 1; static int B = 2; static int C { get; } = 3; }")]
    [InlineData("class Order : Base { } abstract class Base { protected Base() { } }")]
    [InlineData("record Order { public int Number { get; init; } }")]
    [InlineData("class Order { public Order(int number) { } public Order() { } }")]
    [InlineData("partial class Order { } partial class Order { public int Number; }")]
    public void A_constructor_that_does_nothing_makes_the_objects(string source) =>
        Assert.Contains("Class<Order>(static () => new Order())", RowsOf(source));

    // Native code keeps no field of such a part, or there is none, which it cannot tell: it refuses the class that has no row.
    [Theory]
    [InlineData("class Order : Base<string> { public int Number = 1; } abstract class Base<T>;", "Order")]
    [InlineData("class Order : Base<int> { public int Number = 1; } class Base<T> where T : struct { public T Value; }", "Order")]
    [InlineData("class Order : Base<int> { public int Number = 1; } class Base<T> where T : unmanaged { public T Value; }", "Order")]
    [InlineData("class Order { public Box<string> Content = new(1); } class Box<T> { public Box(int a) { } }", "Box<string>")]
    public void A_class_of_whose_parts_no_field_is_seen_has_a_row(string source, string type) =>
        Assert.Contains($"Class<{type}>()", RowsOf(source));

    [Theory]
    [InlineData("class Order : Base<string> { public int Number = 1; } abstract class Base<T> { public T? Value; }")]
    [InlineData("class Order : Base<int> { public int Number = 1; } class Base<T> { public T? Value; }")]
    [InlineData("class Order : Base { public int Number = 1; } class Base;")]
    [InlineData("class Order : System.Collections.Generic.List<string> { public int Number = 1; }")]
    public void A_class_whose_fields_are_seen_has_none_but_for_its_code(string source)
    {
        Compiled compiled = Compile(source);
        Assert.Equal(compiled.Coded.Length, compiled.Rows.Length);
    }

    [Theory]
    [InlineData("record Order(int Number, string Text);", 2)]
    [InlineData("class Order(int number) { public override string ToString() => $\"{number}\"; }", 1)]
    [InlineData("class Order(int number, string text) { public int Number { get; } = number; private readonly string _text = text; }", 2)]
    [InlineData("record Order(int Number, string Text) : Base(Number); abstract record Base(int Number);", 2)]
    [InlineData("record Order(int Number) : Base; abstract record Base { public int Id { get; set; } }", 1)]
    [InlineData("record Order(int? Number = 3, System.DateTime At = default) { public Order() : this(1) { } }", 2)]
    [InlineData("record Order(Line? Line); record Line(Order? Order);", 1)]
    public void A_constructor_that_keeps_what_it_is_given_makes_the_objects(string source, int parameters) => Assert.Contains(
        $"Class<Order>(static () => new Order({string.Join(", ", Enumerable.Repeat("default!", parameters))}))", RowsOf(source));

    [Theory]
    [InlineData("class Order { public int Number = 1; }")]
    [InlineData("class Order { public int Number { get; set; } = 1; }")]
    [InlineData("class Order { public event System.Action Done = null!; }")]
    [InlineData("class Order { public Order() { Number = 1; } public int Number; }")]
    [InlineData("class Order { public Order() => Number = 1; public int Number; }")]
    [InlineData("class Order { public Order() : this(1) { } public Order(int number) { } }")]
    [InlineData("class Order { private Order() { } }")]
    [InlineData("class Order { public Order(int number = 1) { } }")]
    [InlineData("class Order() { public int Number = 1; }")]
    [InlineData("class Order(int number) { public int Number { get; } = number + 1; }")]
    [InlineData("class Order(string text) { private readonly int _length = text.Length; }")]
    [InlineData("record Order(int Number) { public int Number { get; init; } = Check(Number); static int Check(int a) => a; }")]
    [InlineData("record Order(int Number) { public System.Guid Id { get; } = System.Guid.NewGuid(); }")]
    [InlineData("record Order(string Number) { public Order(System.Uri number) : this(number.Host) { } }")]
    [InlineData("record Order(params int[] Numbers);")]
    [InlineData("class Order(in int number) { public int Number { get; } = number; }")]
    [InlineData(
        "class Order(string host) { Host At { get; } = host; } class Host { public static implicit operator Host(string a) => new(); }")]
    [InlineData("record Order(int Number) : Base(Number); abstract record Base(long Id);")]
    [InlineData("record Order(int Number) : Base(Number + 1); abstract record Base(int Id);")]
    [InlineData("record Order(int Number) : Base(1); abstract record Base(int Id);")]
    [InlineData("record Order(int Number) : Base(Number); abstract record Base(int Id) { public int More = 1; }")]
    [InlineData("class Order(int a) : Base(a) { } class Base { public Base() { } public Base(int a) { Add(a); } void Add(int a) { } }")]
    [InlineData("class Order(int a) : Base(a) { } class Base(int a, int b) { public Base(int a) : this(a, 1) { } int Sum() => a + b; }")]
    [InlineData("class Order { public required string Name { get; init; } }")]
    [InlineData("class Order : Base { } class Base { private int _number = 1; }")]
    [InlineData("class Order : Base { } class Base { public Base() { Add(1); } protected void Add(int a) { } }")]
    [InlineData("class Order : System.Collections.Generic.List<string> { }")]
    [InlineData("abstract class Order { }")]
    [InlineData("partial class Order { } partial class Order { public int Number = 1; }")]
    public void Any_other_class_is_made_without_its_constructor(string source) =>
        Assert.DoesNotContain(RowsOf(source), row => row.Contains("new Order(", StringComparison.Ordinal));

    private static string[] RowsOf(string source) => Compile(source).Rows;

    private static Compiled Compile(string source)
    {
        Compiled compiled = Compiled.Of(
            $"using Wire; [WireContext, WireType(typeof(Order))] partial class Messages : WireTypes; {source}");
        compiled.Load();
        return compiled;
    }
}
