using Wire.Comparing;
using Wire.Tests.Testing;
using Xunit;

namespace Wire.Tests.Behaviour.Sessions;

/// <summary>Streams of messages that carry each manifest once.</summary>
public class SessionTests
{
    private static readonly Type[] Arguments =
    [
        typeof(byte), typeof(int), typeof(long), typeof(string), typeof(Leaf), typeof(Point), typeof(Color), typeof(double), typeof(Guid),
        typeof(decimal), typeof(object), typeof(Node), typeof(Cat), typeof(Dog), typeof(char), typeof(bool), typeof(uint), typeof(Rich),
    ];

    private sealed class Unwritable
    {
        public Leaf? Before = new() { Id = 1 };
        public Action? Later = () => { };
    }

    private sealed class Reentrant : ValueSerializer<Leaf>
    {
        public Func<object?>? During;

        public override void Write(ref WireWriter writer, Leaf value)
        {
            During?.Invoke();
            writer.WriteFixed(value.Id);
        }

        public override Leaf Read(ref WireReader reader)
        {
            During?.Invoke();
            return new Leaf { Id = reader.ReadFixed<long>() };
        }
    }

    public static TheoryData<bool> Twins => [true, false];

    [Theory]
    [MemberData(nameof(Twins))]
    public void A_manifest_is_written_once_per_session(bool dynamicCode)
    {
        Serializer serializer = Setup.Serializer(dynamicCode);
        using SerializerSession writing = serializer.GetSerializerSession();
        using DeserializerSession reading = serializer.GetDeserializerSession();
        byte[] first = serializer.Serialize(Poco.Sample(), writing);
        byte[] second = serializer.Serialize(Poco.Sample(), writing);
        Assert.True(second.Length < first.Length / 2);
        Assert.Equal(first, SessionPayload.First(serializer, Poco.Sample()));
        SessionPayload.CheckHeader(serializer.Serialize(Poco.Sample()), first);
        Assert.Equal(second, serializer.Serialize(Poco.Sample(), writing));
        GraphAssert.Same(Poco.Sample(), serializer.Deserialize<Poco>(first, reading), true);
        GraphAssert.Same(Poco.Sample(), serializer.Deserialize<Poco>(second, reading), true);
        Assert.Equal(WireFormatError.UnknownManifest, Assert.Throws<WireFormatException>(() => serializer.Deserialize<Poco>(second)).Error);
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void A_session_holds_hundreds_of_types(bool dynamicCode)
    {
        Serializer serializer = Setup.Serializer(dynamicCode);
        using SerializerSession writing = serializer.GetSerializerSession();
        using DeserializerSession reading = serializer.GetDeserializerSession();
        var values = new List<object>();
        foreach (Type a in Arguments)
        {
            foreach (Type b in Arguments)
            {
                values.Add(Activator.CreateInstance(typeof(Dictionary<,>).MakeGenericType(a, b))!);
            }
        }

        Assert.True(values.Count > 300);
        for (int round = 0; round < 2; round++)
        {
            foreach (object value in values)
            {
                Assert.IsType(value.GetType(), serializer.Deserialize<object>(serializer.Serialize(value, writing), reading));
            }
        }

        object[] all = serializer.Deserialize<object[]>(serializer.Serialize(values.ToArray(), writing), reading)!;
        Assert.Equal(values.Select(v => v.GetType()), all.Select(v => v.GetType()));
        all = serializer.RoundTrip(values.ToArray());
        Assert.Equal(values.Select(v => v.GetType()), all.Select(v => v.GetType()));
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void A_failure_leaves_both_sessions_where_they_were(bool dynamicCode)
    {
        Serializer serializer = Setup.Serializer(dynamicCode);
        using SerializerSession writing = serializer.GetSerializerSession();
        using DeserializerSession reading = serializer.GetDeserializerSession();
        Assert.Equal(1, serializer.Deserialize<Node>(serializer.Serialize(new Node { Value = 1 }, writing), reading)!.Value);
        for (int i = 0; i < 3; i++)
        {
            Assert.Throws<UnsupportedTypeException>(
                () => serializer.Serialize(new object[] { new Leaf(), new Cat(), new Unwritable() }, writing));
            byte[] payload = serializer.Serialize(new object[] { new Leaf { Id = i }, new Cat() }, writing);
            Assert.Throws<WireFormatException>(() => serializer.Deserialize<object>(payload.AsSpan(0, payload.Length - 1), reading));
            Assert.Equal(i, ((Leaf)serializer.Deserialize<object[]>(payload, reading)![0]).Id);
        }
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void Sessions_are_not_entered_twice(bool dynamicCode)
    {
        var inner = new Reentrant();
        Serializer serializer =
            Setup.Serializer(dynamicCode, o => o with { ValueSerializerFactories = [ValueSerializerFactory.For(inner)] });
        using SerializerSession writing = serializer.GetSerializerSession();
        using DeserializerSession reading = serializer.GetDeserializerSession();
        byte[] payload = serializer.Serialize(new Leaf { Id = 4 });
        inner.During = () => serializer.Serialize(1, writing);
        Assert.Throws<InvalidOperationException>(() => serializer.Serialize(new Leaf(), writing));
        inner.During = () => serializer.Deserialize<int>(payload, reading);
        Assert.Throws<InvalidOperationException>(() => serializer.Deserialize<Leaf>(payload, reading));

        // Without a session of the caller's, a value serializer may use the serializer itself.
        inner.During = () => serializer.RoundTrip<object>(new List<int> { 1 });
        Assert.Equal(9, serializer.RoundTrip(new Leaf { Id = 9 }).Id);
        inner.During = null;
        Assert.Equal(5, serializer.Deserialize<Leaf>(serializer.Serialize(new Leaf { Id = 5 }, writing), reading)!.Id);
    }

    [Fact]
    public void Sessions_of_others_and_ended_ones_are_refused()
    {
        Serializer serializer = Setup.Serializer(true);
        Serializer other = Setup.Serializer(true);
        SerializerSession writing = serializer.GetSerializerSession();
        DeserializerSession reading = serializer.GetDeserializerSession();
        byte[] payload = serializer.Serialize(1);
        Assert.Throws<ArgumentException>(() => other.Serialize(1, writing));
        Assert.Throws<ArgumentException>(() => other.Deserialize<int>(payload, reading));
        Assert.Throws<ArgumentNullException>(() => serializer.Serialize(1, (SerializerSession)null!));
        writing.Dispose();
        reading.Dispose();
        writing.Dispose();
        Assert.Throws<ObjectDisposedException>(() => serializer.Serialize(1, writing));
        Assert.Throws<ObjectDisposedException>(() => serializer.Deserialize<int>(payload, reading));
    }
}
