using System.Buffers.Binary;
using System.Text.Json;
using System.Text.Json.Nodes;
using Wire.RabbitMQ.Streams.Links;
using Wire.RabbitMQ.Streams.Protocol;
using Wire.RabbitMQ.Streams.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Streams.Tests.Interop;

/// <summary>
/// Messages of another client, as the frames in which a broker has delivered them, and what that client says that it has published (see the
/// README beside them). The frames are captured anew from the stream that <c>WIRE_RECORD_STREAM</c> names.
/// </summary>
internal static class Recording
{
    // Size, key and version, and the number of the subscription, in front of a chunk.
    private const int HeadBytes = StreamFrames.SizeBytes + StreamFrames.HeadBytes + sizeof(byte);

    private static readonly string Folder = Path.Combine(Repository.Root, "tests", "Wire.RabbitMQ.Streams.Tests", "Interop");

    /// <summary>What was published, in its order.</summary>
    public static IReadOnlyList<JsonObject> Published(string name)
    {
        using JsonDocument document = JsonDocument.Parse(File.ReadAllBytes(Path.Combine(Folder, name + ".json")));
        return [.. document.RootElement.EnumerateArray().Select(element => JsonObject.Create(element.Clone())!)];
    }

    /// <summary>The chunks that were delivered, found in the bytes as a connection finds them.</summary>
    public static async Task<IReadOnlyList<byte[]>> ChunksAsync(string name)
    {
        string file = Path.Combine(Folder, name + ".bin");
        if (Environment.GetEnvironmentVariable("WIRE_RECORD_STREAM") is { Length: > 0 } stream)
        {
            await CaptureAsync(stream, Published(name).Count, file);
        }

        byte[] bytes = await File.ReadAllBytesAsync(file);
        using var received = new FrameBuffer(1 << 24);
        List<byte[]> chunks = [];
        for (int at = 0; at < bytes.Length;)
        {
            Memory<byte> free = received.GetMemory();
            int count = Math.Min(free.Length, bytes.Length - at);
            bytes.AsMemory(at, count).CopyTo(free);
            received.Advance(count);
            at += count;
            while (received.TryRead(out ReadOnlyMemory<byte> frame))
            {
                Assert.Equal((ushort)CommandKey.Deliver, BinaryPrimitives.ReadUInt16BigEndian(frame.Span));
                chunks.Add(frame[(HeadBytes - StreamFrames.SizeBytes)..].ToArray());
            }
        }

        Assert.Equal(bytes.Length, received.Offset);
        return chunks;
    }

    private static async Task CaptureAsync(string stream, int messages, string file)
    {
        using var output = new MemoryStream();
        byte[] head = new byte[HeadBytes];
        foreach (byte[] chunk in await RawSubscription.TakeAsync(stream, messages))
        {
            BinaryPrimitives.WriteInt32BigEndian(head, HeadBytes - StreamFrames.SizeBytes + chunk.Length);
            BinaryPrimitives.WriteUInt16BigEndian(head.AsSpan(StreamFrames.SizeBytes), (ushort)CommandKey.Deliver);
            BinaryPrimitives.WriteUInt16BigEndian(head.AsSpan(StreamFrames.SizeBytes + sizeof(ushort)), 1);
            output.Write(head);
            output.Write(chunk);
        }

        await File.WriteAllBytesAsync(file, output.ToArray());
    }
}
