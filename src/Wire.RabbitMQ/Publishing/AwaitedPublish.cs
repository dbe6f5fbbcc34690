using System.Runtime.CompilerServices;
using Wire.Transport.Pending;
using Wire.Transport.Threads;

namespace Wire.RabbitMQ.Publishing;

/// <summary>
/// The task of a message that is published by an async method: like any other, it may be awaited only once, and checks that.
/// </summary>
internal sealed class AwaitedPublish : PendingOperation<bool>
{
    private static readonly BoundedPool<AwaitedPublish> Pool = new();

    private readonly Action _ended;
    private TaskAwaiter _publishing;

    private AwaitedPublish() => _ended = Ended;

    /// <summary>Ends with a task.</summary>
    public static ValueTask Follow(Task publishing)
    {
        AwaitedPublish awaited = Pool.TryTake() ?? new AwaitedPublish();
        var task = new ValueTask(awaited, awaited.Token);
        awaited.StartWaiting(isContended: false, holdsBuffer: false, CancellationToken.None);
        awaited._publishing = publishing.GetAwaiter();
        awaited._publishing.UnsafeOnCompleted(awaited._ended);
        return task;
    }

    protected override void Recycle()
    {
        base.Recycle();
        Pool.PutBack(this);
    }

    private void Ended()
    {
        TaskAwaiter publishing = _publishing;
        _publishing = default;
        try
        {
            publishing.GetResult();
        }
        catch (Exception e)
        {
            Finish(e);
            return;
        }

        Finish(null);
    }
}
