using System.Runtime.Serialization;
using Wire.Tests.Testing;

namespace Wire.Tests.OptIn;

/// <summary>What <see cref="SerializerOptions.UseSerializationCallbacks"/> has called.</summary>
[TypeNotes(
    "off by default: then callbacks are not called",
    Title = "[OnDeserialized] and its like",
    Options = "UseSerializationCallbacks",
    Written = "nothing")]
public sealed class SerializationCallbackTests
{
    public static TheoryData<bool, bool> Modes() => new() { { false, false }, { false, true }, { true, false }, { true, true } };

    [Theory]
    [MemberData(nameof(Modes))]
    public void All_are_called_in_their_order(bool dynamicCode, bool references)
    {
        Serializer serializer = With(dynamicCode, references);
        var value = new Derived { Number = 1, Child = new Base { Number = 2 } };
        byte[] bytes = serializer.Serialize(value);
        Assert.Equal("1 serializing base, 1 serializing derived, 1 serialized base, 1 serialized derived", string.Join(", ", value.Log));
        Assert.Equal("2 serializing base, 2 serialized base", string.Join(", ", value.Child.Log));

        Derived read = serializer.Deserialize<Derived>(bytes)!;
        Assert.Equal(
            "0 deserializing base, 0 deserializing derived, 1 deserialized base, 1 deserialized derived, 1 graph 2",
            string.Join(", ", read.Log));
        Assert.Equal("0 deserializing base, 2 deserialized base, 2 graph ", string.Join(", ", read.Child!.Log));
    }

    [Theory]
    [MemberData(nameof(Modes))]
    public void Those_of_a_value_type_change_the_value(bool dynamicCode, bool references)
    {
        Serializer serializer = With(dynamicCode, references);
        Counted[] read =
            serializer.Deserialize<Counted[]>(serializer.Serialize(new Counted[] { new() { Value = 1 }, new() { Value = 2 } }))!;
        Assert.Equal([(1, 111), (2, 111)], read.Select(c => (c.Value, c.Calls)));
        Assert.Equal(111, serializer.Deserialize<Counted>(serializer.Serialize(new Counted())).Calls);
        Assert.Equal(111, serializer.Deserialize<Holder<Counted>>(serializer.Serialize(new Holder<Counted>()))!.Declared.Calls);
    }

    [Fact]
    public void Those_that_precede_writing_meet_the_values_of_an_array_themselves()
    {
        Serializer serializer = With(dynamicCode: true, references: false);
        for (int i = 1; i <= 3; i++)
        {
            var values = new Marked[3];
            serializer.Serialize(values);
            Assert.Equal([1, 1, 1], values.Select(value => value.Marks));
        }
    }

    [Theory]
    [MemberData(nameof(Modes))]
    public void An_older_schema_and_a_part_of_a_collection_are_no_matter(bool dynamicCode, bool references)
    {
        Serializer serializer = With(dynamicCode, references);
        for (int i = 0; i < 12; i++)
        {
            Newer read = serializer.Deserialize<Newer>(serializer.Serialize(new WrittenOlder { A = 1 }))!;
            Assert.Equal((1, 5), (read.A, read.B));
        }

        Items items = serializer.Deserialize<Items>(serializer.Serialize(new Items { 1, 2 }))!;
        Assert.Equal(2, items.Counted);
    }

    [Theory]
    [MemberData(nameof(Modes))]
    public void Without_the_option_none_is_called(bool dynamicCode, bool references)
    {
        Serializer off = Configuration.Serializer(references, tolerance: true, dynamicCode);
        var value = new Derived { Number = 1 };
        Assert.Equal(With(dynamicCode, references).Serialize(new Derived { Number = 1 }), off.Serialize(value));
        Assert.Empty(value.Log);
        Assert.Null(off.Deserialize<Derived>(off.Serialize(value))!.LogOrNull);
        Assert.Equal(0, off.Deserialize<Counted>(off.Serialize(new Counted())).Calls);
    }

    [Theory]
    [MemberData(nameof(Modes))]
    public void A_failure_leaves_nothing_to_be_called(bool dynamicCode, bool references)
    {
        Serializer serializer = With(dynamicCode, references);
        byte[] bytes = serializer.Serialize(new Derived { Number = 1, Child = new Base() });
        using DeserializerSession session = serializer.GetDeserializerSession();
        Assert.ThrowsAny<WireFormatException>(() => serializer.Deserialize<Derived>(bytes.AsSpan(0, bytes.Length - 2), session));
        Assert.Equal("1 graph ", serializer.Deserialize<Derived>(serializer.Serialize(new Derived { Number = 1 }), session)!.Log[^1]);
        Assert.Throws<TimeoutException>(() => serializer.Deserialize<Throws>(serializer.Serialize(new Throws()), session));
        Assert.Equal("1 graph ", serializer.Deserialize<Derived>(serializer.Serialize(new Derived { Number = 1 }), session)!.Log[^1]);
    }

    [Fact]
    public void A_method_with_other_parameters_is_reported()
    {
        UnsupportedTypeException e = Assert.Throws<UnsupportedTypeException>(() => With(true, false).Serialize(new Wrong()));
        Assert.Contains("OnSerializing", e.Message, StringComparison.Ordinal);
        Assert.NotNull(new Serializer().Deserialize<Wrong>(new Serializer().Serialize(new Wrong())));
    }

    private static Serializer With(bool dynamicCode, bool references) =>
        new(Configuration.Options(references, tolerance: true, dynamicCode) with { UseSerializationCallbacks = true });

    private class Base : IDeserializationCallback
    {
        [IgnoreMember]
        private List<string>? _log;

        public int Number { get; set; }

        public Base? Child { get; set; }

        [IgnoreMember]
        public List<string>? LogOrNull => _log;

        public List<string> Log => _log ??= [];

        public void OnDeserialization(object? sender) => Log.Add($"{Number} graph {Child?.Number}");

        protected void Note(string what) => Log.Add($"{Number} {what}");

        [OnSerializing]
        private void Serializing(StreamingContext context) => Note("serializing base");

        [OnSerialized]
        private void Serialized(StreamingContext context) => Note("serialized base");

        [OnDeserializing]
        private void Deserializing(StreamingContext context) => Note("deserializing base");

        [OnDeserialized]
        private void Deserialized(StreamingContext context) => Note("deserialized base");
    }

    private sealed class Derived : Base
    {
        [OnSerializing]
        private void Serializing(StreamingContext context) => Note("serializing derived");

        [OnSerialized]
        private void Serialized(StreamingContext context) => Note("serialized derived");

        [OnDeserializing]
        private void Deserializing(StreamingContext context) => Note("deserializing derived");

        [OnDeserialized]
        private void Deserialized(StreamingContext context) => Note("deserialized derived");
    }

    private struct Marked
    {
        public int Marks;

        [OnSerializing]
        private void Mark(StreamingContext context) => Marks++;
    }

    private struct Counted : IDeserializationCallback
    {
        public int Value;

        [IgnoreMember]
        public int Calls;

        public void OnDeserialization(object? sender) => Calls += 100;

        [OnDeserializing]
        private void Deserializing(StreamingContext context) => Calls += 1;

        [OnDeserialized]
        private void Deserialized(StreamingContext context) => Calls += 10;
    }

    [WireName("SerializationCallbackTests.Schema")]
    private sealed class WrittenOlder
    {
        public int A { get; set; }
    }

    [WireName("SerializationCallbackTests.Schema")]
    private sealed class Newer
    {
        public int A { get; set; }

        public int B { get; set; }

        [OnDeserializing]
        private void Prepare(StreamingContext context) => B = 5;
    }

    private sealed class Items : List<int>
    {
        [IgnoreMember]
        public int Counted { get; set; }

        [OnDeserialized]
        private void Tally(StreamingContext context) => Counted = Count;
    }

    private sealed class Throws
    {
        [OnDeserialized]
        private void Fail(StreamingContext context) => throw new TimeoutException();
    }

    private sealed class Wrong
    {
        [OnSerializing]
        private void Serializing() => GC.KeepAlive(this);
    }
}
