using System.Buffers;
using System.IO.Pipelines;
using Wire.Comparing;
using Wire.Testing;
using Wire.Tests.Behaviour;
using Wire.Tests.Testing;
using Xunit;

namespace Wire.Tests.Faults;

/// <summary>
/// A reader fails at a message while its writer goes on. Types of one layout stand for each other unnoticed when the two number
/// them differently, so that what comes afterwards has to be what was sent, or an error.
/// </summary>
public sealed class SessionFailureTests
{
    public sealed record Transfer(int Cents, string To);

    public sealed record Refund(int Cents, string To);

    public sealed record Fee(int Cents, string To);

    public sealed record Hidden(int Cents, string To);

    public sealed record Actor(string Name);

    public sealed record ActorName(string Name, object? More);

    public sealed record Parcel(int Number);

    public static TheoryData<string, bool> Forms
    {
        get
        {
            var data = new TheoryData<string, bool>();
            foreach (string form in SessionForm.All)
            {
                data.Add(form, true);
                data.Add(form, false);
            }

            return data;
        }
    }

    [Theory]
    [MemberData(nameof(Forms))]
    public async Task A_refused_type_is_never_read_as_another(string form, bool references)
    {
        await using SessionForm link = Link(form, references);
        Assert.IsType<TypeRefusedException>(await link.Fails(new Hidden(1, "a")));
        Assert.Equal(new Transfer(10, "b"), await link.Comes(new Transfer(10, "b")));
        Assert.IsType<TypeRefusedException>(await link.Fails(new Hidden(99, "c")));
        Assert.Equal(new Transfer(11, "d"), await link.Comes(new Transfer(11, "d")));
        Assert.Equal(new Refund(12, "e"), await link.Comes(new Refund(12, "e")));
    }

    [Theory]
    [MemberData(nameof(Forms))]
    public async Task What_a_refused_message_defines_behind_the_refusal_is_known(string form, bool references)
    {
        await using SessionForm link = Link(form, references);
        object[] refused = [new Refund(1, "a"), new Hidden(2, "b"), new Transfer(3, "c")];
        Assert.IsType<TypeRefusedException>(await link.Fails(refused));
        object[] sent = [new Transfer(4, "d"), new Refund(5, "e"), new Fee(6, "f")];
        GraphAssert.Same(sent, await link.Comes(sent), references);
    }

    [Theory]
    [MemberData(nameof(Forms))]
    public async Task Asking_for_the_wrong_type_once_changes_nothing(string form, bool references)
    {
        await using SessionForm link = Link(form, references);
        Assert.Equal(WireFormatError.TypeMismatch, Assert.IsType<WireFormatException>(await link.Fails<string>(new Refund(1, "a"))).Error);
        Assert.Equal(new Transfer(2, "b"), await link.Comes(new Transfer(2, "b")));
        Assert.Equal(new Refund(99, "c"), await link.Comes(new Refund(99, "c")));
        Assert.Equal(WireFormatError.TypeMismatch, Assert.IsType<WireFormatException>(await link.Fails<int>(new Fee(1, "a"))).Error);
        Assert.Equal(new Fee(3, "d"), await link.Comes(new Fee(3, "d")));
        Assert.Equal(new Transfer(4, "e"), await link.Comes(new Transfer(4, "e")));
    }

    [Theory]
    [MemberData(nameof(Forms))]
    public async Task A_conversion_that_throws_changes_nothing(string form, bool references)
    {
        await using SessionForm link = Link(form, references);
        Exception failure = await link.Fails(new object[] { new Fee(1, "a"), new Actor("missing"), new Refund(2, "b") });
        Assert.Equal("No such actor.", Assert.IsType<KeyNotFoundException>(failure).Message);
        Assert.Equal(new Transfer(3, "c"), await link.Comes(new Transfer(3, "c")));
        Assert.Equal(new Refund(4, "d"), await link.Comes(new Refund(4, "d")));
        Assert.Equal(new Fee(5, "e"), await link.Comes(new Fee(5, "e")));
        Assert.Equal(new Actor("here"), await link.Comes(new Actor("here")));
    }

    [Theory]
    [MemberData(nameof(Forms))]
    public async Task A_lost_message_is_an_error_where_it_is_missed_and_nowhere_else(string form, bool references)
    {
        await using SessionForm link = Link(form, references);
        Assert.Equal(new Transfer(1, "a"), await link.Comes(new Transfer(1, "a")));
        await link.Lose(new Refund(2, "b"));
        Assert.Equal(new Fee(3, "c"), await link.Comes(new Fee(3, "c")));
        Assert.Equal(WireFormatError.UnknownManifest, Assert.IsType<WireFormatException>(await link.Fails(new Refund(4, "d"))).Error);
        Assert.Equal(new Transfer(5, "e"), await link.Comes(new Transfer(5, "e")));
        Assert.Equal(new Fee(6, "f"), await link.Comes(new Fee(6, "f")));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Messages_that_come_twice_or_late_are_read_as_they_were_sent(bool references)
    {
        Serializer serializer = Serializer(references);
        using SerializerSession writing = serializer.GetSerializerSession();
        using DeserializerSession reading = serializer.GetDeserializerSession();
        object[] sent =
        [
            new Transfer(1, "a"), new Refund(2, "b"), new Parcel(3), new Fee(4, "c"), new Parcel(5), new Transfer(6, "d"), new Fee(7, "e"),
        ];
        byte[][] messages = [.. sent.Select(value => serializer.Serialize(value, writing))];
        foreach (int i in new[] { 3, 1, 1, 0, 2, 5, 4, 2, 6, 0, 3, 3, 6 })
        {
            Assert.Equal(sent[i], serializer.Deserialize<object>(messages[i], reading));
        }
    }

    [Fact]
    public void Messages_of_two_writers_end_the_session()
    {
        Serializer serializer = Serializer(references: false);
        using SerializerSession one = serializer.GetSerializerSession();
        using SerializerSession other = serializer.GetSerializerSession();
        using DeserializerSession reading = serializer.GetDeserializerSession();
        Assert.Equal(new Transfer(1, "a"), serializer.Deserialize<object>(serializer.Serialize(new Transfer(1, "a"), one), reading));
        byte[] refund = serializer.Serialize(new Refund(2, "b"), other);
        var e = Assert.Throws<WireFormatException>(() => serializer.Deserialize<object>(refund, reading));
        Assert.Equal(WireFormatError.Manifest, e.Error);
        Assert.Contains(nameof(Refund), e.Message, StringComparison.Ordinal);
        Assert.Contains(nameof(Transfer), e.Message, StringComparison.Ordinal);
        Assert.Contains("begin a new session", e.Message, StringComparison.Ordinal);

        // An identifier alone does not say whose it is.
        byte[] again = serializer.Serialize(new Refund(3, "c"), other);
        Assert.Throws<InvalidOperationException>(() => serializer.Deserialize<object>(again, reading));
        Assert.Throws<InvalidOperationException>(() => serializer.Deserialize<object>(serializer.Serialize(1), reading));
    }

    [Theory]
    [MemberData(nameof(Forms))]
    public async Task A_payload_that_stands_alone_has_no_part_in_the_session_around_it(string form, bool references)
    {
        await using SessionForm link = Link(form, references);
        Assert.Equal(new Fee(0, "x"), await link.ComesAlone(new Fee(0, "x")));
        Assert.Equal(new Transfer(1, "a"), await link.Comes(new Transfer(1, "a")));
        for (int i = 0; i < 3; i++)
        {
            Assert.Equal(new Refund(2, "b"), await link.ComesAlone(new Refund(2, "b")));
            Assert.Equal(new Parcel(i), await link.ComesAlone(new Parcel(i)));
            Assert.Equal(new Fee(3, "c"), await link.Comes(new Fee(3, "c")));
            Assert.Equal(new Transfer(4, "d"), await link.Comes(new Transfer(4, "d")));
            Assert.IsType<TypeRefusedException>(await link.FailsAlone(new Hidden(5, "e")));
        }
    }

    [Theory]
    [MemberData(nameof(Forms))]
    public async Task Without_schemas_what_cannot_be_passed_over_is_unknown_and_never_another_type(string form, bool references)
    {
        await using SessionForm link = new(form, Serializer(references, o => o with { VersionTolerance = false }));
        Assert.IsType<TypeRefusedException>(await link.Fails(new object[] { new Hidden(2, "b"), new Transfer(3, "c") }));
        Assert.Equal(new Refund(4, "d"), await link.Comes(new Refund(4, "d")));
        Assert.Equal(WireFormatError.UnknownManifest, Assert.IsType<WireFormatException>(await link.Fails(new Transfer(5, "e"))).Error);
        Assert.Equal(WireFormatError.UnknownManifest, Assert.IsType<WireFormatException>(await link.Fails(new Hidden(6, "f"))).Error);
        Assert.Equal(new Refund(7, "g"), await link.Comes(new Refund(7, "g")));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Typed_messages_go_on_behind_a_failed_one(bool references)
    {
        Serializer serializer = Serializer(references);
        using SerializerSession writing = serializer.GetSerializerSession();
        using DeserializerSession reading = serializer.GetDeserializerSession();
        for (int i = 0; i < 3; i++)
        {
            object[] refused = [new Hidden(1, "a"), new Refund(2, "b")];
            byte[] bad = serializer.SerializeTyped(new Box<object?> { Value = refused }, writing);
            Assert.Throws<TypeRefusedException>(() => serializer.DeserializeTyped<Box<object?>>(bad, reading));
            byte[] good = serializer.SerializeTyped(new Box<object?> { Value = new Transfer(i, "c") }, writing);
            Assert.Equal(new Transfer(i, "c"), serializer.DeserializeTyped<Box<object?>>(good, reading)!.Value);
            good = serializer.SerializeTyped(new Box<object?> { Value = new Refund(i, "d") }, writing);
            Assert.Equal(new Refund(i, "d"), serializer.DeserializeTyped<Box<object?>>(good, reading)!.Value);
        }
    }

    [Fact]
    public void Typed_messages_of_several_types_go_on_behind_failed_ones()
    {
        Serializer serializer = Serializer(references: false);
        using SerializerSession writing = serializer.GetSerializerSession();
        using DeserializerSession reading = serializer.GetDeserializerSession();
        for (int i = 0; i < 3; i++)
        {
            // Each is read by what is remembered of the last one of its type that could be.
            byte[] bad = serializer.SerializeTyped(new Box<object?> { Value = new Transfer(i, "a") }, writing);
            Assert.Equal(new Transfer(i, "a"), serializer.DeserializeTyped<Box<object?>>(bad, reading)!.Value);
            bad = serializer.SerializeTyped(new object[] { new Hidden(1, "a"), i }, writing);
            Assert.Throws<TypeRefusedException>(() => serializer.DeserializeTyped<object[]>(bad, reading));
            bad = serializer.SerializeTyped(
                new Box<object?> { Value = new object[] { new Hidden(1, "a"), new Refund(2, "b"), new Fee(i, "c") } }, writing);
            Assert.Throws<TypeRefusedException>(() => serializer.DeserializeTyped<Box<object?>>(bad, reading));
            byte[] good = serializer.Serialize(new object[] { new Refund(i, "d"), new Fee(i, "e") }, writing);
            Assert.Equal([new Refund(i, "d"), new Fee(i, "e")], serializer.Deserialize<object[]>(good, reading)!);
        }
    }

    [Fact]
    public void A_message_of_a_session_that_has_all_it_needs_is_read_without_one()
    {
        Serializer serializer = Serializer(references: false);
        using SerializerSession writing = serializer.GetSerializerSession();
        byte[] first = serializer.Serialize(new Transfer(1, "a"), writing);
        byte[] second = serializer.Serialize(new Transfer(2, "b"), writing);
        byte[] third = serializer.Serialize(new Refund(3, "c"), writing);
        for (int i = 0; i < 3; i++)
        {
            Assert.Equal(new Transfer(1, "a"), serializer.Deserialize<object>(first));
            Assert.Equal(new Refund(3, "c"), serializer.Deserialize<object>(third));
            Assert.Equal(new Fee(4, "d"), serializer.RoundTrip(new Fee(4, "d")));
            Assert.Equal(
                WireFormatError.UnknownManifest, Assert.Throws<WireFormatException>(() => serializer.Deserialize<object>(second)).Error);
        }
    }

    [Fact]
    public void One_message_that_contradicts_itself_leaves_the_session_usable()
    {
        Serializer serializer = Serializer(references: false);
        using SerializerSession one = serializer.GetSerializerSession();
        using SerializerSession other = serializer.GetSerializerSession();
        using DeserializerSession reading = serializer.GetDeserializerSession();
        byte[] pair = serializer.Serialize(new object[] { new Transfer(1, "a"), new Refund(2, "b") }, one);
        int name = pair.AsSpan().IndexOf(System.Text.Encoding.UTF8.GetBytes($"{typeof(Refund).FullName}, "));
        Assert.Equal(1, pair[name - 3]);
        PayloadWriter.InSession(0, pair[(name - 1)..(name - 1 + pair[name - 2])]).CopyTo(pair, name - 4);
        var e = Assert.Throws<WireFormatException>(() => serializer.Deserialize<object>(pair, reading));
        Assert.Contains("twice", e.Message, StringComparison.Ordinal);
        Assert.Equal(new Fee(3, "c"), serializer.Deserialize<object>(serializer.Serialize(new Fee(3, "c"), other), reading));
    }

    private static SessionForm Link(string form, bool references) => new(form, Serializer(references));

    private static Serializer Serializer(bool references, Func<SerializerOptions, SerializerOptions>? change = null)
    {
        var options = new SerializerOptions
        {
            PreserveObjectReferences = references,
            TypeFilter = WireTypeFilter.Default.Allow<Transfer>().Allow<Refund>().Allow<Fee>().Allow<Actor>().Allow<Parcel>()
                .Allow(typeof(Box<>)).Allow<Leaf>(),
            Surrogates =
            [
                Surrogate.Create<Actor, ActorName>(
                    actor => new ActorName(actor.Name, new Transfer(0, "inside")),
                    name => name.Name == "missing" ? throw new KeyNotFoundException("No such actor.") : new Actor(name.Name)),
            ],
            ValueSerializerFactories = [ValueSerializerFactory.For(new ParcelSerializer())],
        };
        return new Serializer(change is null ? options : change(options));
    }

    /// <summary>Defines a type in its frame, whose identifier is given again behind it.</summary>
    private sealed class ParcelSerializer : ValueSerializer<Parcel>
    {
        public override void Write(ref WireWriter writer, Parcel value)
        {
            writer.WriteFixed(value.Number);
            writer.WriteValue<object?>(new Box<Leaf> { Value = new Leaf { Id = value.Number } });
        }

        public override Parcel Read(ref WireReader reader)
        {
            int number = reader.ReadFixed<int>();
            Assert.Equal(number, Assert.IsType<Box<Leaf>>(reader.ReadValue<object?>()).Value!.Id);
            return new Parcel(number);
        }
    }
}

/// <summary>One writer and one reader of a session, in one of the ways in which messages get from one to the other.</summary>
internal sealed class SessionForm(string form, Serializer serializer) : IAsyncDisposable
{
    private readonly SerializerSession _writing = serializer.GetSerializerSession();
    private readonly DeserializerSession _reading = serializer.GetDeserializerSession();
    private readonly Pipe _pipe = new();
    private readonly MemoryStream _stream = new();
    private long _read;

    public static IEnumerable<string> All => ["array", "sequence", "stream", "frame", "enumerable", "pipe", "pipe enumerable"];

    public async Task<object?> Comes(object value) => await Read<object>(serializer.Serialize(value, _writing));

    public async Task<object?> ComesAlone(object value) => await Read<object>(serializer.Serialize(value));

    public Task<Exception> Fails(object value) => Fails<object>(value);

    public async Task<Exception> Fails<T>(object value)
    {
        byte[] message = serializer.Serialize(value, _writing);
        return (await Record.ExceptionAsync(() => Read<T>(message)))!;
    }

    public async Task<Exception> FailsAlone(object value)
    {
        byte[] message = serializer.Serialize(value);
        return (await Record.ExceptionAsync(() => Read<object>(message)))!;
    }

    public Task Lose(object value)
    {
        _ = serializer.Serialize(value, _writing);
        return Task.CompletedTask;
    }

    public async ValueTask DisposeAsync()
    {
        _writing.Dispose();
        _reading.Dispose();
        await _pipe.Writer.CompleteAsync();
        await _pipe.Reader.CompleteAsync();
    }

    private async Task<T?> Read<T>(byte[] message)
    {
        byte[] frame = [.. BitConverter.GetBytes(message.Length), .. message];
        switch (form)
        {
            case "array":
                return serializer.Deserialize<T>(message, _reading);
            case "sequence":
                return serializer.Deserialize<T>(Fragments.Every(message, 3), _reading);
            case "stream":
                return serializer.Deserialize<T>(new SeekableStream([9, .. message, 9]) { Position = 1 }, _reading);
            case "frame":
                Append(frame);
                return await Framed(() => serializer.DeserializeFramedAsync<T>(_stream, _reading).AsTask());
            case "enumerable":
                Append(frame);
                return await Framed(() => First(serializer.DeserializeAllFramedAsync<T>(_stream, _reading)));
            case "pipe":
                await _pipe.Writer.WriteAsync(frame);
                return await serializer.DeserializeFramedAsync<T>(_pipe.Reader, _reading);
            default:
                await _pipe.Writer.WriteAsync(frame);
                return await First(serializer.DeserializeAllFramedAsync<T>(_pipe.Reader, _reading));
        }
    }

    private void Append(byte[] frame)
    {
        _stream.Position = _stream.Length;
        _stream.Write(frame);
        _stream.Position = _read;
    }

    // The stream is right behind the frame, whatever became of it.
    private async Task<T?> Framed<T>(Func<Task<T?>> read)
    {
        try
        {
            return await read();
        }
        finally
        {
            Assert.Equal(_stream.Length, _stream.Position);
            _read = _stream.Position;
        }
    }

    private static async Task<T?> First<T>(IAsyncEnumerable<T?> messages)
    {
        await foreach (T? message in messages)
        {
            return message;
        }

        throw new InvalidOperationException("There is no message.");
    }
}
