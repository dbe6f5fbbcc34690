using System.Runtime.CompilerServices;

namespace Wire.Transport.Threads;

/// <content>Where items run: one after the other on the thread that is there for them, or on the pool.</content>
internal sealed partial class Dispatcher<T>
{
    /// <summary>Begins one item after the other, on the thread that is there for it.</summary>
    private sealed class Starter(Dispatcher<T> dispatcher) : IThreadPoolWorkItem
    {
        public void Execute()
        {
            Runner? ended = null;
            while (true)
            {
                TaskCompletionSource? drained;
                Runner? next = null;
                lock (dispatcher._gate)
                {
                    drained = ended is null ? null : dispatcher.Free(ended);
                    if (dispatcher.MayBegin)
                    {
                        next = dispatcher.TakeRunner();
                        dispatcher.NoteBegun();
                    }
                    else
                    {
                        dispatcher._isBeginning = false;
                    }
                }

                drained?.TrySetResult();
                if (next is null)
                {
                    return;
                }

                ended = next.TryRun() ? next : null;
            }
        }
    }

    /// <summary>A runner of one handler at a time.</summary>
    private sealed class Runner : IThreadPoolWorkItem
    {
        private readonly Dispatcher<T> _dispatcher;
        private readonly Action _endedLater;
        private ConfiguredValueTaskAwaitable.ConfiguredValueTaskAwaiter _awaiter;
        private bool _isHere;

        public Runner(Dispatcher<T> dispatcher)
        {
            _dispatcher = dispatcher;
            _endedLater = EndedLater;
        }

        public T Item { get; set; } = default!;

        /// <summary>Runs the item; false when it ends later, and then nothing of this may be used any more.</summary>
        public bool TryRun()
        {
            // As it is on a thread on which nothing runs, whatever an item before has left.
            ExecutionContext.Run(ExecutionContext.Capture()!, static runner => ((Runner)runner!).RunHandlers(), this);
            if (_isHere)
            {
                return true;
            }

            // Last: from here on it may run elsewhere.
            _awaiter.UnsafeOnCompleted(_endedLater);
            return false;
        }

        /// <summary>Runs on the pool, while an item occupies the thread.</summary>
        public void Execute()
        {
            for (int begun = 1; TryRun(); begun++)
            {
                TaskCompletionSource? drained;
                bool goesOn;
                lock (_dispatcher._gate)
                {
                    drained = _dispatcher.Free(this);
                    goesOn = begun < MostInARow && _dispatcher.MayBegin && _dispatcher.TakeRunner() == this;
                }

                drained?.TrySetResult();
                if (!goesOn)
                {
                    IThreadPoolWorkItem? next;
                    lock (_dispatcher._gate)
                    {
                        next = _dispatcher.Next();
                    }

                    _dispatcher.QueueWork(next);
                    return;
                }
            }
        }

        private void RunHandlers()
        {
            try
            {
                Await(_dispatcher._run(Item));
            }
            catch (Exception e) when (_dispatcher._ended is not null)
            {
                _isHere = true;
                _dispatcher._ended(Item, e);
                return;
            }

            if (_isHere)
            {
                FinishHandler();
            }
        }

        private void Await(ValueTask running)
        {
            _awaiter = running.ConfigureAwait(false).GetAwaiter();
            _isHere = _awaiter.IsCompleted;
        }

        private void EndedLater()
        {
            FinishHandler();
            _dispatcher.RunnerEnded(this);
        }

        private void FinishHandler()
        {
            ConfiguredValueTaskAwaitable.ConfiguredValueTaskAwaiter awaiter = _awaiter;
            _awaiter = default;
            Exception? error = null;
            try
            {
                awaiter.GetResult();
            }
            catch (Exception e) when (_dispatcher._ended is not null)
            {
                error = e;
            }

            _dispatcher._ended?.Invoke(Item, error);
        }
    }
}
