using System.Buffers;
using System.Text;

namespace Wire.AspNetCore.SignalR;

/// <summary>Reads the fields of a frame. What does not fit into the frame is an <see cref="InvalidDataException"/>.</summary>
internal ref struct FrameReader(in ReadOnlySequence<byte> frame)
{
    private SequenceReader<byte> _reader = new(frame);

    public byte ReadByte() => _reader.TryRead(out byte value) ? value : throw CutShort();

    public long ReadInt64() => _reader.TryReadLittleEndian(out long value) ? value : throw CutShort();

    /// <summary>Reads a number of at most 31 bits.</summary>
    public int ReadCount()
    {
        uint value = 0;
        for (int shift = 0; shift < 35; shift += 7)
        {
            byte next = ReadByte();
            value |= (uint)(next & 0x7F) << shift;
            if (next < 0x80)
            {
                return shift < 28 || next < 0x08
                    ? (int)value
                    : throw new InvalidDataException("A count in the frame has more than 31 bits.");
            }
        }

        throw new InvalidDataException("A count in the frame has more than five bytes.");
    }

    /// <summary>Reads the bytes of a text; false is null.</summary>
    public bool TryReadUtf8(out ReadOnlySequence<byte> bytes)
    {
        int count = ReadCount();
        if (count == 0)
        {
            bytes = default;
            return false;
        }

        bytes = ReadBytes(count - 1);
        return true;
    }

    public string? ReadText() => TryReadUtf8(out ReadOnlySequence<byte> bytes) ? Decode(bytes) : null;

    /// <summary>Reads a text that a message cannot do without.</summary>
    /// <param name="field">The name of the field, for the exception.</param>
    public string ReadName(string field) =>
        ReadText() is { Length: > 0 } text ? text : throw new InvalidDataException($"The {field} of the message is missing.");

    /// <summary>Reads the payload of a value.</summary>
    public ReadOnlySequence<byte> ReadPayload() => _reader.TryReadLittleEndian(out int length) ? ReadBytes(length) : throw CutShort();

    /// <summary>Passes over a count of values and so many payloads.</summary>
    public void PassValues()
    {
        for (int count = ReadCount(); count > 0; count--)
        {
            ReadPayload();
        }
    }

    public Dictionary<string, string>? ReadHeaders()
    {
        int count = ReadCount();
        if (count == 0)
        {
            return null;
        }

        // The count is what the frame says: room is made as headers are found.
        var headers = new Dictionary<string, string>(StringComparer.Ordinal);
        for (int i = 0; i < count; i++)
        {
            string name = ReadName("name of a header");
            if (!headers.TryAdd(name, ReadText() ?? throw new InvalidDataException("A header of the message has no value.")))
            {
                throw new InvalidDataException("A header of the message is there twice.");
            }
        }

        return headers;
    }

    public string[]? ReadStreamIds()
    {
        int count = ReadCount();
        if (count == 0)
        {
            return null;
        }

        var ids = new List<string>();
        for (int i = 0; i < count; i++)
        {
            ids.Add(ReadName("identifier of a stream"));
        }

        return [.. ids];
    }

    /// <summary>Checks that the frame ends here.</summary>
    public readonly void CheckEnd()
    {
        if (!_reader.End)
        {
            throw new InvalidDataException($"The frame has {_reader.Remaining} bytes more than its message.");
        }
    }

    /// <summary>Makes a string of UTF-8.</summary>
    public static string Decode(in ReadOnlySequence<byte> bytes)
    {
        try
        {
            return FrameWriter.Utf8.GetString(bytes);
        }
        catch (DecoderFallbackException exception)
        {
            throw new InvalidDataException("A text in the frame is no UTF-8.", exception);
        }
    }

    private ReadOnlySequence<byte> ReadBytes(int length)
    {
        // A negative length is one of more than 31 bits.
        if (length < 0 || length > _reader.Remaining)
        {
            throw CutShort();
        }

        ReadOnlySequence<byte> bytes = _reader.UnreadSequence.Slice(0, length);
        _reader.Advance(length);
        return bytes;
    }

    private readonly InvalidDataException CutShort() =>
        new($"The frame ends inside its message: {_reader.Remaining} bytes are left, and more are announced.");
}
