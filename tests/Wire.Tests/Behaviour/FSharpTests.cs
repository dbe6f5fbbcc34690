using Microsoft.FSharp.Collections;
using Microsoft.FSharp.Core;
using Wire.Tests.Testing;
using Xunit;

namespace Wire.Tests.Behaviour;

/// <summary>Wire.FSharp as a C# program uses it.</summary>
public class FSharpTests
{
    private static readonly Serializer Serializer = new(new SerializerOptions { VersionTolerance = true }.UseFSharp());

    public sealed record Order(
        FSharpList<int> Lines, FSharpOption<string>? Note, FSharpMap<string, int> Prices, FSharpResult<int, string> State);

    [Fact]
    public void UseFSharp_is_an_extension_method_of_the_options()
    {
        var order = new Order(
            ListModule.OfSeq([1, 2, 3]),
            FSharpOption<string>.Some("fragile"),
            MapModule.OfSeq([Tuple.Create("bolt", 3)]),
            FSharpResult<int, string>.NewError("late"));

        Assert.Equal(order, Serializer.Deserialize<Order>(Serializer.Serialize(order)));
        Assert.Null(Serializer.CopyBothWays(order with { Note = FSharpOption<string>.None })!.Note);
    }

    [Fact]
    public void Without_it_types_of_FSharp_are_refused_with_the_reason()
    {
        UnsupportedTypeException e = Assert.Throws<UnsupportedTypeException>(() => new Serializer().Serialize(ListModule.OfSeq([1])));

        Assert.Contains("UseFSharp", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_function_of_FSharp_is_refused_with_or_without_it()
    {
        FSharpFunc<int, int> function = FuncConvert.FromFunc<int, int>(i => i + 1);

        Assert.Contains(
            "F# functions",
            Assert.Throws<UnsupportedTypeException>(() => new Serializer().Serialize(function)).Message,
            StringComparison.Ordinal);
        Assert.Contains(
            "F# functions",
            Assert.Throws<UnsupportedTypeException>(() => Serializer.Serialize(function)).Message,
            StringComparison.Ordinal);
    }
}
