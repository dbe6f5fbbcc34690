using System.Buffers;
using System.Buffers.Binary;
using System.IO.Compression;
using Wire.Amqp;
using Wire.Amqp.V10;
using Wire.RabbitMQ.Streams.Chunks;
using Wire.RabbitMQ.Streams.Tests.Testing;
using Wire.Testing.Fuzzing;

namespace Wire.RabbitMQ.Streams.Tests.Hostile;

/// <summary>Reads the messages of a chunk, with all that they have, and writes them as a chunk without batches.</summary>
internal static class RewriteChunk
{
    // What grows is measured, and so is what refusals cost: a message of four bytes may cost one for each way to read it.
    private const int MaxDecompressedBytes = 1 << 14;
    private const int MostReadWhole = 16;

    /// <summary>
    /// What a chunk may cost beside its bytes: what is decompressed, its messages, and refusals of those that are read in each way.
    /// </summary>
    public const long Allowance = 1 << 20;

    private static readonly Serializer Serializer = new();
    private static readonly ChunkReading Reading =
        new() { CheckCrc = false, MaxDecompressedBytes = MaxDecompressedBytes, Codecs = [new Stored()] };

    public static byte[] Chunk(ReadOnlySequence<byte> input)
    {
        using var chunk = new ChunkMessages("stream", Serializer, Reading);
        byte[] bytes = input.ToArray();
        ReadOnlyMemory<StreamMessage> messages = chunk.Read(bytes, position: 0, from: 0);
        int inMemory = MaxDecompressedBytes + bytes.Length;
        var output = new ChunkWriter
        {
            FirstOffset = chunk.Header.FirstOffset,
            Milliseconds = chunk.Header.Timestamp.ToUnixTimeMilliseconds(),
            Epoch = chunk.Header.Epoch,
            Type = (byte)chunk.Header.Type,
        };
        ulong offset = chunk.Header.FirstOffset;
        int left = MostReadWhole;
        foreach (StreamMessage message in messages.Span)
        {
            Promise(message.Offset == offset++, $"{message} is not the one behind the message before it.");
            Promise(
                message.Body.Span.SequenceEqual(message.Span) && message.Sequence.FirstSpan == message.Span,
                $"{message} has several bodies.");
            Promise((inMemory -= message.Span.Length) >= 0, "The messages have more bytes than there are.");
            Promise(message.Timestamp == chunk.Header.Timestamp, $"{message} has a time of its own.");
            if (left-- > 0)
            {
                ReadWhole(message);
            }

            output.Add(message.Span);
        }

        // Whoever keeps a message for too long finds out, and never reads what is there then.
        StreamMessage? kept = messages.IsEmpty ? null : messages.Span[0];
        chunk.Clear();
        Promise(kept is not { } late || IsRefused(() => _ = late.Span), "A message is there longer than its chunk.");
        byte[] written = output.ToArray();

        // There may be more messages than entries can be counted, in batches.
        return messages.Length <= ushort.MaxValue ? written : BitConverter.GetBytes(messages.Length);
    }

    private static void ReadWhole(StreamMessage message)
    {
        Try(() => message.Read<object>());
        Try(() => message.Read<List<int>>());
        Try(() => _ = message.ReadProperties().Subject);
        Try(() => _ = message.ReadApplicationProperties().Count);
        Try(() => _ = message.ReadData().Length);
        Try(() => _ = message.ReadValue().Type);
        if (!message.HasSections)
        {
            return;
        }

        Try(() =>
        {
            MessageReader sections = message.Sections;
            while (sections.TryRead(out Section section))
            {
                _ = section.Kind;
            }
        });
    }

    private static void Try(Action read)
    {
        try
        {
            read();
        }
        catch (Exception e) when (e is AmqpFormatException or WireFormatException)
        {
            // How a message is refused.
        }
    }

    private static bool IsRefused(Action read)
    {
        try
        {
            read();
            return false;
        }
        catch (InvalidOperationException)
        {
            return true;
        }
    }

    private static void Promise(bool holds, string message)
    {
        if (!holds)
        {
            throw new BrokenPromiseException("messages", message);
        }
    }

    /// <summary>Stands for another compression, and has no checksum that keeps what is in the batch from being changed.</summary>
    private sealed class Stored : IStreamCompressionCodec
    {
        public StreamCompression Compression => StreamCompression.Lz4;

        public void Compress(ReadOnlyMemory<byte> plain, IBufferWriter<byte> destination) => destination.Write(plain.Span);

        public int Decompress(ReadOnlyMemory<byte> compressed, Memory<byte> destination)
        {
            if (compressed.Length > destination.Length)
            {
                throw new InvalidDataException("It has more bytes.");
            }

            compressed.CopyTo(destination);
            return compressed.Length;
        }
    }
}
