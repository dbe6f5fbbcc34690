using System.Buffers;
using System.Runtime.CompilerServices;
using Wire.Amqp.Primitives;
using Wire.Transport.Sockets;
using Wire.Transport.Threads;

namespace Wire.Amqp.Client.Publishing;

/// <summary>
/// Sends the contents of the send queues of a link, one round after the other. A round is one buffer of each queue that is not empty, so
/// that the queues share the link by bytes. One thread writes at a time: a thread of the link, or a publisher.
/// </summary>
/// <param name="socket">The socket to send to.</param>
/// <param name="failed">Called once when the socket fails.</param>
/// <param name="hasSent">Called after each round.</param>
internal sealed class LinkWriter(LinkSocket socket, Action<Exception> failed, Action hasSent) : IThreadPoolWorkItem
{
    // The most channels in one send, and the most empty buffers that are kept.
    private const int MostOfRound = 64;
    private const int CleanBuffers = 64;

    // The most of these that keep the size to which they have grown.
    private const int LargeBuffers = 4;

    private readonly Lock _gate = new();
    private readonly Queue<SendQueue> _queue = new();
    private readonly Stack<AmqpBuffer> _clean = new();

    // For publishers that do not send themselves.
    private readonly WorkerThread _thread = new($"AMQP {socket.Endpoint}, writer");
    private bool _isWriting;
    private bool _isClosed;

    // State of the round, used by the writing thread.
    private readonly List<(SendQueue SendQueue, AmqpBuffer Buffer, long Length, bool HasMore)> _round = [];
    private readonly List<MemorySegment> _chain = [];
    private long _sends;
    private Action? _continue;
    private ConfiguredValueTaskAwaitable.ConfiguredValueTaskAwaiter _sending;

    /// <summary>Gets how often something has been sent.</summary>
    public long Sends => Volatile.Read(ref _sends);

    /// <summary>Gets an empty buffer.</summary>
    public AmqpBuffer Rent()
    {
        lock (_gate)
        {
            return _clean.TryPop(out AmqpBuffer? buffer) ? buffer : new AmqpBuffer();
        }
    }

    /// <summary>Takes a used buffer back.</summary>
    public void Return(AmqpBuffer? buffer)
    {
        if (buffer is null)
        {
            return;
        }

        buffer.Clear();
        lock (_gate)
        {
            if (_clean.Count < CleanBuffers && !_isClosed)
            {
                if (_clean.Count >= LargeBuffers)
                {
                    buffer.Trim();
                }

                _clean.Push(buffer);
                return;
            }
        }

        buffer.Dispose();
    }

    /// <summary>Sends what a send queue has: soon, on the thread of the link.</summary>
    public void Signal(SendQueue sendQueue)
    {
        if (Enqueue(sendQueue))
        {
            Wake();
        }
    }

    /// <summary>Sends the contents of a send queue: on this thread if no other is writing, until everything has been sent.</summary>
    public void SignalInline(SendQueue sendQueue, long position)
    {
        if (Enqueue(sendQueue))
        {
            Write(sendQueue, position);
        }
    }

    /// <summary>Stops sending, and returns its memory.</summary>
    public void Close()
    {
        lock (_gate)
        {
            _isClosed = true;
            _queue.Clear();
            while (_clean.TryPop(out AmqpBuffer? buffer))
            {
                buffer.Dispose();
            }
        }

        _thread.Close();
    }

    void IThreadPoolWorkItem.Execute() => Write(null, 0);

    // The caller has set the writing flag, so that only the thread writes. Where it has been closed there is nothing to write
    // any more: the send queues have completed their waiters.
    private void Wake() => _ = _thread.TryRun(this, mayWait: true);

    // Returns true if the caller must write.
    private bool Enqueue(SendQueue sendQueue)
    {
        lock (_gate)
        {
            if (_isClosed)
            {
                return false;
            }

            _queue.Enqueue(sendQueue);
            return !_isWriting && (_isWriting = true);
        }
    }

    // As far as possible on this thread. If the socket currently accepts no more, it continues later.
    private void Write(SendQueue? until, long position)
    {
        try
        {
            while (TryTakeRound())
            {
                if (!IsDoneNow(socket.SendAsync(Chain())))
                {
                    return;
                }

                EndRound();
                if (until is not null && until.HasSent(position))
                {
                    // The rest belongs to others.
                    if (!IsDone())
                    {
                        Wake();
                    }

                    return;
                }
            }
        }
        catch (Exception e)
        {
            Fail(e);
        }
    }

    // Otherwise it continues when the socket has taken the bytes: not in the context of an inline writer, where nothing may run while
    // someone waits there. An async method would allocate for each such wait.
    private bool IsDoneNow(ValueTask send)
    {
        _sending = send.ConfigureAwait(false).GetAwaiter();
        if (!_sending.IsCompleted)
        {
            _sending.UnsafeOnCompleted(_continue ??= Continue);
            return false;
        }

        _sending.GetResult();
        return true;
    }

    private void Continue()
    {
        try
        {
            _sending.GetResult();
            EndRound();
        }
        catch (Exception e)
        {
            Fail(e);
            return;
        }

        Write(null, 0);
    }

    private bool IsDone()
    {
        lock (_gate)
        {
            return _queue.Count == 0 && !(_isWriting = false);
        }
    }

    private bool TryTakeRound()
    {
        while (true)
        {
            SendQueue? sendQueue;
            lock (_gate)
            {
                if (_round.Count == MostOfRound || !_queue.TryDequeue(out sendQueue))
                {
                    if (_round.Count > 0)
                    {
                        return true;
                    }

                    _isWriting = false;
                    return false;
                }
            }

            if (sendQueue.Dequeue(out bool more) is { } buffer)
            {
                _round.Add((sendQueue, buffer, buffer.Length, more));
            }
        }
    }

    // The buffers of a round as one sequence.
    private ReadOnlySequence<byte> Chain()
    {
        if (_round.Count == 1)
        {
            return _round[0].Buffer.Written;
        }

        int count = 0;
        foreach ((_, AmqpBuffer buffer, _, _) in _round)
        {
            foreach (ReadOnlyMemory<byte> part in buffer.Written)
            {
                if (part.IsEmpty)
                {
                    continue;
                }

                if (count == _chain.Count)
                {
                    _chain.Add(new MemorySegment());
                }

                _chain[count].Append(part, count == 0 ? null : _chain[count - 1]);
                count++;
            }
        }

        return count == 0 ? default : new ReadOnlySequence<byte>(_chain[0], 0, _chain[count - 1], _chain[count - 1].Memory.Length);
    }

    private void EndRound()
    {
        Volatile.Write(ref _sends, _sends + 1);
        hasSent();
        ReleaseChain();
        foreach ((SendQueue sendQueue, AmqpBuffer buffer, long length, bool hasMore) in _round)
        {
            if (hasMore)
            {
                // After all others.
                Enqueue(sendQueue);
            }

            // First, so that no task ends while its memory is still in use here.
            Return(buffer);
            sendQueue.Sent(length);
        }

        _round.Clear();
    }

    private void Fail(Exception error)
    {
        // Still "writing", so that no other thread begins. This closes the remaining send queues.
        failed(error);
        ReleaseChain();
        foreach ((SendQueue sendQueue, AmqpBuffer buffer, _, _) in _round)
        {
            buffer.Dispose();
            sendQueue.Dropped();
        }

        _round.Clear();
    }

    // Unused entries keep no references.
    private void ReleaseChain()
    {
        for (int i = 0; i < _chain.Count && !_chain[i].Memory.IsEmpty; i++)
        {
            _chain[i].Append(default, null);
        }
    }
}
