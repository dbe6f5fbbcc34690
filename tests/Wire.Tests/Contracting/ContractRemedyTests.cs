using System.Collections.Immutable;
using static Wire.ContractDirection;

namespace Wire.Tests.Contracting;

/// <summary>What a contract proposes is what the library takes, and mends what it is for.</summary>
public sealed class ContractRemedyTests
{
    [Fact]
    public void A_name_with_an_assembly_cannot_be_given_so_that_the_readers_redirect_it()
    {
        WireContract old = WireContract.From(new Serializer(), typeof(GoodsLine));
        WireContract now = WireContract.From(new Serializer(), typeof(ArticleLine));
        ContractDifference[] differences = [.. now.CompareWith(old).Differences];

        string forNew = Assert.Single(differences, one => one.Direction == ReadsOld).Remedy!;
        Assert.Equal($"TypeAliases.Redirect(\"{Name<GoodsLine>()}\", typeof({InCode<ArticleLine>()}))", forNew);
        string forOld = Assert.Single(differences, one => one.Direction == IsReadByOld).Remedy!;
        Assert.StartsWith(
            $"TypeAliases.Redirect(\"{Name<ArticleLine>()}\", typeof({InCode<GoodsLine>()})) in the readers, "
                + "before anybody writes the new name",
            forOld,
            StringComparison.Ordinal);
        Assert.EndsWith("; or keep the old name of the class", forOld, StringComparison.Ordinal);

        byte[] payload = new Serializer().Serialize<object>(new ArticleLine { Price = 3 });
        TypeAliases redirect = TypeAliases.None.Redirect(Name<ArticleLine>(), typeof(GoodsLine));
        Assert.Equal(3, new Serializer(new() { TypeAliases = redirect }).Deserialize<GoodsLine>(payload)!.Price);
    }

    [Fact]
    public void A_generic_type_is_redirected_by_its_definition()
    {
        WireContract old = WireContract.From(
            new Serializer(new() { TypeAliases = TypeAliases.None.Alias(typeof(Crate<>), "Old.Crate") }), typeof(Crate<GoodsLine>));
        WireContract now = WireContract.From(new Serializer(), typeof(Crate<GoodsLine>));
        ContractDifference[] differences = [.. now.CompareWith(old).Differences];

        Assert.Equal(
            $"TypeAliases.Redirect(\"Old.Crate`1\", typeof({InCode<Crate<int>>()}<>))",
            Assert.Single(differences, one => one.Direction == ReadsOld).Remedy);
        Assert.StartsWith(
            "[WireName(\"Old.Crate\")] on ",
            Assert.Single(differences, one => one.Direction == IsReadByOld).Remedy,
            StringComparison.Ordinal);

        Assert.All(
            new[] { typeof(Crate<(int, string)>), typeof(Crate<int[,]>), typeof(Crate<Dictionary<int, string>>) },
            type => Assert.All(
                WireContract.From(new Serializer(), type).CompareWith(WireContract.From(
                    new Serializer(new() { TypeAliases = TypeAliases.None.Alias(typeof(Crate<>), "Old.Crate") }), type)).Differences,
                one => Assert.Contains($"{InCode<Crate<int>>()}<>", one.Remedy, StringComparison.Ordinal)));

        byte[] payload = new Serializer(new() { TypeAliases = TypeAliases.None.Alias(typeof(Crate<>), "Old.Crate") })
            .Serialize<object>(new Crate<int> { Content = 3 });
        TypeAliases redirect = TypeAliases.None.Redirect("Old.Crate`1", typeof(Crate<>));
        Assert.Equal(3, new Serializer(new() { TypeAliases = redirect }).Deserialize<Crate<int>>(payload)!.Content);
    }

    [Fact]
    public void The_name_of_a_member_that_is_still_there_goes_to_no_other()
    {
        ContractDifference draft = Assert.Single(Compare<Before, Inserted>(), one => one.Member == "Draft");
        Assert.Equal((IsReadByOld, ContractVerdict.RefusesSome, null), (draft.Direction, draft.Verdict, draft.Remedy));
    }

    [Fact]
    public void A_member_that_replaces_another_gets_the_old_name_whichever_side_reads()
    {
        ContractDifference[] differences = [.. Compare<Before, Replaced>().Where(one => one.Remedy is not null)];
        Assert.Equal([ReadsOld, IsReadByOld], differences.Select(one => one.Direction));
        Assert.All(differences, one =>
        {
            Assert.StartsWith("[WireName(\"Open\")] on ", one.Remedy, StringComparison.Ordinal);
            Assert.Contains("Begun, if", one.Remedy, StringComparison.Ordinal);
        });
    }

    private static ImmutableArray<ContractDifference> Compare<TOld, TNew>() =>
        Contract<TNew>().CompareWith(Contract<TOld>()).Differences;

    private static WireContract Contract<T>() => WireContract.From(
        new Serializer(new() { TypeAliases = TypeAliases.None.Alias<T>("T") }), typeof(Crate<T>));

    private static string Name<T>() => $"{typeof(T).FullName}, {typeof(T).Assembly.GetName().Name}";

    private static string InCode<T>() => typeof(T).FullName!.Split('`')[0].Replace('+', '.');

    private sealed class GoodsLine
    {
        public int Price { get; set; }
    }

    private sealed class ArticleLine
    {
        public int Price { get; set; }
    }

    private sealed class Crate<T>
    {
        public T? Content { get; set; }
    }

    private enum Before
    {
        Unknown,
        Open,
    }

    private enum Inserted
    {
        Unknown,
        Draft,
        Open,
    }

    private enum Replaced
    {
        Unknown,
        Begun,
    }
}
