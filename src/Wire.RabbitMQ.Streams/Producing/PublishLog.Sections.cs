using System.Buffers.Binary;
using Wire.Amqp.V10;
using Wire.Amqp.V10.Values;

namespace Wire.RabbitMQ.Streams.Producing;

/// <summary>A data section (AMQP 1.0 part 3 section 3.2.6) whose length is filled in afterwards.</summary>
internal sealed partial class PublishLog
{
    // The bytes saved by a section prefix with a one-byte length.
    private const int Shorter = sizeof(uint) - sizeof(byte);

    /// <summary>Gets the size of the current message so far. Its position may change.</summary>
    public int Written => _end - _body;

    /// <summary>Begins a section.</summary>
    /// <returns>The argument for <see cref="EndData"/>.</returns>
    public int BeginData()
    {
        int section = Written;
        DataSection.Prefix.CopyTo(GetSpan(DataSection.Prefix.Length));
        _end += DataSection.Prefix.Length;
        return section;
    }

    /// <summary>Fills in the length of a section, in the shorter form if possible.</summary>
    /// <returns>The number of its bytes.</returns>
    public int EndData(int section)
    {
        int length = Written - section - DataSection.Prefix.Length;
        Span<byte> bytes = _array.AsSpan(_body + section, DataSection.Prefix.Length + length);
        if (length <= byte.MaxValue)
        {
            bytes[DataSection.LengthSlot - 1] = Constructor.Binary8;
            bytes[DataSection.LengthSlot] = (byte)length;
            bytes[DataSection.Prefix.Length..].CopyTo(bytes[(DataSection.Prefix.Length - Shorter)..]);
            _end -= Shorter;
        }
        else
        {
            BinaryPrimitives.WriteUInt32BigEndian(bytes[DataSection.LengthSlot..], (uint)length);
        }

        return length;
    }

    /// <summary>Undoes the bytes of the message beyond a length.</summary>
    public void Truncate(int length) => _end = _body + length;
}
