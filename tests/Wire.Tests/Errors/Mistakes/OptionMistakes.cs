using static Wire.Tests.Errors.Mistakes.Mistake;

namespace Wire.Tests.Errors.Mistakes;

/// <summary>Options that contradict each other, or that writer and reader do not share.</summary>
internal static class OptionMistakes
{
    public static Mistake[] All =>
    [
        new(
            "one alias for two types",
            () => TypeAliases.None.Alias<Placed>("Shop.Order").Alias<Cancelled>("Shop.Order"),
            "'Shop.Order' is read as Wire.Tests.Errors.Mistakes.Placed already",
            "give it another name"),
        new(
            "two aliases for one type",
            () => TypeAliases.None.Alias<Placed>("A").Alias<Placed>("B"),
            "has the alias 'A' already",
            "Use Redirect"),
        new(
            "an alias with an assembly",
            () => TypeAliases.None.Alias<Placed>("Shop.Order, Shop"),
            "'Shop.Order, Shop'",
            "Give a name without an assembly"),
        new("an empty alias", () => TypeAliases.None.Alias<Placed>(""), "it is empty", "such as 'Shop.Order'"),
        new(
            "two redirects of one name",
            () => TypeAliases.None.Redirect("Old", typeof(Placed)).Redirect("Old", typeof(Cancelled)),
            "'Old'",
            "Leave out one of the two"),
        new(
            "one number for two known types",
            () => With(new() { KnownTypes = [new(1, typeof(Placed)), new(1, typeof(Cancelled))] }),
            "have the same identifier 1",
            "Give each its own"),
        new(
            "one known type twice",
            () => With(new() { KnownTypes = [new(1, typeof(Placed)), new(2, typeof(Placed))] }),
            "has two identifiers, 1 and 2",
            "Keep the one that payloads have"),
        new(
            "a negative number of a known type",
            () => With(new() { KnownTypes = [new(-1, typeof(Placed))] }),
            "Mistakes.Placed is -1",
            "from 0 to"),
        new("a negative limit", () => With(new() { Limits = new() { MaxDepth = -1 } }), "MaxDepth", "greater than or equal to"),
        new("a surrogate for what it makes", () => Surrogate.Create<Placed, Placed>(x => x, x => x), "Mistakes.Placed", "as another type"),
        new("an open filter", () => WireTypeFilter.Default.AllowNamespace(""), "(Parameter 'name')", "Give one with the types"),
        new(
            "a surrogate that only the writer has",
            () => Default.Deserialize<Placed>(With(new() { Surrogates = [Number()] }).Serialize(new Placed(1, "Ann"))),
            "Mistakes.Placed",
            "Add the one that the writer has"),
        new(
            "a surrogate that only the reader has",
            () => With(new() { Surrogates = [Number()] }).Deserialize<Placed>(Default.Serialize(new Placed(1, "Ann"))),
            "Mistakes.Placed without a surrogate",
            "Add it to the writer's options"),
        new(
            "a surrogate that throws nothing away but null",
            () => With(new() { Surrogates = [Surrogate.Create<Placed, string>(_ => null!, _ => null!)] })
                .Deserialize<Placed>(With(new() { Surrogates = [Surrogate.Create<Placed, string>(_ => "a", _ => null!)] })
                    .Serialize(new Placed(1, "Ann"))),
            "The surrogate for Wire.Tests.Errors.Mistakes.Placed",
            "Let its conversion back return"),
        new(
            "other members, and no version tolerance",
            () => With(new() { TypeAliases = TypeAliases.None.Alias<Other>("T"), VersionTolerance = false }).Deserialize<Other>(
                With(new() { TypeAliases = TypeAliases.None.Alias<Placed>("T"), VersionTolerance = false }).Serialize(new Placed(1, "a"))),
            "Mistakes.Other",
            "write with VersionTolerance on"),
    ];

    private static Surrogate Number() => Surrogate.Create<Placed, int>(placed => placed.Number, number => new Placed(number, ""));
}
