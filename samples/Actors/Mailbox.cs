using System.Diagnostics.CodeAnalysis;

namespace Actors;

/// <summary>
/// A queue that any thread adds to and one loop empties, all that is there at once: it takes the lock once for a batch, and is woken once
/// for many messages. The messages of an actor wait in one, and those for another node.
/// </summary>
/// <param name="room">The number of messages from which on <see cref="AddAsync(T)"/> waits.</param>
internal sealed class Mailbox<T>(int room)
{
    private readonly Lock _lock = new();
    private T[] _added = new T[16];
    private int _count;
    private T[] _taken = new T[16];
    private int _takenCount;
    private TaskCompletionSource? _filled;
    private TaskCompletionSource? _emptied;

    /// <summary>Adds a message, however many there are: an actor must not wait for another one, which may wait for it.</summary>
    public void Add(T message) => TryAdd(new ReadOnlySpan<T>(in message), int.MaxValue);

    /// <summary>Adds a message as soon as there is room.</summary>
    public ValueTask AddAsync(T message) =>
        TryAdd(new ReadOnlySpan<T>(in message), room) is { } emptied ? AddLaterAsync(message, emptied) : default;

    /// <summary>Adds messages as soon as there is room for one.</summary>
    public ValueTask AddAsync(ReadOnlyMemory<T> messages) =>
        TryAdd(messages.Span, room) is { } emptied ? AddLaterAsync(messages, emptied) : default;

    /// <summary>Waits for messages, and takes all that are there. They are valid until the next call.</summary>
    public async ValueTask<ArraySegment<T>> TakeAllAsync(CancellationToken cancellationToken = default)
    {
        while (!TrySwap(out Task? filled))
        {
            await filled.WaitAsync(cancellationToken);
        }

        return new ArraySegment<T>(_taken, 0, _takenCount);
    }

    private async ValueTask AddLaterAsync(T message, Task emptied)
    {
        await emptied;
        await AddAsync(message);
    }

    private async ValueTask AddLaterAsync(ReadOnlyMemory<T> messages, Task emptied)
    {
        await emptied;
        await AddAsync(messages);
    }

    // Returns null when they have been added, and otherwise what to wait for.
    private Task? TryAdd(ReadOnlySpan<T> messages, int fullCount)
    {
        TaskCompletionSource? filled;
        lock (_lock)
        {
            if (_count >= fullCount)
            {
                return (_emptied ??= NewSignal()).Task;
            }

            if (_added.Length - _count < messages.Length)
            {
                Array.Resize(ref _added, Math.Max(_added.Length * 2, _count + messages.Length));
            }

            messages.CopyTo(_added.AsSpan(_count));
            _count += messages.Length;
            (filled, _filled) = (_filled, null);
        }

        filled?.SetResult();
        return null;
    }

    private bool TrySwap([NotNullWhen(false)] out Task? filled)
    {
        Array.Clear(_taken, 0, _takenCount);
        TaskCompletionSource? emptied;
        lock (_lock)
        {
            (_added, _taken) = (_taken, _added);
            (_count, _takenCount) = (0, _count);
            (emptied, _emptied) = (_emptied, null);
            filled = _takenCount > 0 ? null : (_filled ??= NewSignal()).Task;
        }

        emptied?.SetResult();
        return filled is null;
    }

    // Whoever sets one goes on, and does not run what has waited for it.
    private static TaskCompletionSource NewSignal() => new(TaskCreationOptions.RunContinuationsAsynchronously);
}
