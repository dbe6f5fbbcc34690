using System.Buffers.Text;
using System.Globalization;

namespace Wire.Amqp;

/// <summary>Makes ids of messages that are unique in the world. Thread-safe.</summary>
public static class AmqpMessageId
{
    private static MessageIdPrefix _prefix = new();

    /// <summary>
    /// The next id: 22 characters that are random and the same for many, a hyphen, and a number of 8 hexadecimal digits that counts up. Nothing is
    /// allocated for it, nor is the system asked for random bytes each time: it is written where the message is.
    /// </summary>
    public static AmqpString Next()
    {
        while (true)
        {
            MessageIdPrefix prefix = Volatile.Read(ref _prefix);
            long number = Interlocked.Increment(ref prefix.Last);
            if (number <= uint.MaxValue)
            {
                return new AmqpString(prefix, (uint)number);
            }

            // Its numbers are used up.
            Interlocked.CompareExchange(ref _prefix, new MessageIdPrefix(), prefix);
        }
    }
}

/// <summary>What many ids begin with, and the last number that was given to one. Of this process, and of no other.</summary>
internal sealed class MessageIdPrefix
{
    /// <summary>How long an id is.</summary>
    public const int TextLength = PrefixLength + NumberLength;

    private const int PrefixLength = 22 + 1;
    private const int NumberLength = 8;

    private readonly byte[] _text = new byte[PrefixLength];

    /// <summary>The last number.</summary>
    public long Last;

    public MessageIdPrefix()
    {
        Base64Url.EncodeToUtf8(Guid.NewGuid().ToByteArray(), _text);
        _text[^1] = (byte)'-';
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
        number.TryFormat(destination[PrefixLength..], out _, "x8", CultureInfo.InvariantCulture);
        written = TextLength;
        return true;
    }
}
