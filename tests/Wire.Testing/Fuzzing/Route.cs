namespace Wire.Testing.Fuzzing;

/// <summary>One way of reading and writing through a serializer.</summary>
/// <param name="Format">The format of the bytes: one payload, or messages behind each other.</param>
/// <param name="Read">Reads the bytes.</param>
/// <param name="Write">Writes what was read.</param>
/// <param name="IsClosed">Whether bytes that end early are always refused.</param>
public sealed record Route<T>(string Format, Func<Serializer, byte[], T?> Read, Func<Serializer, T?, byte[]> Write, bool IsClosed = true);

/// <summary>The ways.</summary>
public static class Routes
{
    /// <summary>One payload.</summary>
    public const string Payload = "payload";

    /// <summary>One payload whose root's type is not in it.</summary>
    public const string Typed = "typed payload";

    /// <summary>Payloads, each behind its length in four bytes.</summary>
    public const string Messages = "messages";

    public static Route<T> Span<T>() =>
        new(Payload, (serializer, bytes) => serializer.Deserialize<T>(bytes.AsSpan()), (serializer, value) => serializer.Serialize(value));

    public static Route<T> Sequence<T>() =>
        new(
            Payload,
            (serializer, bytes) => serializer.Deserialize<T>(Fragments.Every(bytes, 3)),
            (serializer, value) => serializer.Serialize(value));

    /// <summary>A stream that cannot seek and gives one byte at a time.</summary>
    public static Route<T> Stream<T>() => new(
        Payload,
        (serializer, bytes) =>
        {
            var stream = new TrickleStream(bytes, 1);
            return serializer.Deserialize<T>(stream);
        },
        (serializer, value) => serializer.Serialize(value));

    /// <summary>A stream over memory, in which other bytes stand before the payload.</summary>
    public static Route<T> Memory<T>() => new(
        Payload,
        (serializer, bytes) => serializer.Deserialize<T>(new MemoryStream([0, .. bytes]) { Position = 1 }),
        (serializer, value) =>
        {
            using var stream = new MemoryStream();
            serializer.Serialize(value, stream);
            return stream.ToArray();
        });

    public static Route<T> Root<T>() =>
        new(Typed, (serializer, bytes) => serializer.DeserializeTyped<T>(bytes), (serializer, value) => serializer.SerializeTyped(value));

    /// <summary>Frames of a stream, until one cannot be read.</summary>
    public static Route<List<object?>> Frames() => new(Messages, ReadFrames, WriteFrames, IsClosed: false);

    private static List<object?> ReadFrames(Serializer serializer, byte[] bytes) => Wait(async () =>
    {
        var values = new List<object?>();
        await foreach (object? value in serializer.DeserializeAllFramedAsync<object>(new TrickleStream(bytes, 1)))
        {
            values.Add(value);
        }

        return values;
    });

    private static byte[] WriteFrames(Serializer serializer, List<object?>? values) => Wait(async () =>
    {
        using var stream = new MemoryStream();
        foreach (object? value in values!)
        {
            await serializer.SerializeFramedAsync(value, stream);
        }

        return stream.ToArray();
    });

    // Everything completes at once: no stream here waits.
    private static TResult Wait<TResult>(Func<Task<TResult>> action) => action().GetAwaiter().GetResult();
}
