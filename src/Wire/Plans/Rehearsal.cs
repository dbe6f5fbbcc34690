using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using Wire.Runtime;

namespace Wire.Plans;

/// <summary>
/// Messages that nobody gets, so that the library's own code, which is the same for all types, is compiled before the first one that
/// counts.
/// </summary>
[UnconditionalSuppressMessage("AOT", "IL3050", Justification = TrimmingAdvice.Inside)]
[UnconditionalSuppressMessage("Trimming", "IL2026", Justification = TrimmingAdvice.Inside)]
internal static class Rehearsal
{
    // By reflection, as compiled, and as a plan.
    private const int Rounds = 3;
    private const int Leaves = 20;

    private static readonly Lazy<bool> Once = new(Play);

    /// <summary>Performs it, once in a program.</summary>
    public static void Perform() => _ = Once.Value;

    private static bool Play()
    {
        // Large messages need no code of their own for that.
        Serializer compiling = new(), interpreting = new(SerializerOptions.Default with { DynamicCode = false });
        var output = new ArrayBufferWriter<byte>();
        // So many that code for elements of lists is compiled.
        List<Leaf> leaves = [.. Enumerable.Range(0, Leaves).Select(number => new Leaf { Number = number })];
        for (int i = 0; i < Rounds; i++)
        {
            Play(compiling, new Flat { Number = i, Text = nameof(Flat), Other = new Leaf { Number = i } }, output);
            Play(compiling, new Knot { Any = leaves[0], Other = leaves[0], Others = leaves, Next = new Knot { Any = leaves[0] } }, output);
            Play(interpreting, Nest(i), output);
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

    // The lengths and characters of texts decide how they are written.
    private static Nested Nest(int number) => new()
    {
        Any = number,
        Price = number,
        Texts = ["", "a", "four", "longer text", "text of more than sixteen characters", "\u03B1", "\u03B1\u03B2\u03B3\u03B4"],
        Others = [new Leaf(), new Leaf()],
        Numbers = [number],
        Counts = new Dictionary<string, int> { ["a"] = number },
        Other = new Leaf(),
        Next = new Nested(),
    };

    private sealed class Leaf
    {
        public int Number { get; set; }
    }

    // Flat code writes and reads it.
    private sealed class Flat
    {
        public int Number { get; set; }

        public string? Text { get; set; }

        public Leaf? Other { get; set; }
    }

    // It contains itself, and takes a session.
    private sealed class Knot
    {
        public object? Any { get; set; }

        public Leaf? Other { get; set; }

        public List<Leaf>? Others { get; set; }

        public Knot? Next { get; set; }
    }

    private sealed class Nested
    {
        public object? Any { get; set; }

        public decimal? Price { get; set; }

        public List<string>? Texts { get; set; }

        public List<Leaf>? Others { get; set; }

        public int[]? Numbers { get; set; }

        public Dictionary<string, int>? Counts { get; set; }

        public Leaf? Other { get; set; }

        public Nested? Next { get; set; }
    }
}
