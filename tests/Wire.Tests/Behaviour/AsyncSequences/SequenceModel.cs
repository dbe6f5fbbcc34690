using System.IO.Pipelines;
using Wire.Testing;

namespace Wire.Tests.Behaviour.AsyncSequences;

/// <summary>Values with async sequences, and what writes and reads them.</summary>
internal static class SequenceModel
{
    /// <summary>A base class, so that elements carry their types.</summary>
    public abstract record Line(int Number);

    public sealed record Sale(int Number, string Text) : Line(Number);

    public sealed record Refund(int Number, Sale? Of) : Line(Number);

    public sealed class Report
    {
        public string? Title { get; init; }

        public IAsyncEnumerable<Line>? Lines { get; init; }

        public int Count { get; init; }

        public IAsyncEnumerable<int>? Numbers { get; init; }
    }

    /// <summary>Another version, which has only the last member.</summary>
    [WireName("Tests.Report")]
    public sealed class NewReport
    {
        public IAsyncEnumerable<int>? Numbers { get; init; }
    }

    [WireName("Tests.Report")]
    public sealed class OldReport
    {
        public IAsyncEnumerable<Line>? Lines { get; init; }

        public IAsyncEnumerable<int>? Numbers { get; init; }
    }

    public static Line[] Lines { get; } =
    [
        .. Enumerable.Range(0, 20).Select(Line (i) =>
            i % 3 == 0 ? new Refund(i, i == 0 ? null : new Sale(-i, $"of {i}")) : new Sale(i, $"No. {i}")),
    ];

    public static int[] Numbers { get; } = [5, 6, 7];

    public static Serializer Make(
        bool references = false, bool dynamicCode = true, Func<SerializerOptions, SerializerOptions>? change = null)
    {
        var options = new SerializerOptions
        {
            PreserveObjectReferences = references,
            DynamicCode = dynamicCode,
            TypeFilter = WireTypeFilter.Default.Allow<Sale>().Allow<Refund>().Allow<Report>(),
        };
        return new Serializer(change is null ? options : change(options));
    }

    public static Report MakeReport() =>
        new() { Title = "March", Lines = Source(Lines), Count = 2, Numbers = Source(Numbers) };

    /// <summary>The values as an async iterator gives them, which waits between some.</summary>
    public static async IAsyncEnumerable<T> Source<T>(IEnumerable<T> values)
    {
        int i = 0;
        foreach (T value in values)
        {
            if (i++ % 4 == 1)
            {
                await Task.Yield();
            }

            yield return value;
        }
    }

    public static async Task<byte[]> WriteAsync<T>(this Serializer serializer, T value)
    {
        var stream = new MemoryStream();
        await serializer.SerializeAsync(value, stream);
        return stream.ToArray();
    }

    /// <summary>A pipe over the bytes in segments of so many.</summary>
    public static PipeReader Pipe(byte[] bytes, int segment) => PipeReader.Create(Sequences.Chunked(bytes, segment));

    /// <summary>A pipe over a stream that gives so many bytes at a time.</summary>
    public static PipeReader Trickle(byte[] bytes, int atOnce) =>
        PipeReader.Create(new TrickleStream(bytes, atOnce), new StreamPipeReaderOptions(bufferSize: 16, minimumReadSize: 1));
}
