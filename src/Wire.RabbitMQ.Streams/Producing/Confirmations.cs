using Wire.Transport.Threads;

namespace Wire.RabbitMQ.Streams.Producing;

/// <summary>Calls a callback with the results of messages: in ranges, sequentially, and outside of all locks.</summary>
internal sealed class Confirmations(string stream, Action<StreamConfirmation> told, WorkerThread thread, Action<Exception> failed)
    : IThreadPoolWorkItem
{
    private readonly Lock _gate = new();
    private List<StreamConfirmation> _waiting = [];
    private List<StreamConfirmation> _telling = [];
    private bool _isRunning;
    private TaskCompletionSource? _idle;

    /// <summary>Ends when all results have been reported.</summary>
    public Task WaitAsync()
    {
        lock (_gate)
        {
            return _isRunning
                ? (_idle ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)).Task
                : Task.CompletedTask;
        }
    }

    /// <summary>Adds a range, and joins it with the last one if they are adjacent.</summary>
    public void Add(ulong first, ulong last, StreamResponseCode? code)
    {
        lock (_gate)
        {
            if (_waiting is [.., var before] && before.Code == code && before.Last + 1 == first)
            {
                _waiting[^1] = before with { Last = last };
            }
            else
            {
                _waiting.Add(new StreamConfirmation(stream, first, last, code));
            }
        }
    }

    /// <summary>Schedules the callback if there are results.</summary>
    public void ScheduleCallback()
    {
        lock (_gate)
        {
            if (_isRunning || _waiting.Count == 0)
            {
                return;
            }

            _isRunning = true;
        }

        thread.Run(this);
    }

    void IThreadPoolWorkItem.Execute()
    {
        while (true)
        {
            lock (_gate)
            {
                _telling.Clear();
                if (_waiting.Count == 0)
                {
                    _isRunning = false;
                    _idle?.SetResult();
                    _idle = null;
                    return;
                }

                (_telling, _waiting) = (_waiting, _telling);
            }

            foreach (StreamConfirmation confirmation in _telling)
            {
                try
                {
                    told(confirmation);
                }
                catch (Exception e)
                {
                    failed(e);
                }
            }
        }
    }
}
