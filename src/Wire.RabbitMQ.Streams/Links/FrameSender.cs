using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using Wire.Amqp;
using Wire.RabbitMQ.Streams.Protocol;
using Wire.Transport.Sockets;
using Wire.Transport.Threads;

namespace Wire.RabbitMQ.Streams.Links;

/// <summary>
/// Sends commands and the frames of publishers on a link, in turn, on its own thread. Bytes that gather during a send go with the next one.
/// </summary>
/// <param name="socket">The socket to send on.</param>
/// <param name="name">The name of the thread.</param>
/// <param name="sent">Called after each send.</param>
/// <param name="failed">Called once when a send has failed; nothing is sent any more.</param>
[SuppressMessage("Design", "CA1001", Justification = "It disposes of its buffers when it ends.")]
internal sealed class FrameSender(LinkSocket socket, string name, Action sent, Action<Exception> failed) : IThreadPoolWorkItem
{
    private readonly Lock _gate = new();
    private readonly WorkerThread _thread = new(name);
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);

    // The queue of publishers with frames, each at most once.
    private readonly Queue<ILinkPublisher> _waiting = [];
    private readonly HashSet<ILinkPublisher> _queued = [];

    // The registered publishers, and the actions to run when a publisher's frames have been sent.
    private readonly HashSet<ILinkPublisher> _attached = [];
    private readonly List<Action> _afterwards = [];
    private ILinkPublisher? _current;
    private AmqpBuffer _commands = new();

    // The bytes that are being sent; used by the thread.
    private AmqpBuffer _sending = new();
    private bool _isRunning;
    private bool _isClosed;

    // The start of the current send in milliseconds of the system's clock; 0 for none.
    private long _sendingSince;

    /// <summary>
    /// Gets the duration of the current send: a long one means that the other side reads nothing. Zero for none.
    /// </summary>
    public TimeSpan Sending =>
        Volatile.Read(ref _sendingSince) is not 0 and long since
            ? TimeSpan.FromMilliseconds(Environment.TickCount64 - since)
            : TimeSpan.Zero;

    /// <summary>Sends a command when it is its turn. Does nothing when the link has ended.</summary>
    public void Post<TCommand>(TCommand command)
        where TCommand : struct, ICommand<TCommand> => Post(command, static (output, command) => StreamFrames.Write(output, command));

    /// <summary>Sends the whole frames that a callback writes into the buffer.</summary>
    public void Post<TState>(TState state, Action<AmqpBuffer, TState> write)
    {
        lock (_gate)
        {
            if (!_isClosed)
            {
                write(_commands, state);
                WakeThread();
            }
        }
    }

    /// <summary>Adds a publisher to ask for frames.</summary>
    public void Attach(ILinkPublisher publisher)
    {
        lock (_gate)
        {
            _attached.Add(publisher);
        }
    }

    /// <summary>Removes a publisher.</summary>
    /// <param name="publisher">The publisher.</param>
    /// <param name="then">Called when none of its frames are being sent: at once, or by the sending thread. Must not block.</param>
    public void Detach(ILinkPublisher publisher, Action then)
    {
        lock (_gate)
        {
            _attached.Remove(publisher);
            if (ReferenceEquals(_current, publisher))
            {
                _afterwards.Add(then);
                return;
            }
        }

        then();
    }

    /// <summary>Queues a publisher, if it is registered and not queued already, to be asked for its frames.</summary>
    public void Wake(ILinkPublisher publisher)
    {
        lock (_gate)
        {
            if (!_isClosed && _attached.Contains(publisher) && _queued.Add(publisher))
            {
                _waiting.Enqueue(publisher);
                WakeThread();
            }
        }
    }

    /// <summary>Stops sending, and lets the thread end. A send under way ends with the socket.</summary>
    public void Close()
    {
        lock (_gate)
        {
            _isClosed = true;
            WakeThread();
        }
    }

    /// <summary>Waits until the thread has ended, unless it is the caller's: after that no publisher is asked.</summary>
    public void Join()
    {
        if (!_thread.IsCurrent)
        {
            _ended.Task.Wait();
        }
    }

    // Sends everything that is queued.
    void IThreadPoolWorkItem.Execute()
    {
        bool isClosed;
        try
        {
            while (TryNext(out ILinkPublisher? publisher, out isClosed))
            {
                if (_sending.Length > 0)
                {
                    Send(_sending.Written);
                    _sending.Clear();
                }

                if (publisher is not null && publisher.TryTake(out ReadOnlyMemory<byte> frame))
                {
                    Send(new ReadOnlySequence<byte>(frame));

                    // At the end of the queue, so that others have their turn.
                    Wake(publisher);
                }

                EndTurn();
            }
        }
        catch (Exception e)
        {
            isClosed = true;
            Close();
            failed(e);
        }

        if (isClosed)
        {
            Shutdown();
        }
    }

    private void Send(ReadOnlySequence<byte> bytes)
    {
        Volatile.Write(ref _sendingSince, Environment.TickCount64);
        socket.Send(bytes);
        Volatile.Write(ref _sendingSince, 0);
        sent();
    }

    private void WakeThread()
    {
        if (!_isRunning)
        {
            _isRunning = true;
            _thread.Run(this, mayWait: true);
        }
    }

    private void EndTurn()
    {
        Action[] afterwards;
        lock (_gate)
        {
            _current = null;
            if (_afterwards.Count == 0)
            {
                return;
            }

            afterwards = [.. _afterwards];
            _afterwards.Clear();
        }

        foreach (Action then in afterwards)
        {
            then();
        }
    }

    private void Shutdown()
    {
        lock (_gate)
        {
            _commands.Dispose();
            _waiting.Clear();
            _queued.Clear();
            _attached.Clear();
        }

        _sending.Dispose();
        EndTurn();
        _thread.Close();
        _ended.SetResult();
    }

    // Takes the queued commands, by exchanging their buffer for the sent one, and the next waiting publisher.
    private bool TryNext(out ILinkPublisher? publisher, out bool isClosed)
    {
        lock (_gate)
        {
            publisher = null;
            isClosed = _isClosed;
            _isRunning = isClosed || _commands.Length > 0 || _waiting.Count > 0;
            if (isClosed || !_isRunning)
            {
                return false;
            }

            (_sending, _commands) = (_commands, _sending);
            if (_waiting.TryDequeue(out publisher))
            {
                // From now on it can be queued again, for frames that it gets after it has been asked.
                _queued.Remove(publisher);
                publisher = _attached.Contains(publisher) ? publisher : null;
            }

            _current = publisher;
            return true;
        }
    }
}
