using System.Buffers.Binary;
using Wire.Amqp;
using Wire.RabbitMQ.Streams.Protocol;

namespace Wire.RabbitMQ.Streams.Links;

internal sealed partial class StreamLink
{
    // Chunks have some ten to some hundred KiB where many messages come.
    private const int SubscribedSegment = 1 << 20;

    // Key, version and the number of the publisher or subscription.
    private const int NumberedHead = StreamFrames.HeadBytes + sizeof(byte);

    private void StartReceiving()
    {
        if (_socket.ReceivesOnThread)
        {
            new Thread(() => ReceiveAsync(onThread: true).AsTask().GetAwaiter().GetResult())
            {
                IsBackground = true,
                Name = $"Streams, from {Endpoint}",
            }.UnsafeStart();
        }
        else
        {
            Task.Run(() => ReceiveAsync(onThread: false).AsTask());
        }
    }

    // With its own thread nothing here waits asynchronously, so it stays on the thread.
    private async ValueTask ReceiveAsync(bool onThread)
    {
        Exception reason;
        try
        {
            while (true)
            {
                while (_received.TryRead(out ReadOnlyMemory<byte> frame))
                {
                    Handle(frame, _received.Offset - frame.Length);
                }

                Memory<byte> free = _received.GetMemory();
                int count = onThread ? _socket.Receive(free) : await _socket.ReceiveAsync(free).ConfigureAwait(false);
                if (count == 0)
                {
                    reason = _isClosing
                        ? Closed()
                        : new StreamConnectionException($"The connection to {Endpoint} was closed by the other side without a reason.");
                    break;
                }

                _received.Advance(count);
                _heartbeats?.Received();
            }
        }
        catch (Exception e)
        {
            reason = e switch
            {
                AmqpFormatException => new StreamConnectionException(
                    $"The connection to {Endpoint} was closed, because the broker sent something that is not the stream " +
                    $"protocol: {e.Message}", e),
                IOException => Lost(e),
                _ => new StreamConnectionException(
                    $"The connection to {Endpoint} was closed, because a received frame could not be processed: {e.Message}", e),
            };
        }

        Finish(reason);
    }

    private void Handle(ReadOnlyMemory<byte> frame, long offset)
    {
        ReadOnlySpan<byte> bytes = frame.Span;
        ushort key = BinaryPrimitives.ReadUInt16BigEndian(bytes);
        if ((key & StreamFrames.ResponseBit) != 0)
        {
            HandleResponse((CommandKey)(key & ~StreamFrames.ResponseBit), bytes, offset);
            return;
        }

        switch ((CommandKey)key)
        {
            case CommandKey.Route or CommandKey.Partitions:
                // Older brokers, such as 3.10, forget the bit that says that these are responses.
                HandleResponse((CommandKey)key, bytes, offset);
                break;
            case CommandKey.Deliver:
                HandleDeliver(frame, offset);
                break;
            case CommandKey.PublishConfirm:
                HandleConfirm(bytes, offset);
                break;
            case CommandKey.PublishError:
                HandlePublishError(bytes, offset);
                break;
            case CommandKey.MetadataUpdate:
                HandleMetadataUpdate(StreamFrames.Read<MetadataUpdate>(bytes[StreamFrames.HeadBytes..], offset));
                break;
            case CommandKey.ConsumerUpdate:
                uint correlation = Correlation(bytes, offset);
                ConsumerUpdate update = StreamFrames.Read<ConsumerUpdate>(bytes[StreamFrames.CorrelatedHeadBytes..], offset);
                _subscriptions[update.SubscriptionId]?.Update(correlation, update.Active != 0);
                break;
            case CommandKey.Close:
                _ = Correlation(bytes, offset);
                Close close = StreamFrames.Read<Close>(bytes[StreamFrames.CorrelatedHeadBytes..], offset);
                throw new StreamConnectionException(
                    $"{Endpoint} has closed the connection: {close.Reason} ({(StreamResponseCode)close.Code}).",
                    (StreamResponseCode)close.Code);
            case CommandKey.Heartbeat:
                break;
            case CommandKey.Tune when FrameMax == 0:
                _tune?.TrySetResult(StreamFrames.Read<Tune>(bytes[StreamFrames.HeadBytes..], offset));
                break;
            default:
                // A newer broker may send frames that this client does not know.
                break;
        }
    }

    private void HandleResponse(CommandKey key, ReadOnlySpan<byte> bytes, long offset)
    {
        if (key == CommandKey.Credit)
        {
            // Without a correlation, and only if this client has already ended the subscription.
            return;
        }

        bool hasCode = StreamFrames.HasCode(key);
        int head = StreamFrames.CorrelatedHeadBytes + (hasCode ? sizeof(ushort) : 0);
        if (bytes.Length < head)
        {
            throw new AmqpFormatException(
                AmqpFormatError.Length, offset, $"A response to {key} has {bytes.Length} bytes, and its head alone {head}");
        }

        LinkCall? call;
        lock (_gate)
        {
            call = _calls.GetValueOrDefault(Correlation(bytes, offset));
        }

        // A late answer without a waiting caller. The call stays registered until its caller continues: if this throws, it fails with the
        // others.
        StreamResponseCode code = hasCode
            ? (StreamResponseCode)BinaryPrimitives.ReadUInt16BigEndian(bytes[StreamFrames.CorrelatedHeadBytes..])
            : StreamResponseCode.Ok;
        call?.Complete(code, bytes[head..], offset + head);
    }

    private void HandleDeliver(ReadOnlyMemory<byte> frame, long offset)
    {
        ReadOnlySpan<byte> bytes = frame.Span;
        ushort version = BinaryPrimitives.ReadUInt16BigEndian(bytes[sizeof(ushort)..]);

        // Version 2 has the committed offset before the chunk.
        int head = NumberedHead + (version >= 2 ? sizeof(ulong) : 0);
        if (bytes.Length < head)
        {
            throw new AmqpFormatException(
                AmqpFormatError.Length, offset, $"A delivery has {bytes.Length} bytes, and its head alone {head}");
        }

        // A chunk without a subscription was in transit when the subscription ended.
        if (_subscriptions[bytes[StreamFrames.HeadBytes]] is { } subscription)
        {
            if (version >= 2)
            {
                subscription.Committed(BinaryPrimitives.ReadUInt64BigEndian(bytes[NumberedHead..]));
            }

            subscription.Deliver(frame[head..], offset + head, _received.Lease());
        }
    }

    private void HandleConfirm(ReadOnlySpan<byte> bytes, long offset)
    {
        ReadOnlySpan<byte> ids = Elements(bytes, offset, sizeof(ulong));
        _publishers[bytes[StreamFrames.HeadBytes]]?.Settled(ids, StreamResponseCode.Ok);
    }

    private void HandlePublishError(ReadOnlySpan<byte> bytes, long offset)
    {
        const int Size = sizeof(ulong) + sizeof(ushort);
        ReadOnlySpan<byte> errors = Elements(bytes, offset, Size);
        ILinkPublisher? publisher = _publishers[bytes[StreamFrames.HeadBytes]];
        for (; !errors.IsEmpty; errors = errors[Size..])
        {
            publisher?.Settled(errors[..sizeof(ulong)], (StreamResponseCode)BinaryPrimitives.ReadUInt16BigEndian(errors[sizeof(ulong)..]));
        }
    }

    private void HandleMetadataUpdate(MetadataUpdate update)
    {
        string stream = update.Stream ?? "";
        var reason = new StreamException(
            (StreamResponseCode)update.Code,
            $"The broker says of the stream '{stream}' that it has been deleted or has moved ({(StreamResponseCode)update.Code}).");
        foreach (ILinkPublisher publisher in _publishers.Remove(stream))
        {
            // Bytes that are being sent must not change yet.
            _sender.Detach(publisher, () => publisher.Ended(reason));
        }

        foreach (ILinkSubscription subscription in _subscriptions.Remove(stream))
        {
            subscription.Ended(reason);
        }
    }

    private static uint Correlation(ReadOnlySpan<byte> bytes, long offset) => bytes.Length >= StreamFrames.CorrelatedHeadBytes
        ? BinaryPrimitives.ReadUInt32BigEndian(bytes[StreamFrames.HeadBytes..])
        : throw new AmqpFormatException(AmqpFormatError.Length, offset, $"A frame of {bytes.Length} bytes has no room for its correlation");

    // The elements after the number of a publisher, all of one size, and their stated count.
    internal static ReadOnlySpan<byte> Elements(ReadOnlySpan<byte> bytes, long offset, int size)
    {
        const int Head = NumberedHead + sizeof(int);
        int count = bytes.Length < Head ? -1 : BinaryPrimitives.ReadInt32BigEndian(bytes[NumberedHead..]);
        return count >= 0 && (long)count * size <= bytes.Length - Head
            ? bytes.Slice(Head, count * size)
            : throw new AmqpFormatException(
                AmqpFormatError.Length, offset, $"Expected {count} elements of {size} bytes, found {bytes.Length - Head} bytes");
    }
}
