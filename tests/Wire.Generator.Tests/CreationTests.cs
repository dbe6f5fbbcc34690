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

    [Theory]
    [InlineData("class Order { public int Number = 1; }")]
    [InlineData("class Order { public int Number { get; set; } = 1; }")]
    [InlineData("class Order { public event System.Action Done = null!; }")]
    [InlineData("class Order { public Order() { Number = 1; } public int Number; }")]
    [InlineData("class Order { public Order() => Number = 1; public int Number; }")]
    [InlineData("class Order { public Order() : this(1) { } public Order(int number) { } }")]
    [InlineData("class Order { private Order() { } }")]
    [InlineData("class Order { public Order(int number = 1) { } }")]
    [InlineData("class Order(int number) { public override string ToString() => $\"{number}\"; }")]
    [InlineData("class Order() { public int Number = 1; }")]
    [InlineData("record Order(int Number);")]
    [InlineData("class Order { public required string Name { get; init; } }")]
    [InlineData("class Order : Base { } class Base { private int _number = 1; }")]
    [InlineData("class Order : Base { } class Base { public Base() { Add(1); } protected void Add(int a) { } }")]
    [InlineData("class Order : System.Collections.Generic.List<string> { }")]
    [InlineData("abstract class Order { }")]
    [InlineData("partial class Order { } partial class Order { public int Number = 1; }")]
    public void Any_other_class_is_made_without_its_constructor(string source) =>
        Assert.DoesNotContain(RowsOf(source), row => row.Contains("new Order()", StringComparison.Ordinal));

    private static string[] RowsOf(string source)
    {
        Compiled compiled = Compiled.Of(
            $"using Wire; [WireContext, WireType(typeof(Order))] partial class Messages : WireTypes; {source}");
        compiled.Load();
        return compiled.Rows;
    }
}
