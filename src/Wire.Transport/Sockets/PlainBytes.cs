using System.Buffers;
using System.Net.Sockets;
using System.Runtime.InteropServices;
using System.Threading.Tasks.Sources;
using Wire.Transport.Threads;

namespace Wire.Transport.Sockets;

/// <summary>
/// Sends segments from where they lie, several with one call of the system, and receives to where they are read. A thread that has to wait
/// does so in the system, on its own thread: the runtime's way, a thread that is woken to wake another of the pool, costs more than many
/// messages do.
/// </summary>
internal sealed class PlainBytes : ILinkBytes, IValueTaskSource, IThreadPoolWorkItem
{
    // For more segments the runtime allocates their descriptors.
    private const int MaxSegments = 8;

    private readonly Socket _socket;
    private readonly List<ArraySegment<byte>> _batch = new(MaxSegments);

    // The bytes that the socket did not accept at once, for the thread that waits for it.
    private readonly WorkerThread _waiter = new("Wire, what waits to be sent");
    private ManualResetValueTaskSourceCore<bool> _sent;
    private ReadOnlySequence<byte> _rest;

    public PlainBytes(Socket socket)
    {
        _socket = socket;
        _socket.Blocking = false;
    }

    public bool ReceivesOnThread => true;

    public ValueTask<int> ReceiveAsync(Memory<byte> buffer) => TryReceive(buffer, out int count)
        ? new ValueTask<int>(count)
        : new ValueTask<int>(
            Task.Factory.StartNew(() => Receive(buffer), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default));

    public int Receive(Memory<byte> buffer)
    {
        int count;
        do
        {
            _socket.Poll(Timeout.Infinite, SelectMode.SelectRead);
        }
        while (!TryReceive(buffer, out count));

        return count;
    }

    public ValueTask SendAsync(ReadOnlySequence<byte> bytes)
    {
        if (TrySend(ref bytes))
        {
            return default;
        }

        _sent.Reset();
        _rest = bytes;
        ObjectDisposedException.ThrowIf(!_waiter.TryRun(this, mayWait: true), this);
        return new ValueTask(this, _sent.Version);
    }

    public void Send(ReadOnlySequence<byte> bytes)
    {
        while (!TrySend(ref bytes))
        {
            _socket.Poll(Timeout.Infinite, SelectMode.SelectWrite);
        }
    }

    public void Abort() => _waiter.Close();

    public void Dispose()
    {
        _socket.Dispose();
        Abort();
    }

    void IThreadPoolWorkItem.Execute()
    {
        ReadOnlySequence<byte> rest = _rest;
        _rest = default;
        try
        {
            Send(rest);
        }
        catch (Exception e)
        {
            _sent.SetException(e);
            return;
        }

        // Continuations run on this thread, and may hand over the next rest.
        _sent.SetResult(true);
    }

    void IValueTaskSource.GetResult(short token) => _sent.GetResult(token);

    ValueTaskSourceStatus IValueTaskSource.GetStatus(short token) => _sent.GetStatus(token);

    void IValueTaskSource.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _sent.OnCompleted(continuation, state, token, flags);

    private static bool IsTaken(SocketError error) => error switch
    {
        SocketError.Success => true,
        SocketError.WouldBlock or SocketError.IOPending => false,
        _ => throw new SocketException((int)error),
    };

    private bool TryReceive(Memory<byte> buffer, out int count)
    {
        count = _socket.Receive(buffer.Span, SocketFlags.None, out SocketError error);
        return IsTaken(error);
    }

    // False when the socket currently accepts no more: the rest stays in the sequence.
    private bool TrySend(ref ReadOnlySequence<byte> bytes)
    {
        while (!bytes.IsEmpty)
        {
            SocketError error;
            int sent = IsBatch(bytes)
                ? _socket.Send(_batch, SocketFlags.None, out error)
                : _socket.Send(First(bytes).Span, SocketFlags.None, out error);
            if (!IsTaken(error))
            {
                return false;
            }

            bytes = bytes.Slice(sent);
        }

        return true;
    }

    // True if several segments can be sent together, in a batch. Memory without an array is sent alone.
    private bool IsBatch(in ReadOnlySequence<byte> bytes)
    {
        _batch.Clear();
        if (bytes.IsSingleSegment)
        {
            return false;
        }

        foreach (ReadOnlyMemory<byte> memory in bytes)
        {
            if (memory.IsEmpty)
            {
                continue;
            }

            if (_batch.Count == MaxSegments || !MemoryMarshal.TryGetArray(memory, out ArraySegment<byte> segment))
            {
                break;
            }

            _batch.Add(segment);
        }

        return _batch.Count > 1;
    }

    // The first segment that has bytes: there is one.
    private static ReadOnlyMemory<byte> First(in ReadOnlySequence<byte> bytes)
    {
        SequencePosition next = bytes.Start;
        ReadOnlyMemory<byte> first;
        while (bytes.TryGet(ref next, out first) && first.IsEmpty)
        {
        }

        return first;
    }
}
