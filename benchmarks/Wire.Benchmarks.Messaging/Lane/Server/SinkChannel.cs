using Wire.Amqp;
using Wire.Amqp.V091;

namespace Wire.Benchmarks.Messaging.Lane.Server;

/// <summary>A channel of a <see cref="SinkConnection"/>: what of a message is still to come, what is to be confirmed, and what is delivered.</summary>
internal sealed class SinkChannel(ushort number)
{
    // How much is delivered between two looks at what has been acknowledged.
    private const int DeliverAtOnce = 256 * 1024;

    private long _missing;
    private ulong _taken;
    private ulong _confirmed;
    private Source? _source;
    private bool _acknowledged;
    private long _underWay;
    private ulong _lastAcknowledged;

    /// <summary>Whether the client wants to know what has been received.</summary>
    public bool Confirms { get; set; }

    /// <summary>How many messages may be under way; 0 for any number.</summary>
    public int Prefetch { get; set; }

    /// <summary>A content header has come.</summary>
    /// <returns>Whether the message is complete.</returns>
    public bool Begin(long bodySize) => IsComplete(_missing = bodySize);

    /// <summary>A body frame has come.</summary>
    /// <returns>Whether the message is complete.</returns>
    public bool TakeBody(int size) => IsComplete(_missing -= size);

    /// <summary>Confirms all that has come.</summary>
    public void Confirm(AmqpBuffer output)
    {
        if (Confirms && _taken > _confirmed)
        {
            _confirmed = _taken;
            FrameWriter.Write(output, number, new BasicAck { DeliveryTag = _taken, Multiple = true });
        }
    }

    /// <summary>Begins to deliver.</summary>
    public void Consume(string queue, string consumerTag, bool noAck)
    {
        _source = new Source(queue, number, consumerTag);
        _acknowledged = !noAck;
        _underWay = 0;
        _lastAcknowledged = 0;
    }

    /// <summary>Notes what the client has done with.</summary>
    public void Acknowledge(ulong deliveryTag, bool multiple)
    {
        // In the order of the deliveries; one client acknowledges each for itself, another many at once.
        _underWay -= multiple ? (long)(deliveryTag - _lastAcknowledged) : 1;
        _lastAcknowledged = multiple ? deliveryTag : _lastAcknowledged + 1;
    }

    /// <summary>Writes what may be delivered now.</summary>
    /// <returns>Whether there is more.</returns>
    public bool Deliver(AmqpBuffer output)
    {
        while (_source is { IsEmpty: false } source && (!_acknowledged || Prefetch == 0 || _underWay < Prefetch))
        {
            if (output.Length >= DeliverAtOnce)
            {
                return true;
            }

            source.Write(output);
            _underWay++;
        }

        return false;
    }

    private bool IsComplete(long missing)
    {
        _taken += missing == 0 ? 1u : 0u;
        return missing == 0;
    }
}
