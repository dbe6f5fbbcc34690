using RabbitMQ.Client;
using RabbitMQ.Client.Exceptions;
using Wire.RabbitMQ.Connections;

namespace Wire.RabbitMQ.Publishing;

/// <summary>The frame that the properties of a message go in, headers included: there is one, and the broker closes the connection when it is too large.</summary>
internal static class HeaderFrame
{
    // Type, channel, length and end of the frame; class, weight and body size of the content header.
    private const int Overhead = 8 + 12;

    /// <summary>How large it may be.</summary>
    /// <param name="frameMax">What client and broker have agreed on; 0 for no limit.</param>
    public static int Limit(uint frameMax) => frameMax is 0 or > int.MaxValue ? int.MaxValue : (int)frameMax;

    /// <summary>How large it is with these properties.</summary>
    public static int Size(BasicProperties properties) => ((IAmqpWriteable)properties).GetRequiredBufferSize() + Overhead;

    /// <summary>Refuses properties that do not fit, or cannot be written.</summary>
    /// <exception cref="ArgumentException">They do not, or cannot.</exception>
    public static void Require(BasicProperties properties, IBrokerConnection connection)
    {
        // All the other properties together fit into the smallest frame that there is.
        if (properties.Headers is not { Count: > 0 })
        {
            return;
        }

        int size;
        try
        {
            size = Size(properties);
        }
        catch (WireFormattingException e)
        {
            throw NotWritable(e);
        }

        Require(size, connection.FrameMax);
    }

    /// <summary>Refuses a frame that is too large.</summary>
    /// <exception cref="ArgumentException">It is.</exception>
    public static void Require(int size, uint frameMax)
    {
        if (size > Limit(frameMax))
        {
            throw new ArgumentException(
                $"The properties and headers of the message take {size} bytes, and have to fit into one frame of {frameMax}. Put what is large into the message itself.");
        }
    }

    /// <summary>What is said of headers that have a name or value which cannot be written.</summary>
    public static ArgumentException NotWritable(Exception reason) =>
        new($"The headers of the message cannot be written: {reason.Message}. {nameof(PublishOptions)}.{nameof(PublishOptions.Headers)} says what they can hold.", reason);
}
