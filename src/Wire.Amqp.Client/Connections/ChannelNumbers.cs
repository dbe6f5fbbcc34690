using System.Diagnostics;
using System.Runtime.CompilerServices;
using Wire.Amqp.Client.Channels;
using Wire.Amqp.V091;

namespace Wire.Amqp.Client.Connections;

/// <summary>The channels of a link by their numbers. Thread-safe, except for <see cref="Find"/>.</summary>
/// <remarks>
/// A broker may close a channel from another process than the one that sends its messages, and another one yet may answer what was asked on
/// it, so that frames follow the end of a channel. Its number is used again only where no other is left, and not at once: RabbitMQ 4 may
/// send some of them still when it has opened the next channel. Until then, what comes with that number is of the channel before, and is
/// dropped.
/// </remarks>
/// <param name="most">The largest number.</param>
internal sealed class ChannelNumbers(int most)
{
    // How long a broker may go on to send for a channel that it has closed.
    private static readonly TimeSpan Aftermath = TimeSpan.FromMilliseconds(250);

    private readonly Lock _gate = new();

    // The numbers of channels that have ended, the first one first, with the time when the broker closed them (0 where the program has),
    // and the channels that are being opened on such numbers.
    private readonly Queue<(ushort Number, long Closed)> _ended = new();
    private readonly Dictionary<ushort, (LinkChannel Channel, long Closed)> _opening = [];
    private LinkChannel?[] _channels = new LinkChannel?[16];
    private int _last;
    private long _late;

    /// <summary>Gets the number of frames that have followed the end of their channel.</summary>
    public long Late => Volatile.Read(ref _late);

    /// <summary>Gets all channels.</summary>
    public LinkChannel[] All
    {
        get
        {
            lock (_gate)
            {
                return [.. _channels.OfType<LinkChannel>(), .. _opening.Values.Select(opening => opening.Channel)];
            }
        }
    }

    /// <summary>Gives a channel a number.</summary>
    /// <param name="make">Makes the channel.</param>
    /// <param name="pause">How long the channel before may still be sent for: it must not be opened earlier.</param>
    /// <exception cref="InvalidOperationException">There is none left.</exception>
    public LinkChannel Add(Func<ushort, LinkChannel> make, out TimeSpan pause)
    {
        lock (_gate)
        {
            pause = TimeSpan.Zero;
            if (_last < most)
            {
                int number = ++_last;
                if (number == _channels.Length)
                {
                    Array.Resize(ref _channels, Math.Min(number * 2, most + 1));
                }

                return _channels[number] = make((ushort)number);
            }

            if (!_ended.TryDequeue(out (ushort Number, long Closed) used))
            {
                throw new InvalidOperationException(
                    $"The connection has no channel left: {most} are open, which is the limit that both sides agreed on. Raise " +
                    "RequestedChannelMax, or the broker's channel_max, open fewer, or use another connection.");
            }

            TimeSpan rested = Stopwatch.GetElapsedTime(used.Closed);
            pause = used.Closed == 0 || rested > Aftermath ? TimeSpan.Zero : Aftermath - rested;
            LinkChannel channel = make(used.Number);
            _opening[used.Number] = (channel, used.Closed);
            return channel;
        }
    }

    /// <summary>Finds the channel of a frame; null for a frame of a channel that has ended. On the receive loop.</summary>
    /// <exception cref="AmqpFormatException">There was no such channel.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public LinkChannel? Find(in Frame frame)
    {
        LinkChannel?[] channels = Volatile.Read(ref _channels);
        return (frame.Channel < channels.Length ? channels[frame.Channel] : null) ?? FindEnded(in frame);
    }

    /// <summary>Takes back the number of a channel that has ended.</summary>
    /// <param name="channel">The channel.</param>
    /// <param name="isByBroker">True if the broker has closed it.</param>
    public void Free(LinkChannel channel, bool isByBroker)
    {
        lock (_gate)
        {
            long closed = 0;
            if (_channels[channel.Number] == channel)
            {
                _channels[channel.Number] = null;
            }
            else if (_opening.TryGetValue(channel.Number, out (LinkChannel Channel, long Closed) opening) && opening.Channel == channel)
            {
                // The broker has not opened it, and may still send for the one before.
                closed = opening.Closed;
                _opening.Remove(channel.Number);
            }
            else
            {
                return;
            }

            _ended.Enqueue((channel.Number, isByBroker ? Stopwatch.GetTimestamp() : closed));
        }
    }

    private LinkChannel? FindEnded(in Frame frame)
    {
        lock (_gate)
        {
            if (frame.Channel > _last)
            {
                throw new AmqpFormatException(
                    AmqpFormatError.Frame, frame.Offset, $"A frame came on channel {frame.Channel}, which is not open");
            }

            if (frame.Type == FrameType.Method && frame.MethodId == MethodId.ChannelOpenOk
                && _opening.Remove(frame.Channel, out (LinkChannel Channel, long Closed) next))
            {
                return _channels[frame.Channel] = next.Channel;
            }

            _late++;
            return null;
        }
    }
}
