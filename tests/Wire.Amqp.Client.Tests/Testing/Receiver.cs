using Wire.Amqp.Client.Consuming;
using Wire.Amqp.V091;
using Wire.Transport.Pending;
using Wire.Transport.Segments;

namespace Wire.Amqp.Client.Tests.Testing;

/// <summary>Receives as the loop of a connection does, from bytes that are there.</summary>
internal sealed class Receiver(ReceiveBuffer buffer, DeliveryPool deliveries, int frameMax, Action<AmqpDelivery> delivered) : IDeliveryOwner
{
    private readonly PooledDelivery?[] _incomplete = new PooledDelivery?[16];

    /// <summary>What the broker would have been told.</summary>
    public List<(ulong Tag, Settlement Settlement)> Settled { get; } = [];

    public CancellationToken Lost => CancellationToken.None;

    public void Settle(ulong deliveryTag, Settlement settlement)
    {
        lock (Settled)
        {
            Settled.Add((deliveryTag, settlement));
        }
    }

    /// <summary>How many segments the message holds that is not complete on a channel.</summary>
    public int LeasedBy(ushort channel) => _incomplete[channel]!.LeasedSegments;

    /// <summary>Receives all of it, so many bytes at a time at most.</summary>
    public void Receive(ReadOnlySpan<byte> bytes, int most = int.MaxValue)
    {
        while (!bytes.IsEmpty)
        {
            Memory<byte> memory = buffer.GetMemory();
            int count = Math.Min(Math.Min(most, memory.Length), bytes.Length);
            bytes[..count].CopyTo(memory.Span);
            bytes = bytes[count..];
            buffer.Advance(count);
            ReadFrames();
        }
    }

    /// <summary>Lets go of messages that have not come as a whole.</summary>
    public void Abandon()
    {
        foreach (PooledDelivery? delivery in _incomplete)
        {
            delivery?.Handle.Dispose();
        }
    }

    private void ReadFrames()
    {
        var frames = new FrameReader(buffer.Unread, frameMax, buffer.Offset);
        while (frames.TryRead(out Frame frame))
        {
            if (frame.Type == FrameType.Heartbeat)
            {
                continue;
            }

            ref PooledDelivery? delivery = ref _incomplete[frame.Channel];
            if (frame.Type == FrameType.Method)
            {
                delivery = deliveries.Rent(this);
                delivery.BeginMessage(buffer, in frame);
            }
            else if (delivery!.Add(buffer, in frame))
            {
                AmqpDelivery complete = delivery.Handle;
                delivery = null;
                delivered(complete);
            }
        }

        buffer.Consume(frames.Consumed);
    }
}
