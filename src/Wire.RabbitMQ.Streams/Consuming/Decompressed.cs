using System.Buffers;
using Wire.Amqp;

namespace Wire.RabbitMQ.Streams.Consuming;

/// <summary>Decompresses the batches of a chunk into one pooled array, one behind the other. Not thread-safe.</summary>
internal sealed class Decompressed
{
    // The compression has three bits.
    private readonly IStreamDecompressor?[] _decompressors = new IStreamDecompressor?[8];
    private readonly int _most;
    private int _length;

    public Decompressed(ChunkMessages chunk, ChunkReading reading)
    {
        Source = new MessageSource(chunk);
        _most = reading.MaxDecompressedBytes;
        foreach (IStreamDecompressor decompressor in (ReadOnlySpan<IStreamDecompressor>)[new GZipDecompressor(), .. reading.Decompressors])
        {
            _decompressors[(int)decompressor.Compression] = decompressor;
        }
    }

    /// <summary>What the messages of the batches lie in.</summary>
    public MessageSource Source { get; }

    /// <summary>Decompresses a batch.</summary>
    /// <param name="compression">How it is compressed.</param>
    /// <param name="compressed">The batch.</param>
    /// <param name="length">What it grows to, as it says itself.</param>
    /// <param name="position">Where it begins, for the offsets in errors.</param>
    /// <returns>Where in the array of <see cref="Source"/> it begins now.</returns>
    /// <exception cref="AmqpFormatException">It is too large, damaged, or compressed in a way that nothing here reads.</exception>
    public int Add(StreamCompression compression, ReadOnlyMemory<byte> compressed, uint length, long position)
    {
        IStreamDecompressor decompressor = _decompressors[(int)compression] ?? throw new AmqpFormatException(
            AmqpFormatError.UnknownCode, position, $"A batch is compressed by {Name(compression)}, which is not built in: give the consumer an {nameof(IStreamDecompressor)} for it");
        if (length > (uint)(_most - _length))
        {
            throw new AmqpFormatException(
                AmqpFormatError.Body, position, $"The compressed batches of a chunk grow to more than MaxDecompressedBytes = {_most}: if they are meant to be that large, raise the limit");
        }

        int start = _length;
        MakeRoom((int)length);
        int count;
        try
        {
            count = decompressor.Decompress(compressed, Source.Array.AsMemory(start, (int)length));
        }
        catch (Exception e)
        {
            throw new AmqpFormatException(AmqpFormatError.Body, position, $"A batch cannot be decompressed by {Name(compression)}: {e.Message}", inner: e);
        }

        if (count != length)
        {
            throw new AmqpFormatException(AmqpFormatError.Body, position, $"A batch that is compressed by {Name(compression)} states {length} bytes, and grows to {count}");
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

    private static string Name(StreamCompression compression) => Enum.IsDefined(compression) ? compression.ToString() : $"the method {(int)compression}";

    private void MakeRoom(int length)
    {
        byte[] array = Source.Array;
        if (array.Length - _length >= length)
        {
            return;
        }

        // The messages that are there find theirs in the new one, at the same place.
        byte[] larger = ArrayPool<byte>.Shared.Rent((int)Math.Min(Math.Max(_length + (long)length, 2L * array.Length), _most));
        array.AsSpan(0, _length).CopyTo(larger);
        Source.Array = larger;
        if (array.Length > 0)
        {
            ArrayPool<byte>.Shared.Return(array);
        }
    }
}
