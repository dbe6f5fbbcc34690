using static Wire.ContractDirection;
using static Wire.ContractVerdict;

namespace Wire.Tests.Contracting;

#pragma warning disable CS0169, CS0649, IDE0044, IDE0051, CA1823 // The members are described, and never used.

public sealed class ContractComparisonTests
{
    [Fact]
    public void A_renamed_member_is_named_with_its_remedy()
    {
        ContractComparison comparison = Compare<Order1, Order2>();
        Assert.Equal((Loses, Loses), (comparison.ReadsOld, comparison.IsReadByOld));
        Assert.Equal(
            "Compatible, but loses data.\n"
            + "\nThe new types read old payloads:\n"
            + "  T\n"
            + "    loses Customer: it is passed over: the reader has no member of this name.\n"
            + "      -> [WireName(\"Customer\")] on T.Buyer, if that is what has become of it\n"
            + "    loses Buyer: it stays null: the payload does not have it.\n"
            + "      -> [WireName(\"Customer\")] on T.Buyer, if that is what has become of it\n"
            + "\nThe old types read new payloads:\n"
            + "  T\n"
            + "    loses Buyer: it is passed over: the reader has no member of this name.\n"
            + "      -> [WireName(\"Customer\")] on T.Buyer, if that is what has become of it\n"
            + "    loses Customer: it stays null: the payload does not have it.\n"
            + "      -> [WireName(\"Customer\")] on T.Buyer, if that is what has become of it\n",
            comparison.ToString());
    }

    [Fact]
    public void The_remedy_mends_it() => Assert.Equal("Everything is compatible.\n", Compare<Order1, Order3>().ToString());

    [Fact]
    public void A_type_that_has_lost_its_name_gets_a_redirect_to_paste()
    {
        WireContract old = WireContract.From(With(TypeAliases.None.Alias<Order1>("Shop.Order")), typeof(Order1));
        ContractComparison comparison = WireContract.From(new Serializer(), typeof(Order1)).CompareWith(old);
        ContractDifference difference = Assert.Single(comparison.Differences, one => one.Direction == ReadsOld);
        Assert.Equal((Refuses, "Shop.Order"), (difference.Verdict, difference.Type));
        Assert.Equal(
            "TypeAliases.Redirect(\"Shop.Order\", typeof(Wire.Tests.Contracting.ContractComparisonTests.Order1))", difference.Remedy);

        Serializer redirected = With(TypeAliases.None.Redirect("Shop.Order", typeof(Order1)));
        ContractComparison mended = WireContract.From(redirected, typeof(Order1)).CompareWith(old);
        Assert.Equal((Reads, Refuses), (mended.ReadsOld, mended.IsReadByOld));
        Assert.StartsWith("[WireName(\"Shop.Order\")]", Assert.Single(mended.Differences).Remedy, StringComparison.Ordinal);
    }

    [Fact]
    public void An_old_name_of_a_generic_type_is_found_in_its_arguments_too()
    {
        WireContract old = WireContract.From(
            With(TypeAliases.None.Alias(typeof(Box<>), "Old.Box").Alias<Order1>("Old.Order")), typeof(Box<Order1>));
        Serializer now = With(TypeAliases.None.Redirect("Old.Box`1", typeof(Box<>)).Redirect("Old.Order", typeof(Order1)));
        Assert.Equal(Reads, WireContract.From(now, typeof(Box<Order1>)).CompareWith(old).ReadsOld);
    }

    [Fact]
    public void A_number_that_may_not_fit_is_refused_sometimes()
    {
        ContractComparison comparison = Compare<Number<int>, Number<long>>();
        Assert.Equal((Reads, RefusesSome), (comparison.ReadsOld, comparison.IsReadByOld));
        Assert.False(comparison.BreaksOldPayloads);
        Assert.StartsWith(
            "BREAKS: new payloads are refused by the old types. Old ones are read.", comparison.ToString(), StringComparison.Ordinal);
        Assert.True(Compare<Number<long>, Number<int>>().BreaksOldPayloads);
    }

    [Fact]
    public void A_member_of_another_type_is_refused_always()
    {
        ContractDifference difference = Assert.Single(Compare<Number<int>, Number<string>>().Differences, one => one.Direction == ReadsOld);
        Assert.Equal((Refuses, "T", "Value"), (difference.Verdict, difference.Type, difference.Member));
        Assert.Equal("keep the type of T.Value, and add a member of the new type beside it", difference.Remedy);
    }

    [Fact]
    public void A_name_of_an_enum_whose_number_another_has_is_refused_and_one_that_is_gone_loses_its_name()
    {
        ContractComparison comparison = Compare<Number<State1>, Number<State2>>();
        Assert.Contains(comparison.Differences, one =>
            one is { Direction: ReadsOld, Verdict: RefusesSome, Member: "Open", Remedy: not null }
            && one.Remedy.StartsWith("[WireName(\"Open\")] on ", StringComparison.Ordinal)
            && one.Remedy.Contains(".Begun", StringComparison.Ordinal));
        Assert.Contains(comparison.Differences, one => one is { Direction: IsReadByOld, Verdict: Loses, Member: "Shipped" });
    }

    [Fact]
    public void Without_names_of_enums_a_number_that_becomes_another_name_is_told()
    {
        var options = new SerializerOptions { EnumsByName = false };
        ContractDifference[] differences =
            [.. Compare<Number<State1>, Number<State2>>(options).Differences.Where(one => one is { Direction: ReadsOld, Member: "Open" })];
        Assert.Equal("it is read as Begun.", Assert.Single(differences).Reason);
    }

    [Fact]
    public void Without_version_tolerance_every_difference_is_refused()
    {
        ContractComparison comparison = Compare<Order1, Order2>(new SerializerOptions { VersionTolerance = false });
        Assert.Equal((Refuses, Refuses), (comparison.ReadsOld, comparison.IsReadByOld));
    }

    [Fact]
    public void An_unsealed_class_is_refused_where_its_name_was_left_out()
    {
        ContractComparison comparison = Compare<Number<Sealed>, Number<Open>>(
            new SerializerOptions(), names => names.Alias<Sealed>("S"), names => names.Alias<Open>("S"));
        Assert.Equal((RefusesSome, Reads), (comparison.ReadsOld, comparison.IsReadByOld));
    }

    [Theory]
    [InlineData(MissingMembers.Allowed, Loses)]
    [InlineData(MissingMembers.RequiredRefused, Refuses)]
    [InlineData(MissingMembers.NonNullRefused, Refuses)]
    public void A_missing_member_is_refused_where_the_options_say_so(MissingMembers rule, ContractVerdict verdict) => Assert.Equal(
        verdict, Compare<Order1, WithRequired>(new SerializerOptions { MissingMembers = rule }).ReadsOld);

    [Fact]
    public void A_missing_member_that_may_not_be_null_is_another_rule()
    {
        var required = new SerializerOptions { MissingMembers = MissingMembers.RequiredRefused };
        var notNull = new SerializerOptions { MissingMembers = MissingMembers.NonNullRefused };
        Assert.Equal(Loses, Compare<Order1, WithNotNull>(required).ReadsOld);
        Assert.Equal(Refuses, Compare<Order1, WithNotNull>(notNull).ReadsOld);
    }

    [Fact]
    public void A_known_type_is_found_by_its_number()
    {
        var first = new Serializer(new SerializerOptions { KnownTypes = [new(7, typeof(Order1))] });
        var second = new Serializer(new SerializerOptions { KnownTypes = [new(7, typeof(Order2))] });
        ContractComparison comparison = WireContract.From(second).CompareWith(WireContract.From(first));
        Assert.Equal((Loses, Loses), (comparison.ReadsOld, comparison.IsReadByOld));
        Assert.Equal(Refuses, WireContract.From(new Serializer(), typeof(Order2)).CompareWith(WireContract.From(first)).ReadsOld);
    }

    [Fact]
    public void The_types_of_dot_NET_and_of_every_option_have_contracts()
    {
        Type[] types =
        [
            typeof(List<int>), typeof(int[][]), typeof(Exception), typeof(System.Numerics.Vector3), typeof(DayOfWeek),
            typeof(Dictionary<string, (int A, string B)[]>), typeof(System.ComponentModel.BindingList<int>),
            typeof(PriorityQueue<string, int>),
            typeof(ILookup<int, string>), typeof(System.Collections.Hashtable), typeof(System.Globalization.CultureInfo), typeof(Custom),
            typeof(LinkedListNode<int>), typeof(LinkedListNode<Custom>),
            typeof((int, int, int, int, int, int, int, int, int)), typeof(Tuple<int, string>), typeof(KeyValuePair<int, Open>),
        ];
        string text = WireContract.From(new Serializer(), types).ToString();
        Assert.Equal(text, WireContract.Parse(text).ToString());
        Assert.Empty(WireContract.From(new Serializer(), types).CompareWith(WireContract.Parse(text)).Differences);
    }

    private static ContractComparison Compare<TOld, TNew>(
        SerializerOptions? options = null, Func<TypeAliases, TypeAliases>? old = null, Func<TypeAliases, TypeAliases>? now = null)
    {
        options ??= new SerializerOptions();
        WireContract before = WireContract.From(
            new Serializer(options with { TypeAliases = (old ?? (names => names))(TypeAliases.None.Alias<TOld>("T")) }), typeof(TOld));
        WireContract after = WireContract.From(
            new Serializer(options with { TypeAliases = (now ?? (names => names))(TypeAliases.None.Alias<TNew>("T")) }), typeof(TNew));
        ContractComparison comparison = after.CompareWith(before);

        // A contract says the same when it comes from a file, in either direction.
        ContractComparison back = WireContract.Parse(after.ToString()).CompareWith(WireContract.Parse(before.ToString()));
        Assert.Equal(comparison.ToString(), back.ToString());
        return comparison;
    }

    private static Serializer With(TypeAliases names) => new(new SerializerOptions { TypeAliases = names });

    private sealed record Order1(int Number, string Customer);

    private sealed record Order2(int Number, string Buyer);

    private sealed record Order3(int Number, [property: WireName("Customer")] string Buyer);

    private sealed class Number<T>
    {
        public T? Value { get; set; }
    }

    private enum State1
    {
        Unknown,
        Open,
    }

    private enum State2
    {
        Unknown,
        Begun,
        Shipped,
    }

    private sealed class Sealed
    {
        public int X { get; set; }
    }

    private class Open
    {
        public int X { get; set; }
    }

    private sealed class WithRequired
    {
        public int Number { get; set; }

        public required int More { get; set; }
    }

    private sealed class WithNotNull
    {
        public int Number { get; set; }

        public string More { get; set; } = "";
    }

    private sealed class Box<T>
    {
        public T? Value { get; set; }
    }

    private sealed class Custom : List<Open>
    {
        public string? Title { get; set; }
    }
}
