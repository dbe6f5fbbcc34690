using System.Buffers;
using Wire.Comparing;
using Wire.Testing;
using Wire.Tests.Hostile.Fuzzing;
using Wire.Tests.Testing;

namespace Wire.Tests.Behaviour;

/// <summary>The methods with a <see cref="Type"/> do what the generic ones do, failures included.</summary>
public sealed class ByTypeTests
{
    private static readonly Twin[] Twins =
    [
        new Twin<object>(), new Twin<Leaf>(), new Twin<Animal>(), new Twin<Cat>(), new Twin<Dog>(), new Twin<IComparable>(),
        new Twin<int>(), new Twin<int?>(), new Twin<long>(), new Twin<Point>(), new Twin<Point?>(), new Twin<string>(),
        new Twin<List<int>>(),
        new Twin<IReadOnlyList<int>>(), new Twin<object[]>(), new Twin<Animal[]>(), new Twin<Version>(), new Twin<DayOfWeek>(),
        new Twin<Bag>(), new Twin<Action>(), new Twin<ValueType>(),
    ];

    private static object?[] Values =>
    [
        null, 5, 5L, "text", new Leaf { Id = 3, Text = "t" }, new Cat { Name = "c" }, new Dog { Friend = new Cat() }, new Point { X = 1 },
        new List<int> { 1, 2 }, new int[] { 3 }, new object[] { 1, new Leaf() }, new Animal[] { new Puppy { Name = "p" } },
        new Version(1, 2), DayOfWeek.Friday, Corpus.FullBag(), new Uri("http://localhost/"),
    ];

    public static TheoryData<bool, bool, bool> Options()
    {
        var data = new TheoryData<bool, bool, bool>();
        for (int i = 0; i < 8; i++)
        {
            data.Add((i & 1) != 0, (i & 2) != 0, (i & 4) != 0);
        }

        return data;
    }

    [Theory]
    [MemberData(nameof(Options))]
    public void Each_call_gives_what_the_generic_one_gives(bool dynamicCode, bool references, bool allowsAll)
    {
        Serializer serializer = Setup.Serializer(
            dynamicCode,
            o => o with { PreserveObjectReferences = references, TypeFilter = allowsAll ? o.TypeFilter : WireTypeFilter.Default });
        var random = new Random(7);
        int failed = 0, read = 0;
        foreach ((int turn, Twin twin) in Twins.Index())
        {
            foreach (object? value in Sweep.IsWhole ? [.. Values, .. Values] : Values.Sample(among: 2, turn))
            {
                using SerializerSession writing = serializer.GetSerializerSession();
                byte[][] messages = [.. Enumerable.Range(0, 3).Select(_ => serializer.Serialize(value, writing))];
                Bytes bytes = new(serializer.Serialize(value), messages);
                Count(twin.Differs(serializer, bytes, references));
                byte[] damaged = [.. bytes.Alone];
                damaged[random.Next(damaged.Length)] = (byte)random.Next(256);
                byte[] inSession = [.. bytes.InSession[0]];
                inSession[random.Next(inSession.Length)] = (byte)random.Next(256);
                Count(twin.Differs(serializer, new(damaged, [inSession, bytes.InSession[1]]), references));
                int length = random.Next(bytes.Alone.Length);
                Count(twin.Differs(serializer, new(bytes.Alone[..length], [bytes.InSession[1]]), references));
                Count(twin.Differs(serializer, new([.. bytes.Alone, 0], [[.. bytes.InSession[0], 0]]), references));
            }
        }

        Assert.InRange(failed, 500, int.MaxValue);
        Assert.InRange(read, 500, int.MaxValue);

        void Count((int Read, int Failed) outcome)
        {
            read += outcome.Read;
            failed += outcome.Failed;
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Typed_calls_give_what_the_generic_ones_give(bool dynamicCode)
    {
        Serializer serializer = Setup.Serializer(dynamicCode);
        foreach (Twin twin in Twins.Where(twin => twin is not (Twin<Action> or Twin<ValueType>)))
        {
            foreach (object? value in (object?[])[.. Values, .. Values, .. Values])
            {
                twin.CheckTyped(serializer, value);
            }
        }
    }

    public static TheoryData<Type> NoValues =>
    [
        typeof(List<>), typeof(int).MakePointerType(), typeof(int).MakeByRefType(), typeof(void), typeof(Span<int>),
        typeof(List<>).GetGenericArguments()[0], typeof(Dictionary<,>), typeof(List<>).MakeArrayType(),
        typeof(int*[]), typeof(int*[][]), typeof(Console), typeof(Console).MakeArrayType(),
    ];

    [Theory]
    [MemberData(nameof(NoValues))]
    public void A_type_that_no_value_has_is_refused(Type type)
    {
        var serializer = new Serializer();
        byte[] payload = serializer.Serialize<object?>(null);
        using DeserializerSession session = serializer.GetDeserializerSession();
        Action[] calls =
        [
            () => serializer.Deserialize(type, payload),
            () => serializer.Deserialize(type, payload.AsSpan()),
            () => serializer.Deserialize(type, payload.AsMemory(), session),
            () => serializer.Deserialize(type, new ReadOnlySequence<byte>(payload)),
            () => serializer.Deserialize(type, new SeekableStream(payload)),
            () => serializer.DeserializeTyped(type, payload),
            () => serializer.SerializeTyped(type, 5, new ArrayBufferWriter<byte>()),
        ];
        Assert.All(calls, call =>
        {
            ArgumentException e = Assert.Throws<ArgumentException>(call);
            Assert.Equal("type", e.ParamName);
            Assert.Contains(type.ToString(), e.Message, StringComparison.Ordinal);
        });
    }

    [Fact]
    public void The_reason_why_no_value_is_of_a_type_is_the_one_that_holds()
    {
        Assert.Equal("it is a pointer", Reason(typeof(int).MakePointerType()));
        Assert.Equal("it is a ref struct", Reason(typeof(Span<int>)));
        Assert.Equal("it is a static class", Reason(typeof(Console)));
        Assert.Equal("its elements are of type System.Int32*, which is a pointer", Reason(typeof(int*[][])));

        static string Reason(Type type) => Assert.Throws<ArgumentException>(() => new Serializer().Deserialize(type, new byte[1]))
            .Message.Split(": ", 2)[1].Split(". ")[0];
    }

    [Fact]
    public void Null_is_no_type()
    {
        var serializer = new Serializer();
        Assert.Throws<ArgumentNullException>(() => serializer.Deserialize((Type)null!, new byte[1]));
        Assert.Throws<ArgumentNullException>(() => serializer.Deserialize(typeof(int), (byte[])null!));
        Assert.Throws<ArgumentNullException>(() => serializer.Deserialize(typeof(int), (Stream)null!));
        Assert.Throws<ArgumentNullException>(() => serializer.Deserialize(typeof(int), new byte[1], null!));
    }

    [Fact]
    public void A_value_of_another_type_is_not_written_as_typed()
    {
        var serializer = new Serializer();
        var output = new ArrayBufferWriter<byte>();
        Assert.Equal("value", Assert.Throws<ArgumentException>(() => serializer.SerializeTyped(typeof(int), "5", output)).ParamName);
        Assert.Equal("value", Assert.Throws<ArgumentException>(() => serializer.SerializeTyped(typeof(int), null, output)).ParamName);
        Assert.Equal("value", Assert.Throws<ArgumentException>(() => serializer.SerializeTyped(typeof(int), "5")).ParamName);
        Assert.Equal(0, output.WrittenCount);
    }

    private sealed record Bytes(byte[] Alone, byte[][] InSession);

    private abstract class Twin
    {
        /// <summary>Makes each call both ways, and fails where they differ.</summary>
        public abstract (int Read, int Failed) Differs(Serializer serializer, Bytes bytes, bool sharing);

        public abstract void CheckTyped(Serializer serializer, object? value);
    }

    private sealed class Twin<T> : Twin
    {
        private static readonly Type Type = typeof(T);

        private int _read;
        private int _failed;

        public override (int Read, int Failed) Differs(Serializer serializer, Bytes bytes, bool sharing)
        {
            _read = _failed = 0;
            byte[] alone = bytes.Alone;
            Same(() => serializer.Deserialize<T>(alone), () => serializer.Deserialize(Type, alone), sharing);
            Same(() => serializer.Deserialize<T>(alone.AsSpan()), () => serializer.Deserialize(Type, alone.AsSpan()), sharing);
            Same(() => serializer.Deserialize<T>(alone.AsMemory()), () => serializer.Deserialize(Type, alone.AsMemory()), sharing);
            ReadOnlySequence<byte> pieces = Sequences.Chunked(alone, 3);
            Same(() => serializer.Deserialize<T>(pieces), () => serializer.Deserialize(Type, pieces), sharing);
            (SeekableStream first, SeekableStream second) = (new([9, .. alone]), new([9, .. alone]));
            first.Position = second.Position = 1;
            Same(() => serializer.Deserialize<T>(first), () => serializer.Deserialize(Type, second), sharing);
            Assert.Equal(first.Position, second.Position);
            int consumed = 0, consumedToo = 0;
            byte[] more = [.. alone, 1, 2];
            Same(() => serializer.Deserialize<T>(more, out consumed), () => serializer.Deserialize(Type, more, out consumedToo), sharing);
            Assert.Equal(consumed, consumedToo);

            using DeserializerSession generic = serializer.GetDeserializerSession();
            using DeserializerSession byType = serializer.GetDeserializerSession();
            for (int i = 0; i < bytes.InSession.Length; i++)
            {
                byte[] payload = bytes.InSession[i];
                for (int way = 0; way < 6; way++)
                {
                    int each = way;
                    Same(() => Read(payload, each), () => ReadByType(payload, each), sharing);
                }
            }

            return (_read, _failed);

            T? Read(byte[] payload, int way) => way switch
            {
                0 => serializer.Deserialize<T>(payload, generic),
                1 => serializer.Deserialize<T>(payload.AsSpan(), generic),
                2 => serializer.Deserialize<T>(payload.AsMemory(), generic),
                3 => serializer.Deserialize<T>(Sequences.Chunked(payload, 2), generic),
                4 => serializer.Deserialize<T>(new SeekableStream(payload), generic),
                _ => serializer.Deserialize<T>(payload, generic, out _),
            };

            object? ReadByType(byte[] payload, int way) => way switch
            {
                0 => serializer.Deserialize(Type, payload, byType),
                1 => serializer.Deserialize(Type, payload.AsSpan(), byType),
                2 => serializer.Deserialize(Type, payload.AsMemory(), byType),
                3 => serializer.Deserialize(Type, Sequences.Chunked(payload, 2), byType),
                4 => serializer.Deserialize(Type, new SeekableStream(payload), byType),
                _ => serializer.Deserialize(Type, payload, byType, out _),
            };
        }

        public override void CheckTyped(Serializer serializer, object? value)
        {
            if (value is not T && !(value is null && default(T) is null))
            {
                return;
            }

            var typed = (T)value!;
            var output = new ArrayBufferWriter<byte>();
            Assert.Equal(serializer.SerializeTyped(Type, value, output), output.WrittenCount);
            byte[] payload = serializer.SerializeTyped(typed);
            Assert.Equal(payload, serializer.SerializeTyped(Type, value));
            Assert.Equal(payload, output.WrittenSpan);
            Same(() => serializer.DeserializeTyped<T>(payload), () => serializer.DeserializeTyped(Type, payload), false);
            using SerializerSession writing = serializer.GetSerializerSession();
            using DeserializerSession reading = serializer.GetDeserializerSession();
            output.ResetWrittenCount();
            serializer.SerializeTyped(Type, value, output, writing);
            GraphAssert.Same(value, serializer.DeserializeTyped(Type, output.WrittenSpan, reading));
            GraphAssert.Same(value, serializer.DeserializeTyped(Type, serializer.SerializeTyped(Type, value, writing), reading));
        }

        private void Same(Func<T?> generic, Func<object?> byType, bool sharing)
        {
            (string error, object? value) = Outcome(() => generic());
            (string errorByType, object? valueByType) = Outcome(byType);
            Assert.Equal(error, errorByType);
            GraphAssert.Same(value, valueByType, sharing);
            _read += error.Length == 0 ? 1 : 0;
            _failed += error.Length == 0 ? 0 : 1;
        }

        private static (string Error, object? Value) Outcome(Func<object?> read)
        {
            try
            {
                return ("", read());
            }
            catch (WireFormatException e)
            {
                return ($"{e.GetType().Name} {e.Error} at {e.Offset} in '{e.MemberPath}': {e.Message}", null);
            }
            catch (Exception e) when (e is InvalidOperationException or UnsupportedTypeException)
            {
                return ($"{e.GetType().Name}: {e.Message}", null);
            }
        }
    }
}
