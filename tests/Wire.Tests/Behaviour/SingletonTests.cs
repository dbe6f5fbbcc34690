using Wire.Tests.Testing;
using Xunit;

namespace Wire.Tests.Behaviour;

/// <summary>Objects of which the program has one instance come back as that instance, wherever they stand.</summary>
[TypeNotes("comes back as the reader's own instance", Title = "your type with one instance", Options = "Singletons", Written = "1 byte(s)")]
public sealed class SingletonTests
{
    public static TheoryData<bool, bool, bool> Configurations() => Configuration.AsTheory();

    [Theory]
    [MemberData(nameof(Configurations))]
    public void The_instance_comes_back_from_everywhere(bool references, bool tolerance, bool dynamicCode)
    {
        var serializer = new Serializer(Options(references, tolerance, dynamicCode));
        Assert.Same(Stop.Instance, serializer.Deserialize<object>(serializer.Serialize<object>(Stop.Instance)));
        Assert.Same(Stop.Instance, serializer.Deserialize<Stop>(serializer.Serialize(Stop.Instance)));
        Assert.Same(Stop.Instance, serializer.DeserializeTyped<Stop>(serializer.SerializeTyped(Stop.Instance)));
        Assert.Same(Stop.Instance, serializer.Clone(Stop.Instance));
        Holder<Stop> holder = serializer.Deserialize<Holder<Stop>>(
            serializer.Serialize(new Holder<Stop> { Declared = Stop.Instance, Any = Stop.Instance, Last = Stop.Instance }))!;
        Assert.Same(Stop.Instance, holder.Declared);
        Assert.Same(Stop.Instance, holder.Any);
        Assert.Same(Stop.Instance, holder.Last);
        object[] both =
            serializer.Deserialize<object[]>(serializer.Serialize(new object[] { Stop.Instance, Start.Instance, Stop.Instance, 7 }))!;
        Assert.Equal([Stop.Instance, Start.Instance, Stop.Instance, 7], both);
        Dictionary<object, Stop> map = serializer.Deserialize<Dictionary<object, Stop>>(
            serializer.Serialize(new Dictionary<object, Stop> { [Start.Instance] = Stop.Instance }))!;
        Assert.Same(Stop.Instance, map[Start.Instance]);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_session_and_a_known_type_carry_it(bool known)
    {
        var serializer = new Serializer(Options(false, true, true) with { KnownTypes = known ? [new(3, typeof(Stop))] : KnownTypes.None });
        using SerializerSession writing = serializer.GetSerializerSession();
        using DeserializerSession reading = serializer.GetDeserializerSession();
        int first = 0;
        for (int i = 0; i < 3; i++)
        {
            byte[] bytes = serializer.Serialize<object>(Stop.Instance, writing);
            Assert.Same(Stop.Instance, serializer.Deserialize<object>(bytes, reading));
            first = i == 0 ? bytes.Length : first;
            Assert.True(i == 0 || bytes.Length == 3, "A type that is known takes one byte, and so does its instance.");
        }

        Assert.True(first > 3);
    }

    [Fact]
    public void A_reader_without_the_instance_reports_it()
    {
        byte[] bytes = new Serializer(Options(false, true, true)).Serialize(Stop.Instance);
        WireFormatException e = Assert.Throws<WireFormatException>(() => new Serializer().Deserialize<Stop>(bytes));
        Assert.Equal(WireFormatError.SchemaMismatch, e.Error);
        Assert.Contains(nameof(SerializerOptions.Singletons), e.Message, StringComparison.Ordinal);
        Assert.Throws<TypeRefusedException>(() => new Serializer().Deserialize<object>(bytes));
    }

    [Fact]
    public void What_a_writer_without_the_instance_wrote_is_passed_over()
    {
        byte[] bytes = new Serializer().Serialize(new object[] { Stop.Instance, Stop.Instance, 7 });
        object[] read = new Serializer(Options(false, true, true)).Deserialize<object[]>(bytes)!;
        Assert.Equal([Stop.Instance, Stop.Instance, 7], read);
    }

    [Fact]
    public void Another_byte_is_invalid()
    {
        var serializer = new Serializer(Options(false, true, true));
        byte[] bytes = serializer.Serialize(Stop.Instance);
        bytes[^1] = 1;
        Assert.Equal(WireFormatError.InvalidValue, Assert.Throws<WireFormatException>(() => serializer.Deserialize<Stop>(bytes)).Error);
    }

    [Fact]
    public void What_cannot_be_one_is_refused()
    {
        foreach (object instance in new object[] { 1, "text", new int[1], new List<int>(), typeof(int), DayOfWeek.Friday })
        {
            Assert.Throws<ArgumentException>(() => new Serializer(new SerializerOptions { Singletons = [instance] }));
        }

        Assert.Throws<ArgumentException>(() => new Serializer(new SerializerOptions { Singletons = default }));
        Assert.Throws<ArgumentException>(() => new Serializer(new SerializerOptions { Singletons = [null!] }));
        Assert.Throws<ArgumentException>(() => new Serializer(new SerializerOptions { Singletons = [Stop.Instance, Stop.Another()] }));
        Assert.Throws<ArgumentException>(() => new Serializer(new SerializerOptions
        {
            Singletons = [Stop.Instance],
            Surrogates = [Surrogate.Create<Stop, int>(_ => 1, _ => Stop.Instance)],
        }));
    }

    [Fact]
    public void A_value_serializer_for_the_same_type_is_refused()
    {
        ArgumentException e = Assert.Throws<ArgumentException>(() => new Serializer(new SerializerOptions
        {
            Singletons = [Start.Instance, Stop.Instance],
            ValueSerializerFactories = [ValueSerializerFactory.For(new StopSerializer())],
        }));

        Assert.StartsWith($"The {typeof(Stop)} in Singletons has a value serializer", e.Message, StringComparison.Ordinal);
    }

    private sealed class StopSerializer : ValueSerializer<Stop>
    {
        public override void Write(ref WireWriter writer, Stop value) => writer.WriteByte(1);

        public override Stop Read(ref WireReader reader) => reader.ReadByte() == 1 ? Stop.Instance : throw new FormatException();
    }

    private static SerializerOptions Options(bool references, bool tolerance, bool dynamicCode) => new()
    {
        PreserveObjectReferences = references,
        VersionTolerance = tolerance,
        DynamicCode = dynamicCode,
        Singletons = [Stop.Instance, Start.Instance],
    };

    /// <summary>Its members, one of which is no value of a payload, are not written.</summary>
    private sealed class Stop
    {
        private readonly string _name = "stop";

        public static Stop Instance { get; } = new();

        public static Stop Another() => new();

        public override string ToString() => _name;
    }

    private sealed class Start
    {
        public static Start Instance { get; } = new();
    }
}
