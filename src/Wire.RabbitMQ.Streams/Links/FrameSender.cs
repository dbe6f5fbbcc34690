using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using Wire.Amqp;
using Wire.RabbitMQ.Streams.Protocol;
using Wire.Transport.Sockets;

namespace Wire.RabbitMQ.Streams.Links;

/// <summary>
/// Sends what is to be sent on a link, on a thread of its own: commands, and the frames of those that have some, in turn. What gathers while it sends goes
/// with the next send.
/// </summary>
[SuppressMessage("Design", "CA1001", Justification = "Its thread disposes of the buffers when it ends.")]
internal sealed class FrameSender
{
    private readonly object _gate = new();
    private readonly LinkSocket _socket;
    private readonly Action _sent;
    private readonly Action<Exception> _failed;
    private readonly Thread _thread;

    // Those that have frames, in the order in which they are asked, each once.
    private readonly Queue<ILinkPublisher> _waiting = [];
    private readonly HashSet<ILinkPublisher> _queued = [];

    // Those that may be asked. What is done when one that is being sent is so no more.
    private readonly HashSet<ILinkPublisher> _attached = [];
    private readonly List<Action> _afterwards = [];
    private ILinkPublisher? _current;
    private AmqpBuffer _commands = new();
    private bool _isIdle;
    private bool _isClosed;

    /// <param name="socket">What is sent on.</param>
    /// <param name="name">The name of the thread.</param>
    /// <param name="sent">Called after each send.</param>
    /// <param name="failed">Called once when a send has failed; nothing is sent any more.</param>
    public FrameSender(LinkSocket socket, string name, Action sent, Action<Exception> failed)
    {
        _socket = socket;
        _sent = sent;
        _failed = failed;
        _thread = new Thread(Run) { IsBackground = true, Name = name };
    }

    /// <summary>Begins to send.</summary>
    public void Start() => _thread.UnsafeStart();

    /// <summary>Sends a command when it is its turn. Does nothing when the link has ended.</summary>
    public void Post<TCommand>(TCommand command)
        where TCommand : struct, ICommand<TCommand> => Post(command, static (output, command) => StreamFrames.Write(output, command));

    /// <summary>Sends what is written into the buffer: whole frames.</summary>
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

    /// <summary>From now on a publisher may be asked.</summary>
    public void Attach(ILinkPublisher publisher)
    {
        lock (_gate)
        {
            _attached.Add(publisher);
        }
    }

    /// <summary>From now on a publisher is not asked any more.</summary>
    /// <param name="publisher">The publisher.</param>
    /// <param name="then">Called when nothing of it is being sent either: at once, or by the thread that sends. Must not block.</param>
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

    /// <summary>Asks a publisher for its frames when it is its turn, if it may be asked. It may be one that waits already.</summary>
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

    /// <summary>Sends nothing any more, and lets the thread end. What it is sending ends with the socket.</summary>
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
        if (Thread.CurrentThread != _thread)
        {
            _thread.Join();
        }
    }

    private void WakeThread()
    {
        if (_isIdle)
        {
            _isIdle = false;
            Monitor.Pulse(_gate);
        }
    }

    private void Run()
    {
        var sending = new AmqpBuffer();
        try
        {
            while (TryNext(ref sending, out ILinkPublisher? publisher))
            {
                if (sending.Length > 0)
                {
                    _socket.Send(sending.Written);
                    sending.Clear();
                    _sent();
                }

                if (publisher is not null && publisher.TryTake(out ReadOnlyMemory<byte> frame))
                {
                    _socket.Send(new ReadOnlySequence<byte>(frame));
                    _sent();

                    // At the end of the row, so that others have their turn.
                    Wake(publisher);
                }

                EndTurn();
            }
        }
        catch (Exception e)
        {
            Close();
            _failed(e);
        }
        finally
        {
            sending.Dispose();
            lock (_gate)
            {
                _commands.Dispose();
                _waiting.Clear();
                _queued.Clear();
                _attached.Clear();
            }

            EndTurn();
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

    // Waits for something. The buffer that is handed over is empty, and is exchanged for the one with the commands.
    private bool TryNext(ref AmqpBuffer sending, out ILinkPublisher? publisher)
    {
        lock (_gate)
        {
            while (!_isClosed && _commands.Length == 0 && _waiting.Count == 0)
            {
                _isIdle = true;
                Monitor.Wait(_gate);
            }

            (sending, _commands) = (_commands, sending);
            if (_waiting.TryDequeue(out publisher))
            {
                // From now on it may come again: what it gets after it has been asked is asked for anew.
                _queued.Remove(publisher);
                publisher = _attached.Contains(publisher) ? publisher : null;
            }

            _current = publisher;
            return !_isClosed;
        }
    }
}
