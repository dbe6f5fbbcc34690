using System.Runtime.CompilerServices;
using Wire.Amqp.Client.Channels;
using Wire.Amqp.Client.Connections;
using Wire.Amqp.Client.Consuming;
using Wire.Amqp.Client.Diagnostics;
using Wire.Transport.Pending;

namespace Wire.Amqp.Client;

/// <content>Handling of messages, and what becomes of those that no handler gets.</content>
public sealed partial class AmqpConsumer
{
    /// <summary>Takes a message. On the receive loop.</summary>
    internal void Handle(ChannelSession session, ulong tag, AmqpDelivery delivery)
    {
        if (!TryEnter())
        {
            // It has ended since it was found: others may be waiting for the message. Where the channel ends too, nothing is sent any more.
            GiveBack(session, tag, delivery);
            return;
        }

        if (_position.MayBeStream && !session.Deliveries.TryAccept(_position, tag, delivery, NoAck))
        {
            // It was settled before the connection was lost.
            delivery.Dispose();
            Settle(session, tag, Settlement.Ack);
            Leave();
            return;
        }

        if (_isUnbounded)
        {
            delivery.Wait();
        }

        if (Volatile.Read(ref _abandoned) is { } abandoned && !NoAck)
        {
            abandoned.Enqueue(new PendingDelivery(session, tag, delivery));
            if (HasEnded)
            {
                RequeueWaiting();
            }

            return;
        }

        if (_dispatcher is { } dispatcher)
        {
            if (dispatcher.AddWithOthers(new PendingDelivery(session, tag, delivery)))
            {
                // Sent with those that follow in the bytes that were received together.
                session.Channel.Link.AtEndOfRound(this);
            }

            if (Volatile.Read(ref _isEnded) != 0)
            {
                // Meanwhile, maybe too early to see this one.
                RequeueWaiting();
            }

            return;
        }

        try
        {
            ValueTask handled = CallHandler(delivery);
            if (!handled.IsCompleted)
            {
                HandlerRun.Start(this, session, tag, delivery, handled);
                return;
            }

            handled.GetAwaiter().GetResult();
        }
        catch (Exception e)
        {
            Failed(session, tag, delivery, e);
            return;
        }

        Handled(session, tag, delivery);
    }

    void IRoundListener.RoundEnded() => _dispatcher!.BeginAdded();

    /// <summary>Called when a handler has ended.</summary>
    internal void Handled(ChannelSession session, ulong tag, AmqpDelivery delivery)
    {
        if (_options.AcknowledgeWhenHandled && !delivery.IsKept)
        {
            Settle(session, tag, Settlement.Ack);
        }

        delivery.EndHandler();
        Leave();
    }

    /// <summary>Handles a failure: a handler has thrown, or the body could not be read.</summary>
    internal void Failed(ChannelSession session, ulong tag, AmqpDelivery delivery, Exception error)
    {
        // A message that is too large would come again for ever; one of a session that is over comes again whatever is decided.
        bool isToRequeue = session.Channel.End is not null
            || (_options.OnFailure == AmqpFailedDelivery.Requeue && error is not AmqpFormatException { Error: AmqpFormatError.TooLarge });
        Settlement settlement = isToRequeue ? Settlement.Requeue : Settlement.Reject;
        HandlerFailure.Tell(this, _options, delivery, tag, settlement, error);
        Settle(session, tag, settlement);
        delivery.EndHandler();
        Leave();
    }

    // Of a session that is over, the broker has it back and delivers it again; without acknowledgements, there is only this
    // one.
    private ValueTask CallHandler(PendingDelivery message)
    {
        if (NoAck || message.Session.Channel.End is null)
        {
            return CallHandler(message.Delivery);
        }

        // Before it counts as handled, behind which a stream would go on.
        Settle(message.Session, message.Tag, Settlement.Requeue);
        return default;
    }

    // With a span and numbers while someone listens.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ValueTask CallHandler(AmqpDelivery delivery) =>
        _telemetry is { } telemetry && ChannelTelemetry.IsOfProcessing
            ? telemetry.HandleAsync(Queue, delivery, _handler)
            : _handler(delivery);

    private void HandlerEnded(PendingDelivery message, Exception? error)
    {
        (ChannelSession session, ulong tag, AmqpDelivery delivery) = message;
        if (error is null)
        {
            Handled(session, tag, delivery);
        }
        else
        {
            Failed(session, tag, delivery, error);
        }
    }

    // Messages that no handler has started with go back at once, because other consumers may be waiting for them.
    private void RequeueWaiting()
    {
        if (NoAck || (_dispatcher is null && _abandoned is null))
        {
            return;
        }

        while (_abandoned?.TryDequeue(out PendingDelivery waiting) == true)
        {
            GiveBack(waiting.Session, waiting.Tag, waiting.Delivery);
            Leave();
        }

        _dispatcher?.Stop();
        foreach ((ChannelSession session, ulong tag, AmqpDelivery delivery) in _dispatcher?.TakeWaiting() ?? [])
        {
            GiveBack(session, tag, delivery);
            Leave();
        }

        Session?.Deliveries.SendAcks();
    }

    // Nothing is sent of one of a stream, which takes none back: RabbitMQ would close the connection.
    private void GiveBack(ChannelSession session, ulong tag, AmqpDelivery delivery)
    {
        if (!_position.IsOfStream(delivery.Properties))
        {
            Settle(session, tag, Settlement.Requeue);
        }

        delivery.Dispose();
    }

    // The decision about the message counts. By its tag: the handler may have released the message.
    private void Settle(ChannelSession session, ulong tag, Settlement settlement)
    {
        if (!_options.NoAck)
        {
            session.Deliveries.TrySettle(tag, multiple: false, settlement);
        }
    }

    private bool TryEnter()
    {
        int running = Volatile.Read(ref _running);
        while (running != 0 && Volatile.Read(ref _isEnded) == 0)
        {
            int found = Interlocked.CompareExchange(ref _running, running + 1, running);
            if (found == running)
            {
                return true;
            }

            running = found;
        }

        return false;
    }

    private void Leave()
    {
        if (Interlocked.Decrement(ref _running) != 0)
        {
            return;
        }

        // Callers that wait for the end rely on the broker knowing of it.
        Session?.Deliveries.SendAcks();
        _dispatcher?.Stop();
        _completion.TryEnd(_error);
    }

    /// <summary>A message that has arrived, and its session.</summary>
    private readonly record struct PendingDelivery(ChannelSession Session, ulong Tag, AmqpDelivery Delivery);
}
