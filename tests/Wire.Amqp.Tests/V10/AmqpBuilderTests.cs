using Wire.Amqp.V10;
using Wire.Testing;

namespace Wire.Amqp.Tests.V10;

public sealed class AmqpBuilderTests
{
    [Fact]
    public void A_builder_is_reused_without_allocation()
    {
        var builder = new AmqpBuilder();
        byte[] first = AmqpValueTests.Written(Build(builder));
        Assert.Equal(first, AmqpValueTests.Written(Build(builder)));
        Allocations.AssertNone(() => Build(builder));
    }

    [Theory]
    [InlineData(252)]
    [InlineData(253)]
    [InlineData(254)]
    [InlineData(255)]
    [InlineData(256)]
    [InlineData(70_000)]
    public void The_small_form_is_taken_as_long_as_it_suffices(int count)
    {
        foreach (AmqpType type in new[] { AmqpType.UByte, AmqpType.Binary })
        {
            byte[] bytes = new byte[count];
            AmqpValue element = type == AmqpType.UByte ? (byte)1 : bytes;
            object? model = type == AmqpType.UByte
                ? new ArrayModel(type, false, null, [.. Enumerable.Repeat((object)(byte)1, count)])
                : new object?[] { bytes };
            AmqpValue built = Models.ToValue(model);
            Assert.Equal(Models.LeastSize(model), built.EncodedSize);
            Assert.True(element == (type == AmqpType.UByte ? built.As<AmqpArray>()[count - 1] : built.As<AmqpList>()[0]));
        }

        Assert.Equal(count, AmqpValue.List([.. Enumerable.Repeat((AmqpValue)true, count)]).Count);
    }

    [Fact]
    public void What_does_not_fit_together_is_refused()
    {
        Assert.Throws<InvalidOperationException>(() => new AmqpBuilder().Build());
        Assert.Throws<InvalidOperationException>(() => new AmqpBuilder().End());
        Assert.Throws<InvalidOperationException>(() => new AmqpBuilder().BeginList().Build());
        Assert.Throws<InvalidOperationException>(() => new AmqpBuilder().Add(1).Add(2));
        Assert.Throws<InvalidOperationException>(() => new AmqpBuilder().BeginMap().Add(1).End());
        Assert.Throws<InvalidOperationException>(() => new AmqpBuilder().BeginList().Describe(1).End());
        Assert.Throws<InvalidOperationException>(() => new AmqpBuilder().BeginArray(AmqpType.Int).Describe(1));
        Assert.Throws<ArgumentException>(() => new AmqpBuilder().BeginArray(AmqpType.Int).Add(1L));
        Assert.Throws<ArgumentException>(() => new AmqpBuilder().BeginArray(AmqpType.Int).BeginList());
        Assert.Throws<ArgumentException>(() => new AmqpBuilder().BeginArray(AmqpType.Described));
        Assert.Throws<ArgumentException>(() => new AmqpBuilder().Add("\ud800"));
        AmqpBuilder nulls = new AmqpBuilder().BeginArray(AmqpType.Null);
        for (int i = 0; i < AmqpArray.MaxElementsWithoutBytes; i++)
        {
            nulls.Add(default);
        }

        Assert.Throws<ArgumentException>(() => nulls.Add(default));
        var deep = new AmqpBuilder();
        for (int i = 0; i < 64; i++)
        {
            deep.BeginList();
        }

        Assert.Throws<InvalidOperationException>(deep.BeginList);
        AmqpValue described = 1;
        for (int i = 0; i < 64; i++)
        {
            described = AmqpValue.Describe(1ul, described);
        }

        Assert.Throws<InvalidOperationException>(() => AmqpValue.Describe(1ul, described));
        Assert.True(deep.Clear().Add(1).Build() == 1);
    }

    [Fact]
    public void A_map_is_searched_from_its_beginning()
    {
        AmqpMap map = AmqpValue.Map(("a", 1), (new AmqpSymbol("a"), 2), (5ul, 3), (default, 4), ("a", 5));
        Assert.Equal(5, map.Count);
        Assert.True(map["a"] == 1 && map[new AmqpSymbol("a")] == 2 && map[5ul] == 3 && map[default] == 4);
        Assert.False(map.TryGetValue("b", out AmqpValue none) || !none.IsNull);
        Assert.True(default(AmqpMap).Count == 0 && default(AmqpMap) == AmqpValue.Map() && !default(AmqpMap).TryGetValue("a", out _));
        Assert.True(default(AmqpList) == AmqpValue.List() && default(AmqpArray) == AmqpValue.Array(AmqpType.Null));
        Assert.False(default(AmqpMap).GetEnumerator().MoveNext()
            || default(AmqpList).GetEnumerator().MoveNext()
            || default(AmqpArray).GetEnumerator().MoveNext());
        Assert.Throws<ArgumentOutOfRangeException>(() => default(AmqpList)[0]);
        Assert.Throws<ArgumentOutOfRangeException>(() => default(AmqpArray)[-1]);
    }

    private static AmqpValue Build(AmqpBuilder builder) => builder.Clear()
        .BeginMap()
        .Add("list", 1).Add("key")
        .BeginList().Add(1).Describe(7ul).Add("x").BeginMap().Add(1, 2).End().End()
        .Add("array")
        .BeginArray(AmqpType.Int, 5ul).Add(1).Add(-1).End()
        .Add("texts")
        .BeginArray(AmqpType.String).Add("one").Add("two").End()
        .End()
        .Build();
}
