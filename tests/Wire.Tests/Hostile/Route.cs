using System.Buffers.Binary;
using System.Runtime.ExceptionServices;
using Wire.Tests.Behaviour;
using Wire.Tests.Testing;

namespace Wire.Tests.Hostile;

/// <summary>One way of reading and writing through a serializer.</summary>
/// <param name="Format">The format of the bytes: one payload, or messages behind each other.</param>
/// <param name="Read">Reads the bytes.</param>
/// <param name="Write">Writes what was read.</param>
/// <param name="IsClosed">Whether bytes that end early are always refused.</param>
internal sealed record Route<T>(string Format, Func<Serializer, byte[], T?> Read, Func<Serializer, T?, byte[]> Write, bool IsClosed = true);

/// <summary>The ways.</summary>
internal static class Routes
{
    /// <summary>One payload.</summary>
    public const string Payload = "payload";

    /// <summary>One payload whose root's type is not in it.</summary>
    public const string Typed = "typed payload";

    /// <summary>Payloads, each behind its length in four bytes.</summary>
    public const string Messages = "messages";

    // It names two types that no other sample of a session's target names, each once: its bytes mean the same in any session.
    private static readonly byte[] Good = Setup.Serializer(dynamicCode: true).Serialize(new Box<Leaf> { Value = new Leaf { Id = 5, Text = "still here" } });

    public static Route<T> Span<T>() => new(Payload, (serializer, bytes) => serializer.Deserialize<T>(bytes.AsSpan()), (serializer, value) => serializer.Serialize(value));

    public static Route<T> Sequence<T>() =>
        new(Payload, (serializer, bytes) => serializer.Deserialize<T>(Fragments.Every(bytes, 3)), (serializer, value) => serializer.Serialize(value));

    /// <summary>A stream that cannot seek and gives one byte at a time.</summary>
    public static Route<T> Stream<T>() => new(
        Payload,
        (serializer, bytes) =>
        {
            var stream = new TrickleStream(bytes, 1);
            return serializer.Deserialize<T>(stream);
        },
        (serializer, value) => serializer.Serialize(value));

    public static Route<T> Root<T>() => new(Typed, (serializer, bytes) => serializer.DeserializeTyped<T>(bytes), (serializer, value) => serializer.SerializeTyped(value));

    /// <summary>Frames of a stream, until one cannot be read.</summary>
    public static Route<List<object?>> Frames() => new(Messages, ReadFrames, WriteFrames, IsClosed: false);

    /// <summary>Messages of one session. It goes on behind one that cannot be read, as a program may.</summary>
    public static Route<List<object?>> Session() => new(Messages, ReadSession, WriteSession, IsClosed: false);

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

    private static List<object?> ReadSession(Serializer serializer, byte[] bytes)
    {
        using DeserializerSession session = serializer.GetDeserializerSession();
        var values = new List<object?>();
        WireFormatException? first = null;
        for (int at = 0; at < bytes.Length;)
        {
            uint length = bytes.Length - at < sizeof(uint) ? uint.MaxValue : BinaryPrimitives.ReadUInt32LittleEndian(bytes.AsSpan(at));
            at = Math.Min(at + sizeof(uint), bytes.Length);
            int end = (int)Math.Min(bytes.Length, at + (long)length);
            try
            {
                values.Add(serializer.Deserialize<object>(bytes.AsSpan(at, end - at), session));
            }
            catch (WireFormatException e)
            {
                first ??= e;
            }
            catch (InvalidOperationException) when (first is not null)
            {
                // What came before has ended the session, which says so from then on.
                ExceptionDispatchInfo.Throw(first);
            }

            at = end;
        }

        try
        {
            if (serializer.Deserialize<object>(Good, session) is not Box<Leaf> { Value: { Id: 5, Text: "still here" } })
            {
                throw new BrokenPromiseException("session", "After these messages the session reads a good one as something else.");
            }
        }
        catch (InvalidOperationException) when (first is not null)
        {
            ExceptionDispatchInfo.Throw(first);
        }

        if (first is not null)
        {
            ExceptionDispatchInfo.Throw(first);
        }

        return values;
    }

    private static byte[] WriteSession(Serializer serializer, List<object?>? values)
    {
        using SerializerSession session = serializer.GetSerializerSession();
        var bytes = new List<byte>();
        foreach (object? value in values!)
        {
            byte[] message = serializer.Serialize(value, session);
            bytes.AddRange(BitConverter.GetBytes(message.Length));
            bytes.AddRange(message);
        }

        return [.. bytes];
    }
}
