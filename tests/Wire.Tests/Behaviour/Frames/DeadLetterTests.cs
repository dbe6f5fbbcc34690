using System.Buffers;
using System.IO.Pipelines;
using Wire.Comparing;
using Wire.Testing;
using Wire.Tests.Testing;
using static Wire.Tests.Behaviour.Frames.FrameModel;

namespace Wire.Tests.Behaviour.Frames;

/// <summary>
/// A message that is refused or broken is handed over with its bytes, and the stream goes on: nothing else is lost, and nothing is read as
/// another type, although the writer knows of no failure.
/// </summary>
public sealed class DeadLetterTests
{
    public enum Way
    {
        Stream,
        SlowStream,
        Pipe,
        SlowPipe,
    }

    private enum Kind
    {
        Good,
        Refused,
        OtherType,
        Throwing,
        Damaged,
    }

    public static TheoryData<Way, bool, bool> Ways()
    {
        var data = new TheoryData<Way, bool, bool>();
        foreach (Way way in Enum.GetValues<Way>())
        {
            data.Add(way, false, false);
            data.Add(way, true, false);
            data.Add(way, true, true);
        }

        return data;
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Whatever_fails_the_others_are_read_as_they_were_sent(Way way, bool inSession, bool references)
    {
        var met = new HashSet<Kind>();
        int ended = 0;
        Serializer serializer = Make(references);
        for (int seed = 0; seed < (Sweep.IsWhole ? 20_000 : 400); seed++)
        {
            (bool hasEnded, HashSet<Kind> kinds) = await TryAsync(serializer, new Random(seed), way, inSession, references, seed);
            met.UnionWith(kinds);
            ended += hasEnded ? 1 : 0;
        }

        Assert.Equal(Enum.GetValues<Kind>(), met.Order());
        Assert.True(inSession ? ended > 0 : ended == 0);
    }

    [Fact]
    public unsafe void A_type_that_no_message_can_be_read_as_is_refused_before_anything_is_read()
    {
        Serializer serializer = new();
        using DeserializerSession session = serializer.GetDeserializerSession();
        var stream = new MemoryStream(Frame(serializer.Serialize(5)));
        PipeReader pipe = PipeReader.Create(stream);
        Assert.Throws<UnsupportedTypeException>(() => serializer.DeserializeAllFramedAsync<Task>(stream, Lose));
        Assert.Throws<UnsupportedTypeException>(() => serializer.DeserializeAllFramedAsync<Task>(stream, session, Lose));
        Assert.Throws<UnsupportedTypeException>(() => serializer.DeserializeAllFramedAsync<Task>(pipe, Lose));
        Assert.Throws<UnsupportedTypeException>(() => serializer.DeserializeAllFramedAsync<Task>(pipe, session, Lose));
        Assert.Equal("T", Assert.Throws<ArgumentException>(
            () => serializer.DeserializeAllFramedAsync<int*[]>(stream, Lose)).ParamName);
        Assert.Equal(0, stream.Position);
        Assert.NotNull(serializer.DeserializeAllFramedAsync<object>(stream, Lose));
        Assert.NotNull(serializer.DeserializeAllFramedAsync<int?>(stream, Lose));
        Assert.NotNull(serializer.DeserializeAllFramedAsync<IDisposable>(stream, Lose));

        static ValueTask Lose(DeadLetter letter) => throw new InvalidOperationException("A message was lost.", letter.Exception);
    }

    [Fact]
    public async Task A_refused_message_in_the_middle_of_many_is_the_only_one_that_is_lost()
    {
        const int Count = 20_000;
        Serializer serializer = Make();
        var pipe = new Pipe();
        using SerializerSession writing = serializer.GetSerializerSession();
        using DeserializerSession reading = serializer.GetDeserializerSession();
        IEnumerable<Letter> letters =
            Enumerable.Range(0, Count).Select(i => i == Count / 2 ? (Letter)new Hidden { Cents = i } : new Transfer { Cents = i });
        Task sending = Task.Run(async () =>
        {
            await serializer.SerializeAllFramedAsync(letters, pipe.Writer, writing);
            await pipe.Writer.CompleteAsync();
        });
        List<DeadLetter> dead = [];
        IAsyncEnumerable<Letter?> all = serializer.DeserializeAllFramedAsync<Letter>(pipe.Reader, reading, letter =>
        {
            dead.Add(letter);
            return ValueTask.CompletedTask;
        });
        int next = 0;
        await foreach (Letter? letter in all)
        {
            Assert.Equal(next, Assert.IsType<Transfer>(letter).Cents);
            next += next == (Count / 2) - 1 ? 2 : 1;
        }

        await sending;
        Assert.Equal(Count, next);
        DeadLetter only = Assert.Single(dead);
        Assert.Equal(Count / 2, only.Position);
        Assert.IsType<TypeRefusedException>(only.Exception);
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task What_the_handler_throws_comes_out_and_the_next_call_goes_on_behind_it(Way way, bool inSession, bool references)
    {
        Serializer serializer = Make(references);
        using SerializerSession writing = serializer.GetSerializerSession();
        using DeserializerSession reading = serializer.GetDeserializerSession();
        byte[][] payloads = [.. new Letter[] { new Hidden(), new Transfer { Cents = 2 } }
            .Select(letter => inSession ? serializer.Serialize(letter, writing) : serializer.Serialize(letter))];
        Source source = new(way, [.. payloads.SelectMany(Frame)]);
        await Assert.ThrowsAsync<InvalidTimeZoneException>(async () =>
        {
            await foreach (Letter? _ in source.Read(serializer, inSession ? reading : null, _ => throw new InvalidTimeZoneException()))
            {
                Assert.Fail("The first one cannot be read.");
            }
        });
        List<Letter?> read = [];
        await foreach (Letter? letter in source.Read(serializer, inSession ? reading : null, _ => throw new InvalidTimeZoneException()))
        {
            read.Add(letter);
        }

        Assert.Equal(2, Assert.IsType<Transfer>(Assert.Single(read)).Cents);
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task What_cannot_go_on_throws(Way way, bool inSession, bool references)
    {
        Serializer serializer = Make(references, o => o with { Limits = Limits.Default with { MaxFrameBytes = 1000 } });
        byte[] good = Frame(serializer.Serialize<Letter>(new Transfer()));
        foreach ((byte[] bytes, WireFormatError error) in new[]
        {
            ((byte[])[.. good, .. good[..^1]], WireFormatError.Frame),
            ([.. good, 1, 0], WireFormatError.Frame),
            ([.. good, 0xE9, 3, 0, 0, 0], WireFormatError.Limit),
        })
        {
            using DeserializerSession reading = serializer.GetDeserializerSession();
            int count = 0;
            WireFormatException e = await Assert.ThrowsAsync<WireFormatException>(async () =>
            {
                var source = new Source(way, bytes);
                await foreach (Letter? _ in source.Read(serializer, inSession ? reading : null, letter => throw letter.Exception))
                {
                    count++;
                }
            });
            Assert.Equal((error, 1), (e.Error, count));
        }
    }

    [Fact]
    public async Task A_session_that_has_ended_throws_and_hands_nothing_over()
    {
        Serializer serializer = Make();
        using SerializerSession writing = serializer.GetSerializerSession();
        using DeserializerSession reading = serializer.GetDeserializerSession();
        byte[] good = Frame(serializer.Serialize<Letter>(new Transfer(), writing));
        reading.Dispose();
        await Assert.ThrowsAsync<ObjectDisposedException>(async () =>
        {
            await foreach (Letter? _ in new Source(Way.Pipe, good).Read(serializer, reading, letter => throw letter.Exception))
            {
            }
        });
    }

    private static async Task<(bool HasEnded, HashSet<Kind> Kinds)> TryAsync(
        Serializer serializer, Random random, Way way, bool inSession, bool references, int seed)
    {
        using SerializerSession writing = serializer.GetSerializerSession();
        using DeserializerSession reading = serializer.GetDeserializerSession();
        // A definition with the number of a later one, as another session has it: noticed when that comes, if nothing else is damaged.
        bool isRenumbered = inSession && random.Next(6) == 0;
        List<(object Value, byte[] Payload, Kind Kind)> sent = [.. Enumerable.Range(0, random.Next(1, 14)).Select(_ =>
        {
            object value = Value(random, depth: 0, out Kind kind);
            byte[] payload = inSession && random.Next(8) > 0 ? serializer.Serialize(value, writing) : serializer.Serialize(value);
            if (isRenumbered)
            {
                bool isChanged = payload is [var header, 2, 0, ..] && (header & 4) != 0 && random.Next(2) == 0;
                if (isChanged)
                {
                    PayloadWriter.InSession(1, ManifestBehind(payload)).CopyTo(payload, 1);
                }

                return (value, payload, isChanged ? Kind.Damaged : kind);
            }

            return random.Next(5) == 0 ? (value, Damaged(random, payload), Kind.Damaged) : (value, payload, kind);
        })];
        var source = new Source(way, [.. sent.SelectMany(message => Frame(message.Payload))]);
        List<object?> events = [];
        Exception? end = await Record.ExceptionAsync(async () =>
        {
            await foreach (Letter? letter in source.Read(serializer, inSession ? reading : null, letter =>
            {
                events.Add(letter);
                return ValueTask.CompletedTask;
            }))
            {
                events.Add(letter);
            }
        });
        bool wasDamaged = false;
        long offset = 0;
        for (int i = 0; i < events.Count; i++)
        {
            (object value, byte[] payload, Kind kind) = sent[i];
            string place = $"Seed {seed}, message {i}, {Convert.ToHexString(payload)}: ";
            wasDamaged |= kind == Kind.Damaged;
            if (events[i] is DeadLetter dead)
            {
                Assert.True(dead.Payload.Span.SequenceEqual(payload), place + "other bytes were handed over.");
                Assert.Equal((i, offset), (dead.Position, dead.Offset));
                bool isRight = kind switch
                {
                    Kind.Refused => dead.Exception is TypeRefusedException || (wasDamaged && IsUnknown(dead)),
                    Kind.OtherType => dead.Exception is WireFormatException { Error: WireFormatError.TypeMismatch }
                        || (wasDamaged && IsUnknown(dead)),
                    Kind.Throwing => dead.Exception is ActorMissingException || (wasDamaged && IsUnknown(dead)),
                    Kind.Damaged => true,
                    _ => inSession && wasDamaged && IsUnknown(dead),
                };
                Assert.True(isRight, $"{place}{kind} gives {dead.Exception}");
            }
            else if (kind != Kind.Damaged)
            {
                Assert.True(kind == Kind.Good, $"{place}{kind} was read as {events[i]}");
                string? difference = GraphAssert.Difference(value, events[i], references);
                Assert.True(difference is null, place + difference);
            }

            offset += sizeof(int) + payload.Length;
        }

        if (end is not null)
        {
            // Only a message that contradicts the session ends it, and says so.
            Assert.True(inSession && sent.Take(events.Count + 1).Any(message => message.Kind == Kind.Damaged), $"Seed {seed}: {end}");
            Assert.Contains("begin a new session", Assert.IsAssignableFrom<WireFormatException>(end).Message, StringComparison.Ordinal);
        }
        else
        {
            Assert.Equal(sent.Count, events.Count);
        }

        return (end is not null, [.. sent.Select(message => message.Kind)]);
    }

    // Behind the header, the tag and the identifier is the length.
    private static byte[] ManifestBehind(byte[] payload)
    {
        using var reader = new BinaryReader(new MemoryStream(payload) { Position = 3 });
        return reader.ReadBytes(reader.Read7BitEncodedInt());
    }

    private static bool IsUnknown(DeadLetter dead) => dead.Exception is WireFormatException { Error: WireFormatError.UnknownManifest };

    private static object Value(Random random, int depth, out Kind kind)
    {
        int cents = random.Next(100);
        string? to = random.Next(3) switch { 0 => "Ada", 1 => "\u4F60", _ => null };
        kind = Kind.Good;
        switch (random.Next(depth < 2 ? 9 : 5))
        {
            case 0 or 1:
                return new Transfer { Cents = cents, To = to };
            case 2:
                return new Refund { Cents = cents, To = to };
            case 3:
                kind = Kind.Refused;
                return new Hidden { Cents = cents, To = to };
            case 4:
                kind = cents % 2 == 0 ? Kind.Good : Kind.Throwing;
                return new Actor { Cents = cents };
            case 5 or 6:
                var inside = new Letter[random.Next(4)];
                for (int i = 0; i < inside.Length; i++)
                {
                    inside[i] = (Letter)InBundle(random, depth, ref kind);
                }

                return new Bundle { Cents = cents, Inside = inside };
            case 7:
                kind = Kind.OtherType;
                return new Parcel { Cents = cents, To = to };
            default:
                kind = Kind.OtherType;
                return "text";
        }
    }

    // The first failure in a bundle is that of the bundle; another type cannot be in it.
    private static object InBundle(Random random, int depth, ref Kind kind)
    {
        while (true)
        {
            object value = Value(random, depth + 1, out Kind other);
            if (value is Letter)
            {
                kind = kind == Kind.Good ? other : kind;
                return value;
            }
        }
    }

    // Nothing of a definition is changed: that it was another one is what no reader can know.
    private static byte[] Damaged(Random random, byte[] payload)
    {
        byte[] changed = [.. payload];
        switch (random.Next(6))
        {
            case 0:
                return payload[..random.Next(payload.Length)];
            case 1:
                return [.. payload, 0];
            case 2:
                changed[0] ^= (byte)(random.Next(2) == 0 ? 0x20 : 0x08);
                return changed;
            case 3:
                changed[1] ^= (byte)(1 << random.Next(8));
                return changed;
            case 4:
                random.NextBytes(changed);
                return changed;
            default:
                return [];
        }
    }

    /// <summary>A framed connection that is read further by each call.</summary>
    private sealed class Source
    {
        private readonly Stream? _stream;
        private readonly PipeReader? _pipe;

        public Source(Way way, byte[] bytes)
        {
            _stream = way switch
            {
                Way.Stream => new MemoryStream(bytes),
                Way.SlowStream => new TrickleStream(bytes, 1),
                _ => null,
            };
            _pipe = way switch
            {
                Way.Pipe => PipeReader.Create(new ReadOnlySequence<byte>(bytes)),
                Way.SlowPipe => FrameModel.Pipe(bytes, 1),
                _ => null,
            };
        }

        public IAsyncEnumerable<Letter?> Read(
            Serializer serializer, DeserializerSession? session, Func<DeadLetter, ValueTask> deadLetters) => (_stream, session) switch
            {
                (null, null) => serializer.DeserializeAllFramedAsync<Letter>(_pipe!, deadLetters),
                (null, _) => serializer.DeserializeAllFramedAsync<Letter>(_pipe!, session, deadLetters),
                (_, null) => serializer.DeserializeAllFramedAsync<Letter>(_stream, deadLetters),
                _ => serializer.DeserializeAllFramedAsync<Letter>(_stream, session, deadLetters),
            };
    }
}
