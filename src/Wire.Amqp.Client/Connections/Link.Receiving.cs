using Wire.Amqp.Client.Channels;
using Wire.Amqp.V091;

namespace Wire.Amqp.Client.Connections;

/// <summary>Receiving: one loop, which hands each frame to its channel and never waits for anything else.</summary>
internal sealed partial class Link
{
    // On a thread of its own where the socket can wait on one: a thread of the pool that is woken for each receive looks for more work for
    // a while before it sleeps again, which costs more than many messages do.
    private Task BeginReceiving()
    {
        if (!_socket.ReceivesOnThread)
        {
            return Task.Run(ReceiveAsync, CancellationToken.None);
        }

        _loop.Begin();
        return _loopEnded.Task;
    }

    /// <summary>
    /// Runs what awaits the last of the operations that have ended: on the receiving thread, where it has nothing else to do, and otherwise
    /// on one of its own.
    /// </summary>
    /// <param name="last">It.</param>
    /// <param name="isAlone">True if it is the only one, and nothing else is in flight on its channel.</param>
    public void Complete(IThreadPoolWorkItem last, bool isAlone)
    {
        // With others that wait for the end of the round more has come than one answer, and more is likely to come.
        if (isAlone && IsOnLoop && _atEndOfRound.Count == 1 && _socket.ReceivesOnThread && _loop.TryLend(last))
        {
            _hasLent = true;
        }
        else
        {
            _completing.Run(last);
        }
    }

    // False when it has ended.
    private bool TryReceive()
    {
        try
        {
            if (!_hasBegun)
            {
                _hasBegun = true;
                TakeReceived();
            }

            if (End is null)
            {
                Deliveries.Unhandled.Wait();
                if (_hasLent && Writer.Sends != _sendsBefore)
                {
                    // What awaited the last answer has sent the next message, and awaits its answer now.
                    _spin.Spin(_hasReceived);
                }

                _hasLent = false;
                Advance(_socket.Receive(Received.GetMemory()));
                _sendsBefore = Writer.Sends;
                return true;
            }
        }
        catch (Exception e)
        {
            EndReceiving(e);
        }

        ReleaseReceived();
        _loop.Dispose();
        _loopEnded.SetResult();
        return false;
    }

    private async Task ReceiveAsync()
    {
        try
        {
            TakeReceived();
            while (End is null)
            {
                await Deliveries.Unhandled.WaitAsync().ConfigureAwait(false);
                Advance(await _socket.ReceiveAsync(Received.GetMemory()).ConfigureAwait(false));
            }
        }
        catch (Exception e)
        {
            EndReceiving(e);
        }
        finally
        {
            ReleaseReceived();
        }
    }

    private void Advance(int count)
    {
        if (count == 0)
        {
            throw new AmqpConnectionException($"The connection to {Endpoint} was lost: the other side closed it.");
        }

        _heartbeats?.Received();
        Received.Advance(count);
        TakeReceived();
    }

    // Frames may have come together with the end of the handshake.
    private void TakeReceived()
    {
        Volatile.Write(ref _loopThread, Environment.CurrentManagedThreadId);
        try
        {
            try
            {
                Parse();
            }
            finally
            {
                // Frames before a damaged one are handled.
                EndRound();
            }
        }
        finally
        {
            Volatile.Write(ref _loopThread, 0);
        }
    }

    private void EndReceiving(Exception error) => Lose(error is AmqpFormatException
        ? new AmqpConnectionException(
            $"The connection to {Endpoint} was closed: the broker sent something that is not AMQP 0-9-1. {error.Message}", error)
        : error);

    private void ReleaseReceived()
    {
        foreach (LinkChannel channel in _channels.All)
        {
            channel.DropIncoming();
        }

        Received.Dispose();

        // It was aborted before. This ends the thread that waits for the socket, and TLS.
        _socket.Dispose();
    }

    private void Parse()
    {
        var frames = new FrameReader(Received.Unread, Math.Max(FrameMax, LargestReceivedFrame), Received.Offset);
        while (frames.TryRead(out Frame frame))
        {
            if (frame.Channel == 0)
            {
                ReceiveControl(in frame);
                continue;
            }

            _channels.Find(in frame)?.Receive(in frame);
        }

        Received.Consume(frames.Consumed);
    }

    private void EndRound()
    {
        if (_atEndOfRound.Count == 0)
        {
            return;
        }

        foreach (IRoundListener listener in _atEndOfRound)
        {
            listener.RoundEnded();
        }

        _atEndOfRound.Clear();
    }
}
