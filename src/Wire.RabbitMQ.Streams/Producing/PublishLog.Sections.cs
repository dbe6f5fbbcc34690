using System.Buffers.Binary;
using Wire.Amqp.V10;
using Wire.Amqp.V10.Values;

namespace Wire.RabbitMQ.Streams.Producing;

/// <summary>A data section (AMQP 1.0 part 3 section 3.2.6) whose length is known when it has been written.</summary>
internal sealed partial class PublishLog
{
    // How much shorter the prefix of a section is whose length takes one byte.
    private const int Shorter = sizeof(uint) - sizeof(byte);

    /// <summary>Gets the number of bytes that the message that is being written has. Where it lies may change.</summary>
    public int Written => _end - _body;

    /// <summary>Begins a section.</summary>
    /// <returns>What <see cref="EndData"/> has to know.</returns>
    public int BeginData()
    {
        int section = Written;
        DataSection.Prefix.CopyTo(GetSpan(DataSection.Prefix.Length));
        _end += DataSection.Prefix.Length;
        return section;
    }

    /// <summary>Fills in the length of a section, which becomes the shorter form where it can.</summary>
    /// <returns>How many bytes it has.</returns>
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
