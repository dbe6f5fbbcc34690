using System.Buffers;
using Wire.Amqp;
using Wire.Benchmarks.Messaging.Frames;
using Wire.Benchmarks.Messaging.Lane.Publishing;

namespace Wire.Benchmarks.Messaging.Lane.Pipes;

/// <summary>
/// Frames by hand into a buffer under a lock, and a work item that takes the whole buffer, sends it and looks again: the same division of labour as
/// with a pipe, in the shape of the direct lane. One task, one channel.
/// </summary>
internal sealed class SwapSender() : Sender("sockets: a buffer under a lock, and a work item that takes it whole and sends it"), IThreadPoolWorkItem
{
    private const int MaxWaiting = 1024 * 1024;

    private readonly Lock _lock = new();
    private AmqpBuffer _filling = new();
    private AmqpBuffer _sending = new();
    private bool _runs;
    private TaskCompletionSource? _room;
    private HandConnection? _connection;

    public override Task OpenAsync(Uri uri, int channels)
    {
        _connection = new HandConnection(uri);
        return Task.CompletedTask;
    }

    public override ValueTask SendAsync(Load load, int channel)
    {
        lock (_lock)
        {
            HandMessage.Write(_filling, load.Body);
            if (!_runs)
            {
                _runs = true;
                ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
            }

            return _filling.Length < MaxWaiting
                ? ValueTask.CompletedTask
                : new ValueTask((_room ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)).Task);
        }
    }

    public async void Execute()
    {
        while (true)
        {
            TaskCompletionSource? room;
            lock (_lock)
            {
                if (_filling.Length == 0)
                {
                    _runs = false;
                    return;
                }

                (_filling, _sending) = (_sending, _filling);
                (room, _room) = (_room, null);
            }

            room?.SetResult();
            await _connection!.SendAsync(_sending.Written);
            _sending.Clear();
        }
    }

    public override ValueTask DisposeAsync()
    {
        _connection!.Dispose();
        _filling.Dispose();
        _sending.Dispose();
        return ValueTask.CompletedTask;
    }
}
