using Wire.Comparing;

namespace Wire.Tests.Testing;

/// <summary>
/// The tests of one type: derive a class and name samples. BuiltInTypesTests fails when a built-in type or family has none.
/// </summary>
public abstract class ValueTests<T>
{
    public static TheoryData<bool, bool, bool> Combinations => Configuration.Sample(typeof(T));

    /// <summary>Values at the edges of the type.</summary>
    protected abstract IEnumerable<T> Samples { get; }

    [Theory]
    [MemberData(nameof(Combinations))]
    public void Every_source_gives_the_value_back(bool references, bool tolerance, bool dynamicCode) =>
        ForEach(references, tolerance, dynamicCode, (tester, sample, _) => tester.Sources(sample));

    [Theory]
    [MemberData(nameof(Combinations))]
    public void Members_and_collections_hold_it(bool references, bool tolerance, bool dynamicCode) =>
        ForEach(references, tolerance, dynamicCode, (tester, sample, all) => tester.Containers(sample, all));

    [Theory]
    [MemberData(nameof(Combinations))]
    public void It_is_read_into_what_holds_others(bool references, bool tolerance, bool dynamicCode) =>
        ForEach(references, tolerance, dynamicCode, (tester, sample, all) => tester.Into(sample, all));

    [Theory]
    [MemberData(nameof(Combinations))]
    public void A_session_carries_it_twice(bool references, bool tolerance, bool dynamicCode) =>
        ForEach(references, tolerance, dynamicCode, (tester, sample, _) => tester.Sessions(sample));

    [Theory]
    [MemberData(nameof(Combinations))]
    public void Typed_payloads_and_clones_hold_it(bool references, bool tolerance, bool dynamicCode) =>
        ForEach(references, tolerance, dynamicCode, (tester, sample, _) => tester.Typed(sample));

    [Theory]
    [MemberData(nameof(Combinations))]
    public void A_payload_cut_anywhere_is_reported_as_cut(bool references, bool tolerance, bool dynamicCode) =>
        ForEach(references, tolerance, dynamicCode, (tester, sample, _) => tester.Cuts(sample));

    [Theory]
    [MemberData(nameof(Combinations))]
    public void A_payload_with_a_wrong_byte_is_read_or_reported(bool references, bool tolerance, bool dynamicCode) =>
        ForEach(references, tolerance, dynamicCode, (tester, sample, _) => tester.Damage(sample));

    [Fact]
    public void Emitted_code_and_reflection_write_the_same_bytes()
    {
        foreach (T sample in Samples)
        {
            foreach ((bool references, bool tolerance, _) in Configuration.All())
            {
                ValueTester<T>.Twins(sample, references, tolerance);
            }
        }
    }

    [Fact]
    public void What_is_shared_comes_back_shared()
    {
        foreach (T sample in Samples)
        {
            foreach (bool dynamicCode in new[] { false, true })
            {
                Serializer serializer = Configuration.Serializer(references: true, tolerance: true, dynamicCode);
                object?[] twice = [sample, new Holder<T> { Declared = sample, Any = sample, Last = sample }];
                GraphAssert.Same(twice, serializer.Clone(twice), sharing: true);
                GraphAssert.Same(twice, serializer.CopyBothWays(twice), sharing: true);
            }
        }
    }

    [Fact]
    public void Graphs_are_equal_where_nothing_tells_them_apart()
    {
        T[] all = [.. Samples];
        foreach (bool references in new[] { false, true })
        {
            Serializer serializer = Configuration.Serializer(references, tolerance: true, dynamicCode: true);
            var equality = new GraphEquality(serializer);
            for (int i = 0; i < all.Length; i++)
            {
                Assert.Null(equality.FindDifference(all[i], serializer.Clone(all[i]))?.ToString());
                for (int j = 0; j < Math.Min(20, all.Length); j++)
                {
                    string? strict = GraphAssert.Difference(all[i], all[j], references ? true : null);
                    string? found = equality.FindDifference(all[i], all[j])?.ToString();
                    Assert.True(strict is null == found is null, $"samples {i} and {j}: {strict ?? "the same"} and {found ?? "the same"}");
                }
            }
        }
    }

    /// <summary>What else must hold for what is read, beside that it is the same to the last bit.</summary>
    protected virtual void More(T? expected, T? actual)
    {
    }

    private void ForEach(bool references, bool tolerance, bool dynamicCode, Action<ValueTester<T>, T, T[]> test)
    {
        var tester = new ValueTester<T>(Configuration.Serializer(references, tolerance, dynamicCode), More);
        T[] all = [.. Samples];
        Assert.NotEmpty(all);
        foreach (T sample in all)
        {
            test(tester, sample, all);
        }
    }
}
