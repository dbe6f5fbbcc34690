using System.Buffers.Binary;

namespace Wire.RabbitMQ.Streams.Compression;

/// <summary>Goes through the bytes of frames, and through the output that they fill.</summary>
/// <param name="input">All of the compressed bytes.</param>
/// <param name="output">The output, which must not be exceeded.</param>
internal ref struct FrameReader(ReadOnlySpan<byte> input, Span<byte> output)
{
    private readonly ReadOnlySpan<byte> _input = input;
    private readonly Span<byte> _output = output;
    private int _position;

    /// <summary>Gets whether all of the input has been taken.</summary>
    public readonly bool IsAtEnd => _position == _input.Length;

    /// <summary>Gets the number of bytes that have been written.</summary>
    public int Written { get; private set; }

    /// <summary>Gets the output that is left.</summary>
    public readonly Span<byte> Rest => _output[Written..];

    /// <summary>Takes bytes of the input.</summary>
    /// <exception cref="InvalidDataException">There are fewer.</exception>
    public ReadOnlySpan<byte> Take(long count, string what)
    {
        int left = _input.Length - _position;
        if (count > left)
        {
            throw Damaged($"{what} has {count} bytes, and {left} are left");
        }

        ReadOnlySpan<byte> taken = _input.Slice(_position, (int)count);
        _position += (int)count;
        return taken;
    }

    /// <summary>Takes a number of four bytes, the least significant one first, as all of these formats have them.</summary>
    /// <exception cref="InvalidDataException">There are fewer bytes.</exception>
    public uint TakeNumber(string what) => BinaryPrimitives.ReadUInt32LittleEndian(Take(sizeof(uint), what));

    /// <summary>Copies bytes to the output.</summary>
    /// <exception cref="InvalidDataException">It has no room for them.</exception>
    public void Write(ReadOnlySpan<byte> bytes)
    {
        CheckRoom(bytes.Length);
        bytes.CopyTo(Rest);
        Advance(bytes.Length);
    }

    /// <summary>Checks that the output has room for bytes.</summary>
    /// <exception cref="InvalidDataException">It has not.</exception>
    public readonly void CheckRoom(long count)
    {
        if (count > Rest.Length)
        {
            throw TooLong();
        }
    }

    /// <summary>Notes that bytes have been written to <see cref="Rest"/>.</summary>
    public void Advance(int count) => Written += count;

    /// <summary>Gets the output from a position on that has been written.</summary>
    public readonly ReadOnlySpan<byte> WrittenFrom(int start) => _output[start..Written];

    /// <summary>Makes the error for bytes that are not of the format.</summary>
    public readonly InvalidDataException Damaged(string reason) => new($"At byte {_position} of {_input.Length}, {reason}.");

    /// <summary>Makes the error for bytes that grow beyond the output.</summary>
    public readonly InvalidDataException TooLong() => new($"It grows to more than the {_output.Length} bytes that the entry states.");
}
