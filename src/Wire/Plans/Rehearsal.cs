using System.Buffers;

namespace Wire.Plans;

/// <summary>
/// Messages that nobody gets, so that the library's own code, which is the same for all types, is compiled before the first one that counts.
/// </summary>
internal static class Rehearsal
{
    // By reflection, as compiled, and as a plan.
    private const int Rounds = 3;

    private static readonly Lazy<bool> Once = new(Play);

    /// <summary>Performs it, once in a program.</summary>
    public static void Perform() => _ = Once.Value;

    private static bool Play()
    {
        var serializer = new Serializer();
        var output = new ArrayBufferWriter<byte>();
        for (int i = 0; i < Rounds; i++)
        {
            Play(serializer, Texts(new Flat { Number = i, Price = i, Other = new Leaf { Number = i } }), output);
            Play(serializer, Texts(Nest(i)), output);
        }

        return true;
    }

    private static void Play<T>(Serializer serializer, T message, ArrayBufferWriter<byte> output)
        where T : class
    {
        serializer.Deserialize<T>(serializer.Serialize(message));
        serializer.DeserializeTyped<T>(serializer.SerializeTyped(message));
        output.ResetWrittenCount();
        serializer.Serialize(message, output);
        serializer.Deserialize<T>(new ReadOnlySequence<byte>(output.WrittenMemory));
        output.ResetWrittenCount();
        serializer.SerializeTyped(message, output);
        using var stream = new MemoryStream();
        serializer.Serialize(message, stream);
        stream.Position = 0;
        serializer.Deserialize<T>(stream);
    }

    private static Nested Nest(int number) => new()
    {
        Any = number,
        Price = number,
        Numbers = [number],
        Counts = new Dictionary<string, int> { ["a"] = number },
        Next = new Nested { Other = new Leaf() },
    };

    // Their lengths and characters decide how they are written.
    private static T Texts<T>(T message)
        where T : Message
    {
        message.Texts = ["", "a", "four", "longer text", "text of more than sixteen characters", "\u03B1", "\u03B1\u03B2\u03B3\u03B4\u03B5"];
        message.Text = message.Texts[^1];
        message.Others = [new Leaf(), new Leaf()];
        return message;
    }

    private class Message
    {
        public string? Text { get; set; }

        public decimal? Price { get; set; }

        public List<string>? Texts { get; set; }

        public List<Leaf>? Others { get; set; }
    }

    private sealed class Leaf
    {
        public int Number { get; set; }

        public string? Text { get; set; }
    }

    private sealed class Flat : Message
    {
        public int Number { get; set; }

        public Leaf? Other { get; set; }
    }

    // It contains itself, and takes a session.
    private sealed class Nested : Message
    {
        public object? Any { get; set; }

        public int[]? Numbers { get; set; }

        public Dictionary<string, int>? Counts { get; set; }

        public Leaf? Other { get; set; }

        public Nested? Next { get; set; }
    }
}
