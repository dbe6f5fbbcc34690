using System.Buffers;
using System.Net.Sockets;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Threading.Tasks.Sources;

namespace Wire.Amqp.Transport;

/// <summary>Sends segments from where they lie, several with one call of the system.</summary>
internal sealed class PlainBytes(Socket socket) : ILinkBytes
{
    // For more the runtime allocates what it describes them to the system with.
    private const int MaxSegments = 8;

    private readonly List<ArraySegment<byte>> _batch = new(MaxSegments);
    private readonly VectoredSend _vectored = new();

    public ValueTask<int> ReceiveAsync(Memory<byte> buffer) => socket.ReceiveAsync(buffer, SocketFlags.None);

    public bool ReceivesOnThread => true;

    public int Receive(Memory<byte> buffer)
    {
        while (true)
        {
            // The system wakes this thread; to receive where nothing is there, on a socket that is not blocking, wakes the runtime's first.
            socket.Poll(Timeout.Infinite, SelectMode.SelectRead);
            int count = socket.Receive(buffer.Span, SocketFlags.None, out SocketError error);
            if (error == SocketError.Success)
            {
                return count;
            }

            if (error is not (SocketError.WouldBlock or SocketError.IOPending))
            {
                throw new SocketException((int)error);
            }
        }
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    public async ValueTask SendAsync(ReadOnlySequence<byte> bytes)
    {
        while (!bytes.IsEmpty)
        {
            int sent = IsBatch(bytes)
                ? await _vectored.SendAsync(socket, _batch).ConfigureAwait(false)
                : await socket.SendAsync(First(bytes), SocketFlags.None).ConfigureAwait(false);
            bytes = bytes.Slice(sent);
        }
    }

    public void Send(ReadOnlySequence<byte> bytes)
    {
        while (!bytes.IsEmpty)
        {
            int sent = IsBatch(bytes) ? socket.Send(_batch, SocketFlags.None) : socket.Send(First(bytes).Span, SocketFlags.None);
            bytes = bytes.Slice(sent);
        }
    }

    public void Dispose()
    {
        _vectored.Dispose();
        socket.Dispose();
    }

    // Whether more than one segment can be sent together: those are in the batch then. Memory that is no array goes alone.
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

    /// <summary>One vectored send after the other, awaited without a task.</summary>
    private sealed class VectoredSend : SocketAsyncEventArgs, IValueTaskSource<int>
    {
        private ManualResetValueTaskSourceCore<int> _completion;

        public VectoredSend()
            : base(true)
        {
        }

        public ValueTask<int> SendAsync(Socket socket, List<ArraySegment<byte>> segments)
        {
            _completion.Reset();
            BufferList = segments;
            if (!socket.SendAsync(this))
            {
                OnCompleted(this);
            }

            return new ValueTask<int>(this, _completion.Version);
        }

        public int GetResult(short token)
        {
            // The bytes are the caller's again: nothing here keeps them alive.
            BufferList = null;
            return _completion.GetResult(token);
        }

        public ValueTaskSourceStatus GetStatus(short token) => _completion.GetStatus(token);

        public void OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
            _completion.OnCompleted(continuation, state, token, flags);

        protected override void OnCompleted(SocketAsyncEventArgs e)
        {
            if (SocketError == SocketError.Success)
            {
                _completion.SetResult(BytesTransferred);
            }
            else
            {
                _completion.SetException(new SocketException((int)SocketError));
            }
        }
    }
}
