using System.Buffers;
using System.Runtime.CompilerServices;
using Wire.Amqp;

namespace Wire.RabbitMQ.Streams.Chunks;

/// <summary>Decompresses the batches of a chunk into one pooled array, one behind the other. Not thread-safe.</summary>
internal sealed class Decompressed
{
    // The compression has three bits.
    private readonly IStreamCompressionCodec?[] _codecs = new IStreamCompressionCodec?[8];
    private readonly int _most;
    private int _length;

    public Decompressed(ChunkMessages chunk, ChunkReading reading)
    {
        Source = new MessageSource(chunk);
        _most = Math.Min(reading.MaxDecompressedBytes, Array.MaxLength);
        foreach (IStreamCompressionCodec codec in (ReadOnlySpan<IStreamCompressionCodec>)[new GZipCodec(), .. reading.Codecs])
        {
            _codecs[(int)codec.Compression] = codec;
        }
    }

    /// <summary>Gets the memory that the messages of the batches lie in.</summary>
    public MessageSource Source { get; }

    /// <summary>
    /// Refuses batches that take more memory than is allowed: what compressed ones grow to, and what it takes to find messages.
    /// </summary>
    /// <param name="bytes">How many bytes those that are compressed grow to.</param>
    /// <param name="messages">How many messages there are.</param>
    /// <param name="position">Where the batch begins that it is about, for the offsets in errors.</param>
    /// <exception cref="AmqpFormatException">They are too large.</exception>
    public void CheckSize(long bytes, int messages, long position)
    {
        if (bytes + ((long)messages * Unsafe.SizeOf<StreamMessage>()) is var size && size > _most)
        {
            throw new AmqpFormatException(
                AmqpFormatError.Body,
                position,
                $"The batches of a chunk grow to {size} bytes or more, "
                + $"{Unsafe.SizeOf<StreamMessage>()} for each of {messages} messages among them, which exceeds MaxDecompressedBytes " +
                    $"= {_most}: raise the limit if they are meant to be that large");
        }
    }

    /// <summary>Makes room for all batches of a chunk, of a size that was checked.</summary>
    public void MakeRoom(int length)
    {
        if (length > 0)
        {
            Source.Array = ArrayPool<byte>.Shared.Rent(length);
        }
    }

    /// <summary>Decompresses a batch, for which there is room.</summary>
    /// <param name="compression">How it is compressed.</param>
    /// <param name="compressed">The batch.</param>
    /// <param name="length">What it grows to, as it says itself.</param>
    /// <param name="position">Where it begins, for the offsets in errors.</param>
    /// <returns>Where in the array of <see cref="Source"/> it begins now.</returns>
    /// <exception cref="AmqpFormatException">It is damaged, or compressed in a way that nothing here reads.</exception>
    public int Add(StreamCompression compression, ReadOnlyMemory<byte> compressed, int length, long position)
    {
        IStreamCompressionCodec codec = _codecs[(int)compression] ?? throw new AmqpFormatException(
            AmqpFormatError.UnknownCode, position, $"A batch is compressed by {Name(
                compression)}, which is not built in: give the consumer an {nameof(IStreamCompressionCodec)} for it");
        int start = _length;
        int count;
        try
        {
            count = codec.Decompress(compressed, Source.Array.AsMemory(start, length));
        }
        catch (Exception e)
        {
            throw new AmqpFormatException(
                AmqpFormatError.Body, position, $"A batch cannot be decompressed by {Name(compression)}: {e.Message}", inner: e);
        }

        if (count != length)
        {
            throw new AmqpFormatException(
                AmqpFormatError.Body,
                position,
                $"A batch that is compressed by {Name(compression)} states {length} bytes, and grows to {count}");
        }

        _length += count;
        return start;
    }

    /// <summary>The messages are not valid any more: gives the array back.</summary>
    public void Clear()
    {
        byte[] array = Source.Array;
        Source.Clear();
        _length = 0;
        if (array.Length > 0)
        {
            ArrayPool<byte>.Shared.Return(array);
        }
    }

    private static string Name(StreamCompression compression) =>
        Enum.IsDefined(compression) ? compression.ToString() : $"the method {(int)compression}";
}
