using System.Diagnostics;
using Wire.RabbitMQ.Streams.Diagnostics;
using Wire.RabbitMQ.Streams.Links;
using Wire.RabbitMQ.Streams.Protocol;

namespace Wire.RabbitMQ.Streams.Producing;

/// <summary>
/// Writes messages with their ids into frames, and counts them as unconfirmed. Under the gate of the <see cref="Publisher"/>.
/// </summary>
internal sealed class PublishWriter(Lock gate, StreamProducerOptions producer, PublishLog log, UnconfirmedRing ring)
{
    // The id of the last message; at the beginning the broker's.
    private ulong _lastId;
    private ulong _sequence;
    private bool _supportsFilters;

    /// <summary>Gets the id of the last written message; at the beginning the broker's.</summary>
    public ulong LastId => Math.Max(_lastId, _sequence);

    /// <summary>Gets whether a message is being written: its serializer may call anything.</summary>
    public bool IsWriting { get; private set; }

    /// <summary>Continues on another link, with the unconfirmed messages.</summary>
    /// <param name="link">The link.</param>
    /// <param name="number">The number of the publisher there.</param>
    /// <param name="sequence">The broker's last publishing id for this name.</param>
    /// <exception cref="StreamConnectionException">
    /// The broker supports no filter values, or only smaller frames than the unconfirmed ones.
    /// </exception>
    public void Attach(StreamLink link, byte number, ulong sequence)
    {
        Debug.Assert(gate.IsHeldByCurrentThread);
        _sequence = Math.Max(_sequence, sequence);

        // Unconfirmed messages are sent again unchanged. With a name, the broker skips those it has, and confirms them when they are safe:
        // a stored but unconfirmed message may still be lost with the leader.
        log.Rewind(number, ring.Head);
        bool supportsFilters = link.Versions.TryGetValue(CommandKey.Publish, out ushort version) && version >= 2;
        (int size, ushort used) = log.Largest();
        if (used >= 2 && !supportsFilters)
        {
            throw new StreamConnectionException(
                $"{link.Endpoint} does not support filter values, and messages with filter values wait to be sent again: use RabbitMQ " +
                "3.13 or later.");
        }

        if (size > link.FrameMax)
        {
            throw new StreamConnectionException(
                $"{link.Endpoint} takes frames of {link.FrameMax} bytes, and one of {size} bytes waits to be sent again: raise " +
                "stream.frame_max at the broker.");
        }

        _supportsFilters = supportsFilters;
        log.FrameMax = link.FrameMax;
    }

    /// <summary>Writes a message into the open frame.</summary>
    /// <returns>Its publishing id.</returns>
    public ulong Write<TContent>(in TContent content, in StreamSendOptions options, PendingSend? send)
        where TContent : struct, IMessageContent
    {
        Debug.Assert(gate.IsHeldByCurrentThread);
        ulong id = options.PublishingId ?? (LastId + 1);
        if (options.PublishingId is not null || options.Filter is not null)
        {
            Check(in options, id);
        }

        bool isNew;
        IsWriting = true;
        try
        {
            log.BeginMessage(id, options.Filter);
            try
            {
                content.WriteTo(log);
                isNew = log.EndMessage();
            }
            catch
            {
                log.Undo();
                throw;
            }
        }
        finally
        {
            IsWriting = false;
        }

        _lastId = id;
        if (isNew)
        {
            ring.Add(id, send, PublishMeter.Now);
        }
        else
        {
            ring.Extend(id, send);
        }

        return id;
    }

    private void Check(in StreamSendOptions options, ulong id)
    {
        if (producer.SubEntries is not null)
        {
            throw new ArgumentException(
                options.PublishingId is not null
                    ? $"Publishing ids of your own cannot be used with {nameof(
                        StreamProducerOptions.SubEntries)}: the broker compares only the id of the last message of an entry."
                    : $"Filter values cannot be used with {nameof(StreamProducerOptions.SubEntries)}: an entry has at most one.",
                nameof(options));
        }

        if (options.PublishingId is not null)
        {
            if (id > long.MaxValue)
            {
                throw new ArgumentException(
                    $"The publishing id {id} is larger than {long.MaxValue}: other clients would read it as negative.",
                    nameof(options));
            }

            if (id <= _lastId)
            {
                throw new ArgumentException(
                    $"The publishing id {id} is not larger than that of the message before, {_lastId}.", nameof(options));
            }
        }

        if (options.Filter is not null && !_supportsFilters)
        {
            throw new NotSupportedException(
                "The broker does not support filter values: use RabbitMQ 3.13 or later, or send the message without one.");
        }
    }
}
