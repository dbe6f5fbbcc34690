using System.Runtime.ExceptionServices;
using System.Runtime.InteropServices;
using Wire.Transport.Threads;

namespace Wire.RabbitMQ.Streams.Consuming;

/// <summary>
/// Reads the objects of one chunk after the other on several threads, ahead of the handler, which takes them in order. The thread of the
/// handler is one of them: it reads what it needs itself, unless another is at it.
/// </summary>
/// <remarks>
/// A chunk is divided into slices, which are taken in their order; who has read one says so under the gate. The memory of the messages is
/// released when the chunk has been handled, and before that <see cref="End"/> waits for whoever reads in it.
/// </remarks>
/// <param name="name">The name of the threads.</param>
/// <param name="threads">How many threads read, with that of the handler: 2 and more.</param>
internal sealed class ObjectsAhead<T>(string name, int threads) : IThreadPoolWorkItem, IDisposable
{
    // As many as are worth the gate; and some for each thread, so that none waits long for the last one.
    private const int LeastSlice = 16;
    private const int MostSlice = 128;
    private const int SlicesPerThread = 4;

    private readonly object _gate = new();
    private readonly WorkerThread[] _helpers = [.. Enumerable.Range(1, threads - 1).Select(i => new WorkerThread($"{name}, objects {i}"))];
    private ReadOnlyMemory<StreamMessage> _messages;
    private Read[] _read = [];
    private bool[] _isDone = [];
    private int _slice = 1;

    // How many slices there are, the next one to take, and those that are being read.
    private int _slices;
    private int _next;
    private int _running;

    // The message behind the last whose object was taken.
    private int _fresh;

    /// <summary>Begins to read the objects of a chunk.</summary>
    public void Begin(ReadOnlyMemory<StreamMessage> messages)
    {
        lock (_gate)
        {
            _messages = messages;
            _slice = Math.Clamp(messages.Length / (threads * SlicesPerThread), LeastSlice, MostSlice);
            _slices = (messages.Length + _slice - 1) / _slice;
            _next = 0;
            _fresh = 0;
            if (_read.Length < messages.Length)
            {
                _read = new Read[messages.Length];
            }

            if (_isDone.Length < _slices)
            {
                _isDone = new bool[_slices];
            }

            _isDone.AsSpan(0, _slices).Clear();
        }

        // One that is still at the last chunk comes by itself.
        for (int i = 0; i < Math.Min(_helpers.Length, _slices - 1); i++)
        {
            _helpers[i].TryRun(this, mayWait: true);
        }
    }

    /// <summary>
    /// Takes the object of a message, and throws what reading it has thrown; where it was taken before, and may have been changed since
    /// then, another one. By one thread at a time, in the order of the messages.
    /// </summary>
    public T? Take(int index, in StreamMessage message)
    {
        if (index < _fresh)
        {
            return message.Read<T>();
        }

        _fresh = index + 1;
        Wait(index / _slice);
        ref Read read = ref _read[index];
        read.Error?.Throw();
        return read.Value;
    }

    /// <summary>No more objects are needed: waits until nothing is being read.</summary>
    public void End()
    {
        lock (_gate)
        {
            _next = _slices;
            while (_running > 0)
            {
                Monitor.Wait(_gate);
            }

            // Objects are not kept alive.
            _read.AsSpan(0, _messages.Length).Clear();
            _messages = default;
            _slices = _next = 0;
        }
    }

    public void Dispose() => Array.ForEach(_helpers, helper => helper.Close());

    void IThreadPoolWorkItem.Execute()
    {
        while (TryTake(out int slice))
        {
            ReadSlice(slice);
        }
    }

    private void Wait(int slice)
    {
        while (!IsDone(slice, out bool isTaken))
        {
            if (!isTaken && TryTake(out int next))
            {
                ReadSlice(next);
                continue;
            }

            lock (_gate)
            {
                while (!_isDone[slice])
                {
                    Monitor.Wait(_gate);
                }
            }
        }
    }

    private bool IsDone(int slice, out bool isTaken)
    {
        isTaken = false;
        if (Volatile.Read(ref _isDone[slice]))
        {
            return true;
        }

        lock (_gate)
        {
            isTaken = slice < _next;
            return _isDone[slice];
        }
    }

    private bool TryTake(out int slice)
    {
        lock (_gate)
        {
            slice = _next;
            if (_next == _slices)
            {
                return false;
            }

            _next++;
            _running++;
            return true;
        }
    }

    private void ReadSlice(int slice)
    {
        ReadOnlySpan<StreamMessage> messages = _messages.Span;
        int end = Math.Min(messages.Length, (slice + 1) * _slice);
        for (int i = slice * _slice; i < end; i++)
        {
            try
            {
                _read[i].Value = messages[i].Read<T>();
            }
            catch (Exception e)
            {
                // It is thrown where the object is taken.
                _read[i].Error = ExceptionDispatchInfo.Capture(e);
            }
        }

        lock (_gate)
        {
            Volatile.Write(ref _isDone[slice], true);
            _running--;
            Monitor.PulseAll(_gate);
        }
    }

    // An object, or what reading it has thrown.
    [StructLayout(LayoutKind.Auto)]
    private struct Read
    {
        public T? Value;
        public ExceptionDispatchInfo? Error;
    }
}
