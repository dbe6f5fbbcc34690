using System.Numerics;
using System.Runtime.CompilerServices;
using System.Text;
using Wire.Amqp;

namespace Wire.RabbitMQ.Streams.Protocol;

/// <summary>Reads fields from a frame.</summary>
/// <param name="bytes">The fields.</param>
/// <param name="offset">Their offset, for messages.</param>
internal ref struct ReadFields(ReadOnlySpan<byte> bytes, long offset) : IFields
{
    // The capacity allocated before items have been read.
    private const int MostAtOnce = 256;

    private readonly ReadOnlySpan<byte> _bytes = bytes;
    private readonly long _offset = offset;
    private int _position;

    public void Number<T>(ref T value)
        where T : unmanaged, IBinaryInteger<T> => value = NetworkOrder.Read<T>(ReadBytes(Unsafe.SizeOf<T>(), "a number"));

    public void Text(ref string? value)
    {
        short length = 0;
        Number(ref length);
        ReadOnlySpan<byte> text = ReadBytes(length, "a string", out bool isNull);
        try
        {
            value = isNull ? null : Strict.GetString(text);
        }
        catch (DecoderFallbackException e)
        {
            throw new AmqpFormatException(
                AmqpFormatError.Value, _offset + _position, "A string of the stream protocol is not UTF-8", inner: e);
        }
    }

    public void Bytes(ref byte[]? value)
    {
        int length = 0;
        Number(ref length);
        ReadOnlySpan<byte> found = ReadBytes(length, "bytes", out bool isNull);
        value = isNull ? null : found.ToArray();
    }

    public void List<TItem>(ref IReadOnlyList<TItem>? items)
        where TItem : struct, IFieldGroup<TItem>
    {
        int count = 0;
        Number(ref count);

        // An item takes at least a byte, but may take more memory: capacity is bounded by the received bytes.
        if (count < 0 || count > _bytes.Length - _position)
        {
            throw Length("an array", count);
        }

        var list = new List<TItem>(Math.Min(count, MostAtOnce));
        for (int i = 0; i < count; i++)
        {
            TItem item = default;
            TItem.Fields(ref item, ref this);
            list.Add(item);
        }

        items = list;
    }

    /// <summary>Checks that nothing follows. A newer broker may add fields, so this applies only to the client's own commands.</summary>
    public readonly void CheckAtEnd()
    {
        if (_position != _bytes.Length)
        {
            throw new AmqpFormatException(
                AmqpFormatError.Length, _offset + _position, $"Expected the frame to end, found {_bytes.Length - _position} more bytes");
        }
    }

    private static readonly UTF8Encoding Strict = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    private ReadOnlySpan<byte> ReadBytes(int length, string expected, out bool isNull)
    {
        isNull = length == -1;
        return isNull ? default : ReadBytes(length, expected);
    }

    private ReadOnlySpan<byte> ReadBytes(int length, string expected)
    {
        if ((uint)length > (uint)(_bytes.Length - _position))
        {
            throw Length(expected, length);
        }

        ReadOnlySpan<byte> taken = _bytes.Slice(_position, length);
        _position += length;
        return taken;
    }

    private readonly AmqpFormatException Length(string expected, int length) =>
        new(
            AmqpFormatError.Length,
            _offset + _position,
            $"Expected {expected} of length {length}, and the frame has {_bytes.Length - _position} bytes left");
}
