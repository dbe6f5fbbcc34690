using System.Diagnostics.CodeAnalysis;
using Wire.Amqp.Client.Connections;
using Wire.Amqp.V091;

namespace Wire.Amqp.Client.Channels;

/// <summary>The calls of a channel that wait for their answers, which come in the order of the calls, until it ends. Thread-safe.</summary>
internal sealed class PendingCalls
{
    private readonly Queue<PendingCall> _calls = new();
    private readonly Lock _gate = new();
    private volatile LinkEnd? _end;

    /// <summary>Gets the reason why the channel has ended; null while it has not.</summary>
    public LinkEnd? End => _end;

    /// <summary>Adds a call.</summary>
    /// <exception cref="Exception">The channel has ended: the reason.</exception>
    public void Add(PendingCall call)
    {
        lock (_gate)
        {
            if (_end is { } end)
            {
                throw LinkChannel.Ended(end);
            }

            _calls.Enqueue(call);
        }
    }

    /// <summary>Takes no further calls; false when it was told that before.</summary>
    public bool TryEnd(LinkEnd end)
    {
        lock (_gate)
        {
            bool isFirst = _end is null;
            _end ??= end;
            return isFirst;
        }
    }

    /// <summary>Takes the first call.</summary>
    public bool TryTake([NotNullWhen(true)] out PendingCall? call)
    {
        lock (_gate)
        {
            return _calls.TryDequeue(out call);
        }
    }

    /// <summary>Completes the first call. On the receive loop.</summary>
    /// <exception cref="AmqpFormatException">The frame is no answer to it.</exception>
    public void Answer(in Frame frame)
    {
        PendingCall? call;
        while (!TryPeek(out call) || !call.TryComplete(in frame))
        {
            if (call is null || frame.MethodId != MethodId.ChannelCloseOk)
            {
                throw new AmqpFormatException(
                    AmqpFormatError.Frame,
                    frame.Offset,
                    $"Expected {(call is null ? "no method" : "the answer to a method")} on channel {frame.Channel}, " +
                    $"found {frame.MethodId}");
            }

            // RabbitMQ does not answer any more, once it has read the close, that it has started a consumer.
            Fail(LinkChannel.ClosedByProgram(), most: 1);
        }

        TryTake(out _);
    }

    /// <summary>Fails calls, the first ones first.</summary>
    public void Fail(LinkEnd end, int most = int.MaxValue)
    {
        while (most-- > 0 && TryTake(out PendingCall? call))
        {
            call.Fail(LinkChannel.Ended(end));
        }
    }

    private bool TryPeek([NotNullWhen(true)] out PendingCall? call)
    {
        lock (_gate)
        {
            return _calls.TryPeek(out call);
        }
    }
}
