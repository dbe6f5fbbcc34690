using Xunit;
using static Wire.Tests.Paths.PathSamples;

namespace Wire.Tests.Paths;

/// <summary>A path made of an expression.</summary>
public class PathExpressionTests
{
    [Fact]
    public void An_expression_has_the_names_that_payloads_have()
    {
        byte[] payload = Copies.Serialize(Example(3));
        int index = 2;
        Assert.Equal("Items[2].Name", Copies.Path((Sample e) => e.Items[index].Name).Text);
        Assert.Equal("item 2", Copies.Path((Sample e) => e.Items[index].Name).Read(payload));
        Assert.Equal("b", Copies.Path((Sample e) => e.Texts![1]).Read(payload));
        Assert.Equal(20, Copies.Path((Sample e) => e.ByName["b"]).Read(payload));
        Assert.Equal(30, Copies.Path((Sample e) => e.ByName["é€"]).Read(payload));
        Assert.Equal("three", Copies.Path((Sample e) => e.ByNumber[3]).Read(payload));
        Assert.Equal("green", Copies.Path((Sample e) => e.ByColor[Color.Green]).Read(payload));
        Assert.Equal(4, Copies.Path((Sample e) => ((Corner)e.Any!).Y).Read(payload));
        Assert.Equal(2, Copies.Path((Sample e) => e.Maybe!.Value).Read(Copies.Serialize(Example(2))));
        Assert.Equal("renamed", Copies.Path((Sample e) => e.Renamed).Read(payload));
        Assert.Equal("wire.name", Copies.Path((Sample e) => e.Renamed).Text.Trim('[', ']', '"'));

        ArgumentException none = Assert.Throws<ArgumentException>(() => Copies.Path((Sample e) => e.Texts!.Count + 1));
        Assert.Contains("is no step of a path", none.Message, StringComparison.Ordinal);
        none = Assert.Throws<ArgumentException>(() => Copies.Path((Sample e) => e.Computed));
        Assert.Contains("no field that 'Computed' stands for", none.Message, StringComparison.Ordinal);
        Assert.Throws<ArgumentException>(() => Copies.Path((Kelvin k) => ((Whole)k).Number));
        Assert.Throws<FormatException>(() => Copies.Path<int>("a..b"));
        Color which = Color.Red;
        Assert.Equal("Items[1].Name", Copies.Path((Sample e) => e.Items[(int)which].Name).Text);
        Assert.Equal("ByNumber[3]", Copies.Path((Sample e) => e.ByNumber[3]).Text);
        Assert.Equal("[true]", Copies.Path((Dictionary<bool, int> map) => map[true]).Text);
        var day = new DateOnly(2024, 2, 29);
        Assert.Equal("[2024-02-29]", Copies.Path((Dictionary<DateOnly, int> map) => map[day]).Text);
        Assert.Equal("[2]", Copies.Path((Dictionary<Odd, int> map) => map[Odd.Five]).Text);
    }
}
