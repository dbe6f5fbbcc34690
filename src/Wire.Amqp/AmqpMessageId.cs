using System.Buffers.Text;
using System.Security.Cryptography;

namespace Wire.Amqp;

/// <summary>Makes ids of messages that are unique in the world. Thread-safe.</summary>
public static class AmqpMessageId
{
    private static MessageIdPrefix _prefix = new();

    /// <summary>
    /// An id of 16 characters of base64url: 12 random ones, shared by many ids, and a counter of 4. Writing it allocates nothing, and most
    /// ids need no new random bytes. It is short because RabbitMQ handles messages whose properties take up to 64 bytes faster than others.
    /// </summary>
    public static AmqpString Next()
    {
        while (true)
        {
            MessageIdPrefix prefix = Volatile.Read(ref _prefix);
            long number = Interlocked.Increment(ref prefix.Last);
            if (number <= MessageIdPrefix.LastNumber)
            {
                return new AmqpString(prefix, (uint)number);
            }

            // The counter has reached its end.
            Interlocked.CompareExchange(ref _prefix, new MessageIdPrefix(), prefix);
        }
    }
}

/// <summary>The shared beginning of ids, unique to this process, and the last number in use.</summary>
internal sealed class MessageIdPrefix
{
    /// <summary>The length of an id.</summary>
    public const int TextLength = PrefixLength + NumberLength;

    /// <summary>The largest number.</summary>
    public const uint LastNumber = (1 << 24) - 1;

    // Nine random bytes, and three that count.
    private const int PrefixLength = 12;
    private const int NumberLength = 4;

    private readonly byte[] _text = new byte[PrefixLength];

    /// <summary>The last number.</summary>
    public long Last;

    public MessageIdPrefix()
    {
        Base64Url.EncodeToUtf8(RandomNumberGenerator.GetBytes(PrefixLength * 3 / 4), _text);
    }

    /// <summary>Writes an id; false when the span is too short.</summary>
    public bool TryWrite(uint number, Span<byte> destination, out int written)
    {
        written = 0;
        if (destination.Length < TextLength)
        {
            return false;
        }

        _text.CopyTo(destination);
        Base64Url.EncodeToUtf8([(byte)(number >> 16), (byte)(number >> 8), (byte)number], destination[PrefixLength..]);
        written = TextLength;
        return true;
    }
}
