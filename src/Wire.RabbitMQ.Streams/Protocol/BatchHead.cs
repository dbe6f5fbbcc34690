using System.Buffers.Binary;
using Wire.Amqp;

namespace Wire.RabbitMQ.Streams.Protocol;

/// <summary>The head of a batch of messages.</summary>
/// <remarks>
/// <code>
/// 1 | compression 3 bits | 0 4 bits | records uint16 | uncompressed length uint32 | length uint32
/// </code>
/// It is followed by as many bytes as its last field says.
/// </remarks>
internal readonly record struct BatchHead(StreamCompression Compression, int Records, uint PlainLength, uint Length)
{
    /// <summary>The number of bytes that it takes.</summary>
    public const int Size = 11;

    /// <summary>The bit that is set in the first four bytes of a batch, and not in the length of a message.</summary>
    public const uint Bit = 1u << 31;

    /// <summary>Reads the head of a batch, all of which is there.</summary>
    /// <exception cref="AmqpFormatException">It has bits that mean nothing.</exception>
    public static BatchHead Read(ReadOnlySpan<byte> bytes, long position) => (bytes[0] & 0xF) == 0
        ? new BatchHead(
            (StreamCompression)((bytes[0] >> 4) & 7),
            BinaryPrimitives.ReadUInt16BigEndian(bytes[1..]),
            BinaryPrimitives.ReadUInt32BigEndian(bytes[3..]),
            BinaryPrimitives.ReadUInt32BigEndian(bytes[7..]))
        : throw new AmqpFormatException(
            AmqpFormatError.Value, position, $"A batch begins with 0x{bytes[0]:x2}, whose low bits are not defined");

    /// <summary>Writes it.</summary>
    public void Write(Span<byte> bytes)
    {
        bytes[0] = (byte)((Bit >> 24) | ((uint)Compression << 4));
        BinaryPrimitives.WriteUInt16BigEndian(bytes[1..], (ushort)Records);
        BinaryPrimitives.WriteUInt32BigEndian(bytes[3..], PlainLength);
        BinaryPrimitives.WriteUInt32BigEndian(bytes[7..], Length);
    }
}
