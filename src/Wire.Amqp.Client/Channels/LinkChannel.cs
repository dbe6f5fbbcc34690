using System.Diagnostics;
using Wire.Amqp.Client.Connections;
using Wire.Amqp.Client.Consuming;
using Wire.Amqp.Client.Publishing;
using Wire.Amqp.V091;
using Wire.Amqp.V091.Frames;

namespace Wire.Amqp.Client.Channels;

/// <summary>
/// A channel of a link, from its opening to its final end: with the link, by the broker, or by the program. Published messages are written
/// into its <see cref="SendQueue"/>, and received ones go to its listeners. A channel without listeners has only calls.
/// </summary>
internal sealed partial class LinkChannel
{
    private const int MostOwed = 4096;

    private readonly IChannelListener? _listener;
    private readonly IDeliveryListener? _deliveries;
    private readonly PendingCalls _calls = new();

    // The message whose frames are being received; used by the receive loop.
    private PooledDelivery? _incoming;

    // The number of answers to the broker's requests since it had last read all of them; used by the receive loop.
    private int _owed;
    private long _answered;
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _isClosing;

    public LinkChannel(
        Link link, ushort number, Lock gate, IChannelListener? listener, IPublishListener? publishing, IDeliveryListener? deliveries)
    {
        (Link, Number) = (link, number);
        (_listener, Publishing, _deliveries) = (listener, publishing, deliveries);
        SendQueue = new SendQueue(link.Writer, gate, listener);
    }

    /// <summary>The number of the channel on its link.</summary>
    public ushort Number { get; }

    /// <summary>Gets its send queue. Its gate is the turn of the channel.</summary>
    public SendQueue SendQueue { get; }

    /// <summary>The link.</summary>
    public Link Link { get; }

    /// <summary>Notified of the results of its messages; null for none.</summary>
    public IPublishListener? Publishing { get; }

    /// <summary>Gets the reason why it has ended; null while it has not.</summary>
    public LinkEnd? End => _calls.End;

    /// <summary>
    /// Sends a method without an answer. After the end of the channel it is not sent, because it has no effect any more.
    /// </summary>
    public void Post<TMethod>(in TMethod method, FrameWriting writing = FrameWriting.Background)
        where TMethod : struct, IMethod<TMethod>
    {
        bool signal;
        long position;
        lock (SendQueue.Gate)
        {
            if (SendQueue.IsClosed)
            {
                return;
            }

            signal = Write(in method);
            position = SendQueue.Position;
        }

        if (signal)
        {
            SendQueue.Signal(writing, position);
        }
    }

    /// <summary>Opens it at the broker.</summary>
    public Task OpenAsync(CancellationToken cancellationToken) =>
        CallAsync<ChannelOpen, ChannelOpenOk>(new ChannelOpen(), cancellationToken);

    /// <summary>Closes it. Afterwards it has ended, whatever happens. Another call waits for the same end.</summary>
    /// <param name="cancellationToken">Ends the wait for the broker's answer.</param>
    public async Task CloseAsync(CancellationToken cancellationToken)
    {
        if (End is not null)
        {
            return;
        }

        try
        {
            Task closed = _ended.Task;
            if (Interlocked.Exchange(ref _isClosing, 1) == 0)
            {
                var call = new PendingCall<ChannelCloseOk, bool>(_ => Forgotten());
                Send(new ChannelClose { ReplyCode = ReplyCodes.Success, ReplyText = "" }, call);
                closed = call.Result;
            }

            await Link.WaitToCloseAsync(closed, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e) when (e is IOException or AmqpChannelException or ObjectDisposedException)
        {
            // It has ended for another reason in between.
        }
        finally
        {
            // If the broker has not answered, its late answer frees the number.
            LinkEnd end = ClosedByProgram();
            Finish(end);
            if (ReferenceEquals(End, end))
            {
                ReportEnd();
            }
        }
    }

    /// <summary>Handles a frame for this channel. On the receive loop.</summary>
    public void Receive(in Frame frame)
    {
        if (_incoming is { } incoming)
        {
            if (incoming.Add(Link.Received, in frame))
            {
                _incoming = null;
                Deliver(incoming);
            }

            return;
        }

        MethodId method = frame.MethodId;
        if (End is not null && method is not (MethodId.BasicDeliver or MethodId.BasicReturn or MethodId.BasicGetOk))
        {
            ReceiveAfterEnd(method);
            return;
        }

        switch (method)
        {
            case MethodId.BasicDeliver or MethodId.BasicReturn or MethodId.BasicGetOk:
                _incoming = Link.Deliveries.Rent(_deliveries);
                _incoming.BeginMessage(Link.Received, in frame);
                break;
            case MethodId.BasicAck:
                BasicAck ack = frame.ReadMethod<BasicAck>();
                Publishing?.Confirmed(ack.DeliveryTag, ack.Multiple, acked: true);
                break;
            case MethodId.BasicNack:
                BasicNack nack = frame.ReadMethod<BasicNack>();
                Publishing?.Confirmed(nack.DeliveryTag, nack.Multiple, acked: false);
                break;
            case MethodId.BasicCancel:
                Cancel(frame.ReadMethod<BasicCancel>());
                break;
            case MethodId.ChannelFlow:
                // The broker stops reading if it wants less; only an answer is required.
                Reply(new ChannelFlowOk { Active = frame.ReadMethod<ChannelFlow>().Active });
                break;
            case MethodId.ChannelClose:
                Close(frame.ReadMethod<ChannelClose>());
                break;
            default:
                _calls.Answer(in frame);
                break;
        }
    }

    /// <summary>Called when it has ended, with or without its link.</summary>
    public void Finish(LinkEnd end) => Finish(end, isToAcknowledge: false);

    private void Finish(LinkEnd end, bool isToAcknowledge)
    {
        bool isFirst = _calls.TryEnd(end);
        if (isFirst)
        {
            SendQueue.Close(end.Error);
        }

        if (isToAcknowledge)
        {
            // After the send queue is closed, so that nothing follows it; and before listeners are notified, which may want its number for
            // another.
            Acknowledge();
        }

        if (!isFirst)
        {
            return;
        }

        // First, so that code that a failed call wakes finds that it has ended.
        _listener?.Ended(end);
        _calls.Fail(end);
        _ended.TrySetResult();
    }

    /// <summary>Releases what the receive loop holds. On the receive loop, or after its end.</summary>
    public void DropIncoming()
    {
        _incoming?.Handle.Dispose();
        _incoming = null;
    }

    /// <summary>Throws when it has ended.</summary>
    public void ThrowIfEnded()
    {
        if (End is { } end)
        {
            throw Ended(end);
        }
    }

    /// <summary>
    /// Makes the exception that is thrown by what is called after the end: a new exception each time, since it gets a stack trace.
    /// </summary>
    public static Exception Ended(LinkEnd end) => end.Error switch
    {
        ObjectDisposedException disposed => new ObjectDisposedException(disposed.ObjectName, disposed.Message),
        AmqpChannelException channel => new AmqpChannelException(channel.Message, channel.Reason),
        InvalidOperationException refused => new InvalidOperationException(refused.Message, refused),
        AmqpConnectionException { Reason: { } reason } connection => new AmqpConnectionException(connection.Message, reason),
        { } error => new AmqpConnectionException(error.Message, error),
    };

    internal static LinkEnd ClosedByProgram() =>
        new(new ObjectDisposedException(nameof(AmqpChannel), "The channel has been closed by the program."), IsByProgram: true);

    private bool Write<TMethod>(in TMethod method)
        where TMethod : struct, IMethod<TMethod>
    {
        Debug.Assert(SendQueue.Gate.IsHeldByCurrentThread, "Methods are written in the channel's turn.");
        int size = FrameLayout.Checked(FrameWriter.SizeOf(in method), Link.FrameMax, $"the method {TMethod.Id}");
        AmqpBuffer output = SendQueue.Open();
        long start = output.Length;

        // Before the method: after a method that closes the channel the broker would ignore it.
        if (_listener is { HasPendingAcks: true } listener)
        {
            listener.WritePendingAcks(output);
        }

        FrameWriter.Write(output.GetSpan(size)[..size], Number, in method);
        output.Advance(size);
        if (TMethod.Id == MethodId.ChannelClose)
        {
            // A broker closes the whole connection for a frame on a closed channel.
            SendQueue.Seal();
        }

        return SendQueue.Commit(output.Length - start);
    }

    private void Deliver(PooledDelivery delivery)
    {
        AmqpDelivery message = delivery.Handle;
        if (End is not null)
        {
            message.Dispose();
            return;
        }

        switch (delivery.Kind)
        {
            case MethodId.BasicDeliver when _deliveries is { } deliveries:
                deliveries.Delivered(message);
                break;
            case MethodId.BasicReturn when Publishing is { } publishing:
                publishing.Returned(message);
                break;
            case MethodId.BasicDeliver or MethodId.BasicReturn:
                message.Dispose();
                break;
            default:
                if (_calls.TryTake(out PendingCall? call) && call is GetCall get)
                {
                    _deliveries?.Fetched(message, get.NoAck);
                    get.Complete(message);
                    break;
                }

                message.Dispose();
                throw new AmqpFormatException(
                    AmqpFormatError.Frame, Link.Received.Offset, $"A message came on channel {Number}, which has no consumer for it");
        }
    }

    private void Cancel(BasicCancel cancel)
    {
        if (!cancel.NoWait)
        {
            Reply(new BasicCancelOk { ConsumerTag = cancel.ConsumerTag });
        }

        _deliveries?.Cancelled(cancel.ConsumerTag);
    }

    // A broker that keeps asking and does not read the answers must not take unlimited memory.
    private void Reply<TMethod>(in TMethod method)
        where TMethod : struct, IMethod<TMethod>
    {
        _owed = SendQueue.HasSent(_answered) ? 1 : _owed + 1;
        if (_owed > MostOwed)
        {
            throw new AmqpFormatException(
                AmqpFormatError.Frame,
                Link.Received.Offset,
                $"Expected the broker to read the answers on channel {Number}, found another {TMethod.Id} to send " +
                $"while {MostOwed:N0} wait");
        }

        Post(in method);
        _answered = SendQueue.Position;
    }

    // The broker may not know of the end yet: only its own close counts.
    private void ReceiveAfterEnd(MethodId method)
    {
        if (method == MethodId.ChannelClose)
        {
            Acknowledge();
        }
        else if (method == MethodId.ChannelCloseOk)
        {
            Link.Forget(this);
        }
    }

    private void Close(in ChannelClose close)
    {
        var reason = AmqpCloseReason.From(in close);
        Finish(new LinkEnd(
            new AmqpChannelException($"The broker has closed the channel: {reason}.", reason), IsByProgram: false), isToAcknowledge: true);
    }

    // If the program has closed the channel at the same time, the broker answers that as well, which comes late like all that follows.
    private void Acknowledge()
    {
        Link.Post(Number, new ChannelCloseOk());
        Link.Forget(this, isByBroker: true);
    }

    // Nothing could be sent while the close was waited for. The broker would keep the channel as long as the link lasts, and continue to
    // deliver on it.
    private void ReportEnd()
    {
        if (!SendQueue.IsSealMissing || Link.End is not null)
        {
            return;
        }

        if (!SendQueue.HasBegun)
        {
            Link.Forget(this);
        }
        else
        {
            Link.Post(Number, new ChannelClose { ReplyCode = ReplyCodes.Success, ReplyText = "" });
        }
    }

    private bool Forgotten()
    {
        Link.Forget(this);
        return true;
    }
}
