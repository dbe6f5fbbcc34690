using System.Buffers;
using Wire.Comparing;
using Wire.Testing;

namespace Wire.Tests.Testing;

/// <summary>A value in every kind of member: declared as its type, as object, and once more, so that it may be shared.</summary>
public sealed class Holder<T>
{
    public string Before { get; set; } = "before";

    public T? Declared { get; set; }

    public object? Any { get; set; }

    public T? Last { get; set; }
}

/// <summary>Takes one value through everything that a serializer can do with it, and checks what comes back.</summary>
/// <param name="serializer">The serializer.</param>
/// <param name="more">What else must hold for what is read, beside that it is the same by <see cref="GraphAssert"/>.</param>
internal sealed class ValueTester<T>(Serializer serializer, Action<T?, T?>? more = null)
{
    // Of so few bytes, all are damaged.
    private const int Few = 16;

    private static readonly byte[] Behind = [0xCC, 0xCC, 0xCC, 0xCC, 0xCC];

    // Exactly what was shared, or nothing at all.
    private bool Sharing => serializer.Options.PreserveObjectReferences;

    /// <summary>Every step under every combination of options; for types that have no name to derive a test class from.</summary>
    public static void RunAll(T[] samples)
    {
        foreach ((bool references, bool tolerance, bool dynamicCode) in Configuration.All())
        {
            var tester = new ValueTester<T>(Configuration.Serializer(references, tolerance, dynamicCode));
            foreach (T sample in samples)
            {
                tester.Sources(sample);
                tester.Containers(sample, samples);
                tester.Into(sample, samples);
                tester.Sessions(sample);
                tester.Typed(sample);
                tester.Cuts(sample);
                tester.Damage(sample);
                Twins(sample, references, tolerance);
            }
        }
    }

    /// <summary>Emitted code and reflection write the same bytes.</summary>
    public static void Twins(T value, bool references, bool tolerance)
    {
        Serializer emitted = Configuration.Serializer(references, tolerance, dynamicCode: true);
        Serializer reflected = Configuration.Serializer(references, tolerance, dynamicCode: false);
        Holder<T> holder = HolderOf(value);
        Assert.Equal(emitted.Serialize(value), reflected.Serialize(value));
        Assert.Equal(emitted.Serialize(holder), reflected.Serialize(holder));
        Assert.Equal(emitted.SerializeTyped(value), reflected.SerializeTyped(value));
        Assert.Equal(emitted.SerializeTyped(holder), reflected.SerializeTyped(holder));
    }

    /// <summary>Every target writes the same bytes, every source reads them, and takes exactly those.</summary>
    public void Sources(T value)
    {
        byte[] bytes = serializer.Serialize(value);
        Assert.Equal(bytes, serializer.Serialize((object?)value));
        var writer = new ArrayBufferWriter<byte>();
        serializer.Serialize(value, writer);
        Assert.Equal(bytes, writer.WrittenSpan.ToArray());
        using var written = new MemoryStream();
        serializer.Serialize(value, written);
        Assert.Equal(bytes, written.ToArray());

        Check(value, serializer.Deserialize<T>(bytes));
        Check(value, serializer.Deserialize<T>(bytes.AsSpan()));
        Check(value, serializer.Deserialize<T>(new ReadOnlyMemory<byte>(bytes)));
        CheckObject(value, serializer.Deserialize<object>(bytes));
        CheckObject(value, serializer.Deserialize<object>(bytes.AsSpan()));
        byte[] followed = [.. bytes, .. Behind];
        Check(value, serializer.Deserialize<T>(followed, out int consumed));
        Assert.Equal(bytes.Length, consumed);
        Assert.Equal(WireFormatError.TrailingBytes, Assert.ThrowsAny<WireFormatException>(() => serializer.Deserialize<T>(followed)).Error);
        Sequences(value, bytes);
        Streams(value, bytes, followed);
    }

    /// <summary>In arrays, lists and members, alone and shared.</summary>
    public void Containers(T value, T[] all)
    {
        object?[] objects = serializer.Deserialize<object?[]>(serializer.Serialize(new object?[] { value, "between", value }))!;
        CheckObject(value, objects[0]);
        Assert.Equal("between", objects[1]);
        CheckObject(value, objects[2]);
        GraphAssert.Same(new object?[] { value, "between", value }, objects, Sharing);

        Holder<T> holder = HolderOf(value);
        CheckHolder(holder, serializer.Deserialize<Holder<T>>(serializer.Serialize(holder))!);
        CheckHolder(holder, (Holder<T>)serializer.Deserialize<object>(serializer.Serialize((object)holder))!);
        CheckHolder(holder, serializer.DeserializeTyped<Holder<T>>(serializer.SerializeTyped(holder))!);

        T[] array = [value, .. all.Take(4), value];
        Assert.IsType<T[]>(serializer.Deserialize<object>(serializer.Serialize(array)));
        CheckMany(array, serializer.Deserialize<T[]>(serializer.Serialize(array))!);
        CheckMany(array, serializer.Deserialize<List<T>>(serializer.Serialize(new List<T>(array)))!);
        CheckMany(array, serializer.Deserialize<T[]>(Fragments.Every(serializer.Serialize(array), 3))!);
        CheckMany(array, serializer.Deserialize<T[]>(new TrickleStream(serializer.Serialize(array), 5))!);
    }

    /// <summary>Into objects that hold other values, each of them in several places.</summary>
    public void Into(T value, T[] all)
    {
        Serializer sharing = Configuration.Serializer(references: true, tolerance: true, serializer.Options.DynamicCode);
        Holder<T> holder = HolderOf(value);
        byte[] payload = serializer.Serialize(holder);
        T[] array = [value, .. all.Take(2), value];
        byte[] listed = serializer.Serialize(new List<T>(array));
        Dictionary<string, T> map = array.Select((item, i) => ($"{i % 3}", item)).DistinctBy(pair => pair.Item1).ToDictionary();
        byte[] mapped = serializer.Serialize(map);
        foreach (T other in all.Take(2).Append(value))
        {
            Holder<T> there = sharing.Clone(HolderOf(other));
            List<T> list = sharing.Clone(new List<T>([other, other, value]));
            Dictionary<string, T> pairs = sharing.Clone(new Dictionary<string, T> { ["1"] = other, ["0"] = other });
            for (int i = 0; i < 2; i++)
            {
                Assert.Same(there, serializer.Deserialize(payload, into: there));
                CheckHolder(holder, there);
                Assert.Same(list, serializer.Deserialize(listed, into: list));
                CheckMany(array, list);
                Assert.Same(pairs, serializer.Deserialize(mapped, into: pairs));
                GraphAssert.Same(map, pairs, Sharing);
            }
        }
    }

    /// <summary>Twice in a stream of messages: the second has no manifest any more.</summary>
    public void Sessions(T value)
    {
        using SerializerSession writing = serializer.GetSerializerSession();
        using DeserializerSession reading = serializer.GetDeserializerSession();
        byte[] first = serializer.Serialize(value, writing);
        byte[] second = serializer.Serialize((object?)value, writing);
        SessionPayload.CheckHeader(serializer.Serialize(value), first);
        Assert.Equal(SessionPayload.First(serializer, value), first);

        // It has all that it needs, and what stands alone has no part in a session.
        Check(value, serializer.Deserialize<T>(first));
        Check(value, serializer.Deserialize<T>(serializer.Serialize(value), reading));
        Assert.True(second.Length <= first.Length, "The second message is longer than the first.");
        Check(value, serializer.Deserialize<T>(first, reading));
        CheckObject(value, serializer.Deserialize<object>(second, reading));

        Check(value, serializer.Deserialize<T>([.. second, .. Behind], reading, out int consumed));
        Assert.Equal(second.Length, consumed);
        Check(value, serializer.Deserialize<T>(new ReadOnlyMemory<byte>(second), reading));
        Check(value, serializer.Deserialize<T>(Fragments.Every(second, 2), reading));
        var writer = new ArrayBufferWriter<byte>();
        serializer.Serialize(value, writer, writing);
        Assert.Equal(second, writer.WrittenSpan.ToArray());

        foreach (MemoryStream stream in (MemoryStream[])[new SeekableStream(), new MemoryStream()])
        {
            serializer.Serialize(value, stream, writing);
            serializer.Serialize(value, stream, writing);
            Assert.Equal((byte[])[.. second, .. second], stream.ToArray());
            stream.Position = 0;
            Check(value, serializer.Deserialize<T>(stream, reading));
            Check(value, serializer.Deserialize<T>(stream, reading));
            Assert.Equal(stream.Length, stream.Position);
        }

        Assert.Equal(second, serializer.Serialize(value, writing));
        Check(value, serializer.Deserialize<T>(new ReadOnlySequence<byte>(second), reading));
    }

    /// <summary>With the type agreed on beforehand, and as a copy.</summary>
    public void Typed(T value)
    {
        byte[] bytes = serializer.SerializeTyped(value);
        Check(value, serializer.DeserializeTyped<T>(bytes));
        Assert.Equal(WireFormatError.Header, Assert.ThrowsAny<WireFormatException>(() => serializer.Deserialize<T>(bytes)).Error);
        using SerializerSession writing = serializer.GetSerializerSession();
        using DeserializerSession reading = serializer.GetDeserializerSession();
        for (int i = 0; i < 2; i++)
        {
            var writer = new ArrayBufferWriter<byte>();
            serializer.SerializeTyped(value, writer, writing);
            SessionPayload.CheckHeader(i > 0 ? [bytes[0]] : bytes, writer.WrittenSpan);
            Check(value, serializer.DeserializeTyped<T>(writer.WrittenSpan, reading));
        }

        foreach (int cut in Fragments.CutsOf(bytes.Length).Where(IsDue))
        {
            CheckCut(Assert.ThrowsAny<WireFormatException>(() => serializer.DeserializeTyped<T>(bytes.AsSpan(0, cut))));
        }

        Check(value, serializer.Clone(value));
        CheckObject(value, serializer.Clone<object?>(value));
    }

    /// <summary>A payload that ends too early is reported as just that, wherever it ends.</summary>
    public void Cuts(T value)
    {
        Cut<T>(serializer.Serialize(value), among: 1);
        Cut<Holder<T>>(serializer.Serialize(HolderOf(value)), among: 4);
    }

    /// <summary>A payload with one wrong byte is read as some value, or reported; nothing else may happen.</summary>
    public void Damage(T value)
    {
        byte[] payload = serializer.Serialize(value);
        Damage<T>(payload, among: payload.Length <= Few ? 1 : 2);
        Damage<Holder<T>>(serializer.Serialize(HolderOf(value)), among: 8);
    }

    // A holder has the value three times, and what is around it is the same for all types: of it fewer places are tried.
    private void Damage<TRoot>(byte[] bytes, int among)
    {
        foreach (int at in Fragments.CutsOf(bytes.Length).Where(IsDue).Sample(among, bytes.Length))
        {
            byte right = bytes[at];
            byte[] wrongs = [(byte)(right ^ 1), 0xFF, (byte)(right ^ 0x80), (byte)(right + 2), 0, 0x7F];
            foreach (byte wrong in Sweep.IsWhole ? wrongs : [wrongs[at / 3 % 2]])
            {
                bytes[at] = wrong;
                try
                {
                    _ = at % 3 > 0 ? serializer.Deserialize<TRoot>(bytes) : serializer.Deserialize<TRoot>(new TrickleStream(bytes, 3));
                }
                catch (WireFormatException)
                {
                }
                catch (Exception e)
                {
                    throw new InvalidOperationException(
                        $"Byte {at} of {Convert.ToHexString(bytes)} (was {right:X2}): {e.GetType()}: {e.Message}", e);
                }
            }

            bytes[at] = right;
        }
    }

    private void Cut<TRoot>(byte[] bytes, int among)
    {
        foreach (int cut in Fragments.CutsOf(bytes.Length).Where(IsDue).Sample(among, bytes.Length))
        {
            byte[] part = bytes[..cut];
            CheckCut(Assert.ThrowsAny<WireFormatException>(() => serializer.Deserialize<TRoot>(part)));
            CheckCut(Assert.ThrowsAny<WireFormatException>(() => (cut % 4) switch
            {
                0 => serializer.Deserialize<TRoot>(new SeekableStream(part)),
                1 => serializer.Deserialize<TRoot>(Fragments.Every(part, 2)),
                2 => serializer.Deserialize<TRoot>(new MemoryStream(part)),
                _ => serializer.Deserialize<TRoot>(new TrickleStream(part, 1)),
            }));
        }
    }

    private bool IsDue(int place) => Configuration.Takes(serializer.Options, place);

    private static void CheckCut(WireFormatException e) =>
        Assert.True(e.Error is WireFormatError.Truncated or WireFormatError.Length, $"{e.Error}: {e.Message}");

    private void Sequences(T value, byte[] bytes)
    {
        foreach (int cut in Fragments.CutsOf(bytes.Length).Where(IsDue))
        {
            Check(value, serializer.Deserialize<T>(Fragments.Split(bytes, cut)));
        }

        foreach (int size in new[] { 1, 2, 3, 7, 64 })
        {
            Check(value, serializer.Deserialize<T>(Fragments.Every(bytes, size)));
            CheckObject(value, serializer.Deserialize<object>(Fragments.Every(bytes, size)));
        }
    }

    private void Streams(T value, byte[] bytes, byte[] followed)
    {
        foreach (int atOnce in new[] { 1, 7, int.MaxValue })
        {
            var trickle = new TrickleStream(followed, atOnce);
            Check(value, serializer.Deserialize<T>(trickle));
            Assert.Equal(bytes.Length, trickle.Taken);
        }

        foreach (MemoryStream stream in (MemoryStream[])[new SeekableStream(followed), new MemoryStream(followed)])
        {
            Check(value, serializer.Deserialize<T>(stream));
            Assert.Equal(bytes.Length, stream.Position);
            stream.Position = 0;
            CheckObject(value, serializer.Deserialize<object>(stream));
            Assert.Equal(bytes.Length, stream.Position);
        }
    }

    private static Holder<T> HolderOf(T value) => new() { Declared = value, Any = value, Last = value };

    private void CheckHolder(Holder<T> expected, Holder<T> actual) => GraphAssert.Same(expected, actual, Sharing);

    private void CheckMany(T[] expected, IList<T> actual) => GraphAssert.Same(expected, (T[])[.. actual], Sharing);

    private void CheckObject(T expected, object? actual) => Check(expected, (T?)actual);

    private void Check(T expected, T? actual)
    {
        GraphAssert.Same(expected, actual, Sharing);
        more?.Invoke(expected, actual);
    }
}
