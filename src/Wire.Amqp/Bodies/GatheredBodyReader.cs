using System.Globalization;
using Wire.Amqp.Errors;
using Wire.Amqp.Primitives;
using Wire.Amqp.V091;
using Wire.Amqp.V091.Content;

namespace Wire.Amqp.Bodies;

/// <summary>Properties that several messages have, which are read once.</summary>
internal sealed class GatheredProperties(in BasicProperties value)
{
    public readonly BasicProperties Value = value;
}

/// <summary>A place in a body of many messages, and what the message before it had.</summary>
/// <param name="body">The body.</param>
/// <param name="id">The id of the whole; null where it has none.</param>
/// <param name="maxBytes">The number of bytes that the messages may have in all.</param>
/// <param name="count">How many messages there are.</param>
internal ref struct GatheredBodyReader(ReadOnlySpan<byte> body, string? id, long maxBytes, uint count)
{
    // What the memory of a message takes beside its bytes, with what its reader makes of it.
    private const int CostOfMessage = 256;

    // Below what the collector takes for large.
    private const int ChunkSize = 64_000;

    private const int CostOfProperties = 320;

    // A short string, a slash and a number.
    private const int LongestId = 255 + 1 + 10;

    private readonly ReadOnlySpan<byte> _body = body;
    private int _position = GatheredBody.HeaderSize;
    private readonly long _most = maxBytes;
    private readonly uint _count = count;
    private long _left = Math.Min(maxBytes, Array.MaxLength) - (count * CostOfMessage);
    private byte[] _chunk = [];
    private int _used;
    private ReadOnlyMemory<byte> _lastBody;
    private byte[] _lastProperties = [];
    private GatheredProperties? _properties;

    /// <summary>Returns memory for the messages.</summary>
    public GatheredMessage[] Begin()
    {
        Take(0);
        return new GatheredMessage[_count];
    }

    /// <summary>Reads the next message.</summary>
    public GatheredMessage Read(int number)
    {
        int at = _position;
        int shared = Shared(_lastProperties.Length, "properties");
        ReadOnlySpan<byte> rest = Rest("properties");
        if (_properties is null || !rest.IsEmpty || shared != _lastProperties.Length)
        {
            Take((long)shared + rest.Length + CostOfProperties);
            byte[] bytes = new byte[shared + rest.Length];
            _lastProperties.AsSpan(0, shared).CopyTo(bytes);
            rest.CopyTo(bytes.AsSpan(shared));
            _properties = new GatheredProperties(Parse(bytes, at));
            _lastProperties = bytes;
        }

        shared = Shared(_lastBody.Length, "body");
        rest = Rest("body");
        Take((long)shared + rest.Length);
        Memory<byte> memory = Room(shared + rest.Length);
        _lastBody.Span[..shared].CopyTo(memory.Span);
        rest.CopyTo(memory.Span[shared..]);
        _lastBody = memory;
        return new GatheredMessage(_properties, _properties.Value.MessageId.IsNull ? IdOf(number) : null, memory);
    }

    /// <summary>Checks that nothing follows the messages.</summary>
    public readonly void Finish()
    {
        if (_position != _body.Length)
        {
            ThrowHelper.Format(
                AmqpFormatError.Length, _position, $"Expected the end of gathered messages, found {_body.Length - _position} bytes more");
        }
    }

    private string? IdOf(int number)
    {
        if (id is null)
        {
            return null;
        }

        Take(sizeof(char) * id.Length);
        return string.Create(CultureInfo.InvariantCulture, stackalloc char[LongestId], $"{id}/{number}");
    }

    // With all of its headers: one that is damaged could not be published again alone.
    private static BasicProperties Parse(byte[] bytes, int at)
    {
        BasicProperties value = default;
        var properties = new ReadProperties(new ArrayReader(bytes, 0, bytes.Length, at));
        BasicProperties.Properties(ref value, ref properties);
        properties.Finish();
        foreach (KeyValuePair<AmqpString, FieldValue> _ in value.Headers)
        {
        }

        return value;
    }

    private int Shared(int most, string what)
    {
        int at = _position;
        int shared = Number();
        if (shared > most)
        {
            ThrowHelper.Format(
                AmqpFormatError.Length, at, $"Expected at most {most} bytes that the {what} share with those of the message before, " +
                    $"found {shared}");
        }

        return shared;
    }

    private ReadOnlySpan<byte> Rest(string what)
    {
        int length = Number();
        int left = _body.Length - _position;
        if (length > left)
        {
            ThrowHelper.Format(
                AmqpFormatError.Length, _position, $"Expected {length} bytes of the {what} of a gathered message, found {left}");
        }

        ReadOnlySpan<byte> rest = _body.Slice(_position, length);
        _position += length;
        return rest;
    }

    // Seven bits in each byte, the lowest first; all but the last have the eighth.
    private int Number()
    {
        long value = 0;
        for (int shift = 0; ; shift += 7)
        {
            if (_position == _body.Length)
            {
                ThrowHelper.Format(AmqpFormatError.Length, _position, "Expected a length of a gathered message, found the end of the body");
            }

            byte next = _body[_position++];
            value |= (long)(next & 0x7F) << shift;
            if (next < 0x80 && value <= int.MaxValue)
            {
                return (int)value;
            }

            if (shift == 28)
            {
                ThrowHelper.Format(
                    AmqpFormatError.Value, _position - 5, "Expected a length of up to 2,147,483,647 in at most 5 bytes, found more");
            }
        }
    }

    private void Take(long bytes)
    {
        _left -= bytes;
        if (_left < 0)
        {
            throw GatheredBody.TooLarge(_most);
        }
    }

    private Memory<byte> Room(int size)
    {
        if (size > ChunkSize / 4)
        {
            return new byte[size];
        }

        if (_chunk.Length - _used < size)
        {
            _chunk = new byte[Math.Max(size, Math.Min(ChunkSize, 4 * _body.Length))];
            _used = 0;
        }

        Memory<byte> room = _chunk.AsMemory(_used, size);
        _used += size;
        return room;
    }
}
