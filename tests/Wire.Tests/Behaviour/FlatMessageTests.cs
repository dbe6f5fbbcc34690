using System.Buffers;
using System.Globalization;
using Wire.Testing;

namespace Wire.Tests.Behaviour;

/// <summary>
/// Messages that hold one object of fixed-size members and short strings are written and read without a session from the second one
/// on. Nobody may be able to tell: same bytes, same objects, same errors as through a session, which reflection and streams that are read
/// always use.
/// </summary>
public sealed class FlatMessageTests
{
    private static readonly SerializerOptions Options =
        SerializerOptions.Default with { TypeFilter = WireTypeFilter.Default.AllowAssembly(typeof(FlatMessageTests).Assembly) };
    private static readonly Serializer Serializer = new(Options);
    private static readonly Serializer Tracking = new(Options with { PreserveObjectReferences = true });
    private static readonly Serializer Strict = new(Options with { VersionTolerance = false, KnownTypes = [new(7, typeof(Mixed))] });

    public static TheoryData<int> Seeds { get; } = [.. Enumerable.Range(0, 40)];

    [Theory]
    [MemberData(nameof(Seeds))]
    public void Flat_messages_have_the_bytes_that_a_session_writes(int seed)
    {
        foreach (Serializer serializer in (Serializer[])[Serializer, Tracking, Strict])
        {
            foreach (object value in Values(seed))
            {
                byte[] bytes = InASession(serializer, value);
                for (int i = 0; i < 3; i++)
                {
                    var output = new ArrayBufferWriter<byte>();
                    serializer.Serialize(value, output);
                    Assert.Equal(bytes, output.WrittenSpan);
                    Assert.Equal(bytes, serializer.Serialize(value));
                    var stream = new MemoryStream();
                    serializer.Serialize(value, stream);
                    Assert.Equal(bytes, stream.ToArray());
                    Assert.Equal(value, serializer.Deserialize<object>(bytes, out int consumed));
                    Assert.Equal(bytes.Length, consumed);
                }
            }
        }
    }

    [Theory]
    [MemberData(nameof(Seeds))]
    public void Flat_messages_are_read_as_they_were_whoever_asks(int seed)
    {
        var random = new Random(seed);
        foreach (Serializer serializer in (Serializer[])[Serializer, Tracking, Strict])
        {
            for (int i = 0; i < 3; i++)
            {
                AssertRoundTrips(serializer, Mixed.Create(random));
                AssertRoundTrips(serializer, new Derived(random.Next()) { Name = Text(random) });
                AssertRoundTrips(serializer, new Texts(Text(random), Text(random), Text(random)));
                AssertRoundTrips(serializer, new Nullables(random));
                AssertRoundTrips(serializer, new Empty());
            }
        }
    }

    [Fact]
    public void Damaged_flat_messages_fail_as_they_do_in_a_session()
    {
        foreach (object value in Values(seed: 5))
        {
            byte[] bytes = InASession(Serializer, value);
            Warm(bytes);
            // Of an empty stream the error says more.
            for (int length = 1; length <= bytes.Length; length++)
            {
                AssertSameOutcome(bytes[..length], bytes);
            }

            AssertSameOutcome([.. bytes, 0], bytes);
            for (int at = 0; at < bytes.Length; at++)
            {
                foreach (byte with in (byte[])[0, 1, 2, 0x7F, 0x80, 0xFF, (byte)(bytes[at] + 1), (byte)(bytes[at] ^ 0x40)])
                {
                    byte[] damaged = [.. bytes];
                    damaged[at] = with;
                    AssertSameOutcome(damaged, bytes);
                }
            }
        }
    }

    [Fact]
    public void Text_that_is_not_short_or_not_narrow_is_written_all_the_same()
    {
        foreach (int length in (int[])[0, 1, 3, 4, 7, 8, 15, 16, 17, 61, 62, 63, 64, 127, 128, 5_000])
        {
            foreach (string text in (string[])[new('x', length), new('ÿ', length), new('ж', length), "\uD800" + new string('x', length)])
            {
                AssertRoundTrips(Serializer, new Texts(text, "", text));
                AssertRoundTrips(Serializer, new Texts("short", text, null));
            }
        }
    }

    [Fact]
    public void Roots_of_many_types_take_turns()
    {
        object[] values = [.. Enumerable.Range(0, 5).SelectMany(Values)];
        for (int i = 0; i < 3; i++)
        {
            foreach (object value in values)
            {
                Assert.Equal(value, Serializer.Deserialize<object>(Serializer.Serialize(value)));
            }
        }
    }

    [Fact]
    public void A_value_is_never_taken_for_another_type()
    {
        var serializer = new Serializer(Options);
        byte[] cat = serializer.Serialize(new Cat("Tom"));
        byte[] dog = serializer.Serialize(new Dog("Rex"));
        for (int i = 0; i < 3; i++)
        {
            Assert.IsType<Cat>(serializer.Deserialize<Cat>(cat));
            Assert.IsType<Dog>(serializer.Deserialize<Dog>(dog));
            Assert.Throws<WireFormatException>(() => serializer.Deserialize<Cat>(dog));
            Assert.Throws<WireFormatException>(() => serializer.Deserialize<Dog>(cat));
            Assert.IsType<Cat>(serializer.Deserialize<Animal>(cat));
        }

        Assert.Equal(new Cat("Tom"), serializer.Deserialize<Cat>(cat));
    }

    [Fact]
    public void A_class_that_derives_from_a_flat_one_is_not_taken_for_it()
    {
        for (int i = 0; i < 3; i++)
        {
            AssertRoundTrips<Base>(Serializer, new Base { Name = "base" });
            AssertRoundTrips<Base>(Serializer, new Derived(3) { Name = "derived" });
        }
    }

    [Fact]
    public void A_surrogate_may_give_back_another_class_each_time()
    {
        int calls = 0;
        var serializer = new Serializer(new SerializerOptions
        {
            Surrogates =
            [
                Surrogate.Create<Animal, string>(animal => animal.Name, name => ++calls % 2 == 0 ? new Cat(name) : new Dog(name)),
            ],
        });
        byte[] bytes = serializer.Serialize<Animal>(new Cat("Tom"));
        for (int i = 0; i < 4; i++)
        {
            Assert.Equal(i % 2 == 0 ? typeof(Dog) : typeof(Cat), serializer.Deserialize<Animal>(bytes)!.GetType());
        }

        for (int i = 0; i < 4; i++)
        {
            if (i % 2 == 0)
            {
                Assert.Throws<WireFormatException>(() => serializer.Deserialize<Cat>(bytes));
            }
            else
            {
                Assert.Equal(new Cat("Tom"), serializer.Deserialize<Cat>(bytes));
            }
        }
    }

    [Fact]
    public void A_buffer_writer_that_gives_little_or_fails_is_told_so()
    {
        var value = new Texts("one", "two", "three");
        byte[] bytes = Serializer.Serialize(value);
        for (int i = 0; i < 3; i++)
        {
            var odd = new ExactWriter();
            Serializer.Serialize(value, odd);
            Assert.Equal(bytes, odd.Written);
            Assert.Throws<InvalidOperationException>(() => Serializer.Serialize(value, new StingyWriter()));
            Assert.Equal(bytes, Serializer.Serialize(value));
        }
    }

    [Fact]
    public void An_object_that_changes_while_it_is_written_leaves_no_byte_outside_the_span()
    {
        var value = new Changing();
        var output = new GuardedWriter();
        bool done = false;
        string text = new('x', 62);
        var thread = new Thread(() =>
        {
            while (!Volatile.Read(ref done))
            {
                value.SetAll(text);
                value.SetAll("");
            }
        });
        thread.Start();
        try
        {
            for (int i = 0; i < 200_000; i++)
            {
                output.Restart(room: 256 + (i % 200));
                Serializer.Serialize(value, output);
                output.AssertNothingBehind();
            }
        }
        finally
        {
            Volatile.Write(ref done, true);
            thread.Join();
        }
    }

    [Fact]
    public void What_a_nullable_root_was_read_by_is_not_lent_to_others()
    {
        var serializer = new Serializer();
        byte[] point = serializer.Serialize(new Point(1, "a", null));
        byte[] number = serializer.Serialize(42);
        using DeserializerSession session = serializer.GetDeserializerSession();
        for (int i = 0; i < 3; i++)
        {
            Assert.Equal(new Point(1, "a", null), serializer.Deserialize<Point?>(point));
            Assert.Equal(42, serializer.Deserialize<object>(number));
            Assert.Throws<TypeRefusedException>(() => serializer.Deserialize<object>(point));
        }
    }

    [Fact]
    public void The_end_of_a_message_is_no_members_fault()
    {
        byte[] bytes = Serializer.Serialize(new Line([1, 2]));
        for (int i = 0; i < 4; i++)
        {
            Assert.Equal([1, 2], Serializer.Deserialize<Line>(bytes)!.Numbers);
            Assert.Equal("", Assert.Throws<WireFormatException>(() => Serializer.Deserialize<Line>([.. bytes, 0])).MemberPath);
        }
    }

    [Fact]
    public void Classes_that_are_written_in_the_name_of_one_take_turns_in_a_session()
    {
        Func<object>[] makers =
            [() => new List<int> { 0, 1, 2 }, () => Enumerable.Range(0, 3).Where(number => number >= 0), () => Numbers(3)];
        foreach (Func<object> first in makers)
        {
            foreach (Func<object> second in makers)
            {
                using SerializerSession writing = Serializer.GetSerializerSession();
                using DeserializerSession reading = Serializer.GetDeserializerSession();
                for (int i = 0; i < 6; i++)
                {
                    byte[] bytes = Serializer.Serialize((i % 3 == 1 ? second : first)(), writing);
                    Assert.Equal([0, 1, 2], Serializer.Deserialize<IEnumerable<int>>(bytes, reading));
                }
            }
        }

        static IEnumerable<int> Numbers(int count)
        {
            for (int i = 0; i < count; i++)
            {
                yield return i;
            }
        }
    }

    [Fact]
    public void A_limit_on_bytes_holds()
    {
        byte[] bytes = Serializer.Serialize(new Texts("one", "two", "three"));
        var enough = new Serializer(new SerializerOptions { Limits = new Limits { MaxBytes = bytes.Length } });
        var tooLow = new Serializer(new SerializerOptions { Limits = new Limits { MaxBytes = bytes.Length - 1 } });
        for (int i = 0; i < 3; i++)
        {
            AssertRoundTrips(enough, new Texts("one", "two", "three"));
            Assert.Throws<ObjectGraphException>(() => tooLow.Serialize(new Texts("one", "two", "three")));
            Assert.Equal(WireFormatError.Limit, Assert.Throws<WireFormatException>(() => tooLow.Deserialize<Texts>(bytes)).Error);
        }
    }

    [Fact]
    public void Threads_share_what_is_known_of_flat_messages()
    {
        var serializer = new Serializer(Options);
        Parallel.For(0, 2_000, new ParallelOptions { MaxDegreeOfParallelism = 16 }, i =>
        {
            foreach (object value in Values(i % 7))
            {
                Assert.Equal(value, serializer.Deserialize<object>(serializer.Serialize(value)));
            }
        });
    }

    private static void AssertRoundTrips<T>(Serializer serializer, T value)
        where T : class
    {
        var output = new ArrayBufferWriter<byte>();
        serializer.Serialize<object>(value, output);
        Assert.Equal(InASession(serializer, value), output.WrittenSpan);
        Assert.Equal(value, serializer.Deserialize<T>(output.WrittenSpan));
        output.ResetWrittenCount();
        serializer.SerializeTyped(value, output);
        Assert.Equal(output.WrittenSpan, serializer.SerializeTyped(value));
        Assert.Equal(value, serializer.DeserializeTyped<T>(output.WrittenSpan));
    }

    private static byte[] InASession(Serializer serializer, object value) => Setup.Reflecting(serializer).Serialize(value);

    private static void Warm(byte[] bytes)
    {
        for (int i = 0; i < 3; i++)
        {
            Serializer.Deserialize<Root>(bytes);
        }
    }

    // A stream is always read through a session; what follows the value in it is nobody's business.
    private static void AssertSameOutcome(byte[] payload, byte[] good)
    {
        // A message that is not flat postpones the next try.
        for (int i = 0; i < 20; i++)
        {
            Serializer.Deserialize<Root>(good);
        }

        var stream = new SeekableStream(payload);
        string expected = Outcome(() => Serializer.Deserialize<Root>(stream));
        string actual = Outcome(() => Serializer.Deserialize<Root>(payload));
        var memory = new MemoryStream(payload);
        string inMemory = Outcome(() => Serializer.Deserialize<Root>(memory));
        Assert.Equal((expected, stream.Position), (inMemory, memory.Position));
        if (expected.StartsWith("read", StringComparison.Ordinal) && stream.Position < payload.Length)
        {
            Assert.StartsWith(nameof(WireFormatError.TrailingBytes), actual, StringComparison.Ordinal);
        }
        else
        {
            Assert.Equal(expected, actual);
        }
    }

    private static string Outcome(Func<Root?> read)
    {
        try
        {
            return $"read {read()}";
        }
        catch (WireFormatException e)
        {
            return $"{e.Error} at {e.Offset} {e.MemberPath}: {e.Message}";
        }
    }

    private static object[] Values(int seed)
    {
        var random = new Random(seed);
        return
        [
            Mixed.Create(random),
            new Derived(random.Next()) { Name = Text(random) },
            new Texts(Text(random), Text(random), Text(random)),
            new Nullables(random),
            new Empty(),
        ];
    }

    private static string? Text(Random random) => random.Next(6) switch
    {
        0 => null,
        1 => "",
        2 => new string('ж', random.Next(1, 70)),
        _ => string.Concat(Enumerable.Range(0, random.Next(1, 70)).Select(_ => (char)random.Next(1, 256))),
    };

    public abstract record Root;

    public abstract record Animal(string Name);

    public sealed record Cat(string Name) : Animal(Name);

    public sealed record Dog(string Name) : Animal(Name);

    public record Base : Root
    {
        public string? Name { get; init; }
    }

    public sealed record Derived(int Number) : Base;

    public sealed record Empty : Root;

    public sealed record Texts(string? First, string? Second, string? Third) : Root;

    public readonly record struct Point(int X, string? Label, double? Y);

    public sealed record Nullables : Root
    {
        private readonly int? _a;
        private readonly Guid? _b;
        private readonly DateTime? _c;
        private readonly DayOfWeek? _d;

        public Nullables(Random random)
        {
            _a = random.Next(2) == 0 ? null : random.Next();
            _b = random.Next(2) == 0 ? null : new Guid(random.Next(), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
            _c = random.Next(2) == 0 ? null : new DateTime(random.NextInt64(DateTime.MaxValue.Ticks), DateTimeKind.Utc);
            _d = random.Next(2) == 0 ? null : (DayOfWeek)random.Next(7);
            Where = new Point(random.Next(), Text(random), random.Next(2) == 0 ? null : random.NextDouble());
        }

        public Point Where { get; init; }

        public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{_a} {_b} {_c} {_d} {Where}");
    }

    public sealed record Mixed : Root
    {
        public bool Flag { get; init; }

        public string? Name { get; init; }

        public byte Small { get; init; }

        public char Letter { get; init; }

        public decimal Money { get; init; }

        public DateTimeOffset When { get; init; }

        public Half Low { get; init; }

        public string? Note { get; init; }

        public nint Native { get; init; }

        public Int128 Wide { get; init; }

        public TimeOnly Time { get; init; }

        public DayOfWeek Day { get; init; }

        public static Mixed Create(Random random) => new()
        {
            Flag = random.Next(2) == 0,
            Name = Text(random),
            Small = (byte)random.Next(),
            Letter = (char)random.Next(0x10000),
            Money = random.Next() / 7m,
            When = new DateTimeOffset(
                random.NextInt64(DateTime.MaxValue.Ticks / 2) + TimeSpan.TicksPerDay, TimeSpan.FromMinutes(random.Next(-600, 600))),
            Low = (Half)random.NextDouble(),
            Note = Text(random),
            Native = random.Next(),
            Wide = random.NextInt64(),
            Time = new TimeOnly(random.NextInt64(TimeSpan.TicksPerDay)),
            Day = (DayOfWeek)random.Next(7),
        };
    }

    public sealed record Line(List<int> Numbers) : Root;

    public sealed class Changing
    {
        private string _a = "", _b = "", _c = "", _d = "", _e = "", _f = "", _g = "", _h = "";

        public void SetAll(string text) => _a = _b = _c = _d = _e = _f = _g = _h = text;

        public override string ToString() => _a + _b + _c + _d + _e + _f + _g + _h;
    }

    // Memory with bytes behind its span that nobody may touch.
    private sealed class GuardedWriter : IBufferWriter<byte>
    {
        private const byte Guard = 0xA5;

        private readonly byte[] _memory = new byte[2048];
        private int _room;
        private int _position;

        public void Restart(int room)
        {
            _room = room;
            _position = 0;
            _memory.AsSpan(room).Fill(Guard);
        }

        public void AssertNothingBehind()
        {
            if (_memory.AsSpan(_room).ContainsAnyExcept(Guard))
            {
                Assert.Fail($"Bytes were written behind a span of {_room}.");
            }
        }

        public void Advance(int count)
        {
            if (_position + count > _room)
            {
                Assert.Fail($"{count} bytes were advanced over, of {_room - _position}.");
            }

            _position += count;
        }

        public Memory<byte> GetMemory(int sizeHint = 0) => throw new NotSupportedException("Wire asks for spans.");

        public Span<byte> GetSpan(int sizeHint = 0)
        {
            // One that gives less than it is asked for is told so; this one begins anew with more.
            if (_room - _position < sizeHint)
            {
                Restart(_memory.Length - 64);
            }

            return _memory.AsSpan(_position, _room - _position);
        }
    }

    // Gives exactly what is asked for.
    private sealed class ExactWriter : IBufferWriter<byte>
    {
        private readonly List<byte> _written = [];
        private byte[] _span = [];

        public byte[] Written => [.. _written];

        public void Advance(int count) => _written.AddRange(_span[..count]);

        public Memory<byte> GetMemory(int sizeHint = 0) => _span = new byte[sizeHint];

        public Span<byte> GetSpan(int sizeHint = 0) => _span = new byte[sizeHint];
    }

    // Gives less than is asked for, which no buffer writer may.
    private sealed class StingyWriter : IBufferWriter<byte>
    {
        public void Advance(int count) => throw new InvalidOperationException("There is nothing to advance over.");

        public Memory<byte> GetMemory(int sizeHint = 0) => new byte[4];

        public Span<byte> GetSpan(int sizeHint = 0) => new byte[4];
    }
}
