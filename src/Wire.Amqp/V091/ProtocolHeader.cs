using System.Buffers;

namespace Wire.Amqp.V091;

/// <summary>
/// The protocol header that a client sends first: "AMQP" and a version. A server that does not support it answers with its own version, and
/// closes the connection (AMQP 0-9-1 section 4.2.2).
/// </summary>
/// <param name="Protocol">0; in AMQP 1.0 also 2 for TLS and 3 for SASL.</param>
/// <param name="Major">The major version.</param>
/// <param name="Minor">The minor version.</param>
/// <param name="Revision">The revision.</param>
public readonly record struct ProtocolHeader(byte Protocol, byte Major, byte Minor, byte Revision)
{
    /// <summary>The number of bytes that it takes.</summary>
    public const int Size = 8;

    /// <summary>The version 0-9-1.</summary>
    public static ProtocolHeader Version091 => new(0, 0, 9, 1);

    private static ReadOnlySpan<byte> Name => "AMQP"u8;

    /// <summary>
    /// Recognizes the answer of a server with another version; false when the input begins with something else, or is too short.
    /// </summary>
    public static bool TryRead(in ReadOnlySequence<byte> input, out ProtocolHeader header)
    {
        Span<byte> bytes = stackalloc byte[Size];
        if (input.Length < Size)
        {
            header = default;
            return false;
        }

        input.Slice(0, Size).CopyTo(bytes);
        header = new ProtocolHeader(bytes[4], bytes[5], bytes[6], bytes[7]);
        return bytes.StartsWith(Name);
    }

    /// <summary>Writes it.</summary>
    public void Write(IBufferWriter<byte> output)
    {
        output.Write(Name);
        output.Write<byte>([Protocol, Major, Minor, Revision]);
    }

    /// <summary>The version, as in "0-9-1".</summary>
    public override string ToString() => $"{Major}-{Minor}-{Revision}";
}
