using System.Buffers;
using System.Globalization;
using System.Reflection;
using Wire.Comparing;
using Wire.Testing;

namespace Wire.Tests.Behaviour.Roads;

/// <summary>
/// The ways by which a value gets into bytes and back: whole buffers, which flat code may treat, pieces that are too small for it,
/// streams, reflection, and serializers that have seen nothing yet.
/// </summary>
/// <param name="options">The options of all serializers.</param>
internal sealed class Road(SerializerOptions options)
{
    private const int Rarely = 40;

    private static readonly MethodInfo CheckMethod = typeof(Road).GetMethod(nameof(Check))!;

    /// <summary>What is read and written again and again.</summary>
    public Serializer Serializer { get; } = new(options);

    private Serializer Reflecting { get; } = new(options with { DynamicCode = false });

    /// <summary>Options of which most lead to flat code, and others that do not.</summary>
    public static IReadOnlyList<SerializerOptions> Options { get; } = AllOptions();

    /// <summary>All ways write the same bytes, and from them the same graph is read.</summary>
    public void Check<T>(T value, Random random)
        where T : class
    {
        byte[] bytes = ByStream(Reflecting, value);
        // Its code is compiled anew each time.
        Serializer fresh = random.Next(Rarely) == 0 ? new Serializer(options) : Serializer;
        Assert.Equal(bytes, ByStream(fresh, value));
        Assert.Equal(bytes, fresh.Serialize(value));
        for (int i = 0; i < 2; i++)
        {
            var output = new ArrayBufferWriter<byte>();
            Serializer.Serialize(value, output);
            Assert.Equal(bytes, output.WrittenSpan);
            Assert.Equal(bytes, Serializer.Serialize<object>(value));
            Assert.Equal(bytes, ByPieces(value, random));
            Assert.Equal(bytes, ByStream(Serializer, value));
            Same(value, Serializer.Deserialize<T>(bytes));
            Same(value, Serializer.Deserialize<object>(bytes));
        }

        ReadOnlySequence<byte> pieces = Sequences.Chunked(bytes, random.Next(1, 8));
        Same(value, Serializer.Deserialize<T>(pieces));
        Same(value, Serializer.Deserialize<object>(new TrickleStream(bytes, random.Next(1, 8))));
        Same(value, Serializer.Deserialize<T>(new SeekableStream(bytes)));
        Same(value, Serializer.Deserialize<T>(new MemoryStream(bytes)));
        Same(value, Serializer.Deserialize<T>(new ReadOnlySequence<byte>(bytes)));
        Same(value, Serializer.Deserialize<T>([.. bytes, 1, 2, 3], out int consumed));
        Assert.Equal(bytes.Length, consumed);
        Same(value, (random.Next(Rarely) == 0 ? new Serializer(options) : Serializer).Deserialize<T>(bytes));
        Same(value, Reflecting.Deserialize<T>(pieces));
        CheckTyped(value, random);
    }

    /// <summary>The same for an object as its own type.</summary>
    public void CheckAny(object value, Random random) =>
        CheckMethod.MakeGenericMethod(value.GetType()).Invoke(
            this, BindingFlags.DoNotWrapExceptions, null, [value, random], CultureInfo.InvariantCulture);

    /// <summary>Fails when two graphs differ.</summary>
    public void Same(object? expected, object? actual) => GraphAssert.Same(expected, actual, sharing: options.PreserveObjectReferences);

    /// <summary>What comes of reading: a value, or an error with everything that it says.</summary>
    public static (string Error, object? Value) Outcome(Func<object?> read)
    {
        try
        {
            return ("", read());
        }
        catch (WireFormatException e)
        {
            // What else might be a header shows only where its bytes lie together.
            string message = e.Error == WireFormatError.Header ? "" : e.Message;
            return ($"{e.GetType().Name} {e.Error} at {e.Offset} in '{e.MemberPath}': {message}", null);
        }
    }

    /// <summary>What is wrong, without the place.</summary>
    public static string KindOf(string error) => error.Split(" at ")[0];

    /// <summary>Reads the same from a whole buffer and from pieces, whatever it is.</summary>
    public void AssertSameOutcome<T>(byte[] payload, int piece, bool isPlaceCompared = true)
        where T : class
    {
        (string expected, object? expectedValue) = Outcome(() => Serializer.Deserialize<T>(Sequences.Chunked(payload, piece)));
        (string actual, object? value) = Outcome(() => Serializer.Deserialize<T>(payload));
        if (isPlaceCompared ? expected != actual : KindOf(expected) != KindOf(actual))
        {
            Assert.Fail($"Of {Convert.ToHexString(payload)}, in pieces:\n{expected}\nand whole:\n{actual}");
        }

        GraphAssert.Same(expectedValue, value);
    }

    /// <summary>Puts parts of payloads where they do not belong.</summary>
    public static byte[] Splice(Random random, byte[] bytes, byte[] other)
    {
        byte[] spliced = [.. bytes];
        for (int i = random.Next(3); i >= 0; i--)
        {
            int at = random.Next(spliced.Length + 1);
            int end = Math.Min(spliced.Length, at + (random.Next(3) == 0 ? random.Next(80) : random.Next(5)));
            int from = random.Next(other.Length);
            byte[] part = random.Next(4) switch
            {
                0 => [],
                1 => [(byte)random.Next(256)],
                2 when end > at => [(byte)(spliced[at] + random.Next(-2, 3)), .. spliced[(at + 1)..end]],
                _ => other[from..Math.Min(other.Length, from + (random.Next(2) == 0 ? random.Next(80) : end - at))],
            };
            spliced = [.. spliced[..at], .. part, .. spliced[end..]];
        }

        return spliced;
    }

    private void CheckTyped<T>(T value, Random random)
        where T : class
    {
        byte[] bytes = Reflecting.SerializeTyped(value);
        for (int i = 0; i < 2; i++)
        {
            Assert.Equal(bytes, Serializer.SerializeTyped(value));
            var output = new PieceWriter(random);
            Serializer.SerializeTyped(value, output);
            Assert.Equal(bytes, output.Written);
            Same(value, Serializer.DeserializeTyped<T>(bytes));
        }

        Same(value, Reflecting.DeserializeTyped<T>(bytes));
    }

    private byte[] ByPieces(object value, Random random)
    {
        var output = new PieceWriter(random);
        Serializer.Serialize(value, output);
        return output.Written;
    }

    private static byte[] ByStream(Serializer serializer, object value)
    {
        var stream = new MemoryStream();
        serializer.Serialize(value, stream);
        return stream.ToArray();
    }

    private static SerializerOptions[] AllOptions()
    {
        var basis = new SerializerOptions { TypeFilter = Setup.TestTypes.Allow(typeof(IReadOnlyList<>)) };
        return
        [
            basis,
            basis with { VersionTolerance = false },
            basis with { PreserveObjectReferences = true },
            basis with { VersionTolerance = false, PreserveObjectReferences = true },
            basis with
            {
                VersionTolerance = false,
                KnownTypes = [new(1, typeof(Item)), new(2, typeof(Branch)), new(300, typeof(Open)), new(4, typeof(OneText))],
            },
            basis with { Limits = new Limits { MaxDepth = 40, MaxAllocation = 1 << 20, MaxManifests = 40 } },
        ];
    }
}
