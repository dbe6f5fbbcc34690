using System.Collections;
using Wire.Amqp.V10;

namespace Wire.Amqp.Tests.V10;

public sealed class ValueObjectsTests
{
    [Fact]
    public void Objects_that_a_value_was_made_into_make_that_value_again()
    {
        int withoutArrays = 0;
        for (int seed = 0; seed < 2000; seed++)
        {
            object? model = Models.Random(new Random(seed));
            AmqpValue value = Models.ToValue(model);
            AmqpValue again = AmqpValue.From(value.ToObject());
            Models.AssertSame(value.ToObject(), again.ToObject());
            if (!HasArray(model))
            {
                Assert.Equal(value, again);
                withoutArrays++;
            }
        }

        Assert.True(withoutArrays > 500, $"{withoutArrays}");
    }

    [Fact]
    public void Dictionaries_become_maps_and_other_collections_lists()
    {
        AmqpMap map = AmqpValue.From(
            new Dictionary<string, object?> { ["a"] = new[] { 1, 2 }, ["b"] = new Hashtable { [5UL] = 'x' }, ["c"] = null }).As<AmqpMap>();
        Assert.Equal(AmqpValue.List(1, 2), map["a"].As<AmqpList>());
        Assert.Equal(AmqpValue.Map((5UL, 'x')), map["b"].As<AmqpMap>());
        Assert.True(map["c"].IsNull);
    }

    [Fact]
    public void A_dictionary_of_any_types_becomes_a_map()
    {
        Assert.Equal<AmqpValue>(AmqpValue.Map(("a", "b")), AmqpValue.From(new Dictionary<string, string> { ["a"] = "b" }));
        Assert.Equal<AmqpValue>(AmqpValue.Map((1, 2L)), AmqpValue.From(new SortedList<int, long> { [1] = 2 }));
        Assert.Equal<AmqpValue>(
            AmqpValue.Map(("a", AmqpValue.Map(('x', true)))),
            AmqpValue.From(new Hashtable { ["a"] = new Dictionary<char, bool> { ['x'] = true } }));
    }

    [Fact]
    public void What_AMQP_does_not_have_is_named()
    {
        ArgumentException e = Assert.Throws<ArgumentException>(
            () => AmqpValue.From(new Dictionary<string, object?> { ["when"] = new object[] { TimeSpan.Zero } }));
        Assert.Contains("'when'", e.Message, StringComparison.Ordinal);
        Assert.Contains("System.TimeSpan", e.Message, StringComparison.Ordinal);
        var circle = new List<object>();
        circle.Add(circle);
        Assert.Throws<InvalidOperationException>(() => AmqpValue.From(circle));
    }

    [Fact]
    public void Descriptors_inside_each_other_are_followed_as_deep_as_they_are_read()
    {
        object deep = 1;
        for (int depth = 1; depth <= 64; depth++)
        {
            deep = new DescribedObject(deep, null);
        }

        AmqpValue value = AmqpValue.From(deep);
        Assert.Equal(value, AmqpValue.From(value.ToObject()));
        Assert.Throws<InvalidOperationException>(() => AmqpValue.From(new DescribedObject(deep, null)));
        var circle = new List<object>();
        circle.Add(new DescribedObject(circle, null));
        Assert.Throws<InvalidOperationException>(() => AmqpValue.From(circle));
    }

    private static bool HasArray(object? model) => model switch
    {
        ArrayModel => true,
        object?[] list => list.Any(HasArray),
        KeyValuePair<object?, object?>[] map => map.Any(entry => HasArray(entry.Key) || HasArray(entry.Value)),
        DescribedObject described => HasArray(described.Descriptor) || HasArray(described.Value),
        _ => false,
    };
}
