using System.Runtime.InteropServices;
using Wire.Amqp;

namespace Wire.RabbitMQ.Streams.Chunks;

/// <summary>
/// Takes chunks apart, one after the other: the messages of one are valid until they are cleared, or the next is read. Not thread-safe: one
/// thread at a time. Nothing is allocated in steady state, but for what codecs need.
/// </summary>
internal sealed class ChunkMessages : IDisposable
{
    private readonly ChunkReading _reading;
    private readonly MessageSource _received;
    private readonly Decompressed _decompressed;
    private MessageArray _messages = new();

    /// <param name="stream">What the messages say that they are from.</param>
    /// <param name="serializer">What reads their objects.</param>
    /// <param name="reading">How they are read.</param>
    public ChunkMessages(string stream, Serializer serializer, ChunkReading reading)
    {
        Stream = stream;
        Serializer = serializer;
        Body = new AmqpBody(serializer);
        _reading = reading;
        _received = new MessageSource(this);
        _decompressed = new Decompressed(this, reading);
    }

    /// <summary>Gets the stream that the messages say they are from.</summary>
    public string Stream { get; }

    /// <summary>Gets the serializer of their objects.</summary>
    public Serializer Serializer { get; }

    /// <summary>Gets the reader of objects in AMQP 1.0 messages.</summary>
    public AmqpBody Body { get; }

    /// <summary>Gets the header of the chunk that was read last.</summary>
    public ChunkHeader Header { get; private set; }

    /// <summary>Takes a chunk apart, from its header on.</summary>
    /// <inheritdoc cref="Read(in ChunkHeader, ReadOnlyMemory{byte}, long, ulong)"/>
    public Memory<StreamMessage> Read(ReadOnlyMemory<byte> chunk, long position, ulong from) =>
        Read(ChunkHeader.Read(chunk.Span, position), chunk, position, from);

    /// <summary>Takes a chunk apart whose header has been read.</summary>
    /// <param name="header">What the chunk says of itself.</param>
    /// <param name="chunk">The chunk, all of it, in an array that stays as it is until the messages are cleared.</param>
    /// <param name="position">Where it begins in the bytes of the connection, for the offsets in errors.</param>
    /// <param name="from">The first offset that is wanted: what is before is left out.</param>
    /// <returns>
    /// The messages in their order, which the caller may leave some out of; none of a chunk that is for the broker itself.
    /// </returns>
    /// <exception cref="AmqpFormatException">
    /// It is not a chunk, or it is damaged. Then no messages are returned, not even those before the damage.
    /// </exception>
    public Memory<StreamMessage> Read(in ChunkHeader header, ReadOnlyMemory<byte> chunk, long position, ulong from)
    {
        if (!MemoryMarshal.TryGetArray(chunk, out ArraySegment<byte> segment))
        {
            throw new ArgumentException("The chunk does not lie in an array.", nameof(chunk));
        }

        Clear();
        Header = header;
        ArraySegment<byte> data = segment.Slice(ChunkHeader.Size, header.DataLength);
        if (_reading.CheckCrc && Crc32.Compute(data) is var crc && crc != header.Crc)
        {
            throw new AmqpFormatException(
                AmqpFormatError.Checksum,
                position,
                $"The chunk with offset {header.FirstOffset} is damaged: "
                + $"the CRC-32 of its {data.Count} bytes is 0x{crc:x8}, and it states 0x{header.Crc:x8}");
        }

        if (header.Type != ChunkType.User)
        {
            return default;
        }

        _received.Array = data.Array!;
        new ChunkEntries(_received, _decompressed, ref _messages).Read(header, data, position + ChunkHeader.Size);

        // Offsets are counted by messages, and the records are as many as there are messages now.
        int count = (int)header.Records;
        int before = from > header.FirstOffset ? (int)Math.Min(from - header.FirstOffset, header.Records) : 0;
        return _messages.Array.AsMemory(before, count - before);
    }

    /// <summary>The messages are not valid any more. Gives back what was decompressed.</summary>
    public void Clear()
    {
        _received.Clear();
        _decompressed.Clear();
        _messages.Clear();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        Clear();
        _messages.Return();
    }
}

/// <summary>Options of a consumer for taking chunks apart, which have been checked.</summary>
internal sealed record ChunkReading
{
    /// <summary>Gets whether the data of each chunk is compared with its CRC.</summary>
    public bool CheckCrc { get; init; } = true;

    /// <summary>
    /// Gets the number of bytes that the batches of one chunk may grow to together, each message counted as what it takes to find it.
    /// </summary>
    public int MaxDecompressedBytes { get; init; } = 1 << 28;

    /// <summary>Gets the codecs of compressions in addition to the built-in one.</summary>
    public IReadOnlyList<IStreamCompressionCodec> Codecs { get; init; } = [];
}
