using System.Buffers;
using System.Diagnostics;
using RabbitMQ.Client.Exceptions;
using Wire.Amqp;
using Wire.Amqp.Bodies;
using Wire.Amqp.Client;
using Wire.Amqp.Client.Publishing;
using Wire.Amqp.V091;
using Wire.RabbitMQ.Publishing;
using BasicProperties = RabbitMQ.Client.BasicProperties;

namespace Wire.RabbitMQ.Connections.Lane;

/// <summary>Publishing: a message is written into what the channel sends, in its turn, and waits only where too much waits to be sent.</summary>
internal sealed partial class LaneChannel
{
    // Whether this thread is in the middle of writing a message. What is published by what is being serialized leaves the sending to others: it would send
    // the half of a message.
    [ThreadStatic]
    private static bool _isWriting;

    // The turn of the channel: guards what is written and everything here.
    private readonly Lock _gate = new();
    private readonly HeaderFields _headers = new();
    private readonly long _maxUnsentBytes;
    private readonly FrameWriting _writing;

    // Those that wait, in the order of their calls, and what the first of them waits for.
    private readonly SemaphoreSlim _row = new(1);
    private int _waiting;
    private TaskCompletionSource? _room;

    public ValueTask PublishAsync<T>(IOutgoing outgoing, BasicProperties properties, WireBodySerializer serializer, T message, CancellationToken cancellationToken = default) =>
        PublishAsync(outgoing, properties, new ObjectContent<T>(serializer.Body, message), cancellationToken);

    public ValueTask PublishBytesAsync(IOutgoing outgoing, BasicProperties properties, ReadOnlySequence<byte> body, CancellationToken cancellationToken = default) =>
        PublishAsync(outgoing, properties, new BytesContent(body), cancellationToken);

    private ValueTask PublishAsync<TContent>(IOutgoing outgoing, BasicProperties properties, in TContent content, CancellationToken cancellationToken)
        where TContent : struct, IContent
    {
        if (_gate.IsHeldByCurrentThread)
        {
            // By what is being serialized on this very channel: when that is through.
            return PublishLaterAsync(outgoing, properties, content, cancellationToken);
        }

        bool signal;
        long mark;
        try
        {
            lock (_gate)
            {
                ThrowIfEnded();
                if (_waiting > 0 || Channel.Outbox.IsFull(_maxUnsentBytes))
                {
                    _waiting++;
                    return PublishWithRoomAsync(_row.WaitAsync(cancellationToken), outgoing, properties, content, cancellationToken);
                }

                (signal, mark) = Write(outgoing, properties, in content);
            }
        }
        catch (Exception e)
        {
            return ValueTask.FromException(e);
        }

        Signal(signal, mark);
        return default;
    }

    private async ValueTask PublishLaterAsync<TContent>(IOutgoing outgoing, BasicProperties properties, TContent content, CancellationToken cancellationToken)
        where TContent : struct, IContent
    {
        await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding);
        await PublishAsync(outgoing, properties, in content, cancellationToken).ConfigureAwait(false);
    }

    private async ValueTask PublishWithRoomAsync<TContent>(Task turn, IOutgoing outgoing, BasicProperties properties, TContent content, CancellationToken cancellationToken)
        where TContent : struct, IContent
    {
        bool hasTurn = false;
        bool signal;
        long mark;
        try
        {
            await turn.ConfigureAwait(false);
            hasTurn = true;
            while (true)
            {
                Task room;
                lock (_gate)
                {
                    ThrowIfEnded();
                    if (!Channel.Outbox.IsFull(_maxUnsentBytes))
                    {
                        (signal, mark) = Write(outgoing, properties, in content);
                        break;
                    }

                    room = (_room ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)).Task;
                }

                await room.WaitAsync(cancellationToken).ConfigureAwait(false);
            }
        }
        finally
        {
            lock (_gate)
            {
                _waiting--;
            }

            if (hasTurn)
            {
                _row.Release();
            }
        }

        Signal(signal, mark);
    }

    // What fails leaves nothing behind.
    private (bool Signal, long Mark) Write<TContent>(IOutgoing outgoing, BasicProperties properties, in TContent content)
        where TContent : struct, IContent
    {
        Debug.Assert(_gate.IsHeldByCurrentThread, "Messages are written in the channel's turn.");
        Amqp.V091.BasicProperties said = LaneProperties.Of(properties, _headers);
        if (!said.Headers.IsNull)
        {
            HeaderFrame.Require(FrameWriter.SizeOfContentHeader(in said), (uint)Channel.Link.FrameMax);
        }

        Outbox outbox = Channel.Outbox;
        AmqpBuffer output = outbox.Open();
        long start = output.Length;
        bool isSent = false;
        bool wasWriting = _isWriting;
        _isWriting = true;
        try
        {
            var method = new BasicPublish { Exchange = outgoing.Exchange, RoutingKey = outgoing.RoutingKey, Mandatory = outgoing.Mandatory };
            long bodySize = MessageFrames.Write(output, Channel.Number, in method, in said, in content, new Framing(Channel.Link.FrameMax)).BodySize;
            isSent = outgoing.TryCommit(bodySize);
        }
        finally
        {
            _isWriting = wasWriting;
            if (!isSent)
            {
                output.Truncate(start);
            }
        }

        return isSent ? (outbox.Commit(output.Length - start), outbox.Mark) : (false, 0);
    }

    private void Signal(bool signal, long mark)
    {
        if (signal)
        {
            Channel.Outbox.Signal(_isWriting ? FrameWriting.Background : _writing, mark);
        }
    }

    private void MakeRoom()
    {
        TaskCompletionSource? room;
        lock (_gate)
        {
            (room, _room) = (_room, null);
        }

        room?.TrySetResult();
    }

    private void ThrowIfEnded()
    {
        Debug.Assert(_gate.IsHeldByCurrentThread, "What is looked at before a message is written is looked at in the channel's turn.");
        if (!IsOpen)
        {
            throw new AlreadyClosedException(CloseReason!);
        }
    }
}
