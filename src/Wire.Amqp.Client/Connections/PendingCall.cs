using Wire.Amqp.V091;
using Wire.Transport.Pending;

namespace Wire.Amqp.Client.Connections;

/// <summary>A method that the broker answers. Answers come in the order of the calls.</summary>
internal abstract class PendingCall
{
    /// <summary>Takes the answer; false when the method is not an answer.</summary>
    public abstract bool TryComplete(in Frame frame);

    /// <summary>Fails the call: there will be no answer.</summary>
    public abstract void Fail(Exception error);
}

/// <summary>A call with one kind of answer, of which something is read while the frame is there.</summary>
internal sealed class PendingCall<TOk, TResult>(Func<TOk, TResult> read) : PendingCall
    where TOk : struct, IMethod<TOk>
{
    private readonly TaskCompletionSource<TResult> _result = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public Task<TResult> Result => _result.Task;

    public override bool TryComplete(in Frame frame)
    {
        if (frame.MethodId != TOk.Id)
        {
            return false;
        }

        _result.TrySetResult(read(frame.ReadMethod<TOk>()));
        return true;
    }

    public override void Fail(Exception error) => _result.TryFail(error);
}

/// <summary>basic.get: a message or none.</summary>
internal sealed class GetCall(bool noAck) : PendingCall
{
    private readonly TaskCompletionSource<AmqpDelivery?> _result = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public Task<AmqpDelivery?> Result => _result.Task;

    /// <summary>Gets whether the broker takes the message for acknowledged.</summary>
    public bool NoAck => noAck;

    public override bool TryComplete(in Frame frame)
    {
        if (frame.MethodId != MethodId.BasicGetEmpty)
        {
            return false;
        }

        _result.TrySetResult(null);
        return true;
    }

    /// <summary>Called when the whole message has arrived.</summary>
    public void Complete(AmqpDelivery delivery)
    {
        if (!_result.TrySetResult(delivery))
        {
            Requeue(delivery);
        }
    }

    /// <summary>No caller waits any more: a message that arrives, or has just arrived, returns to the queue.</summary>
    public void Abandon(CancellationToken cancellationToken)
    {
        if (!_result.TrySetCanceled(cancellationToken) && Result is { IsCompletedSuccessfully: true, Result: { } delivery })
        {
            Requeue(delivery);
        }
    }

    private void Requeue(AmqpDelivery delivery)
    {
        if (!noAck)
        {
            delivery.Reject(requeue: true);
        }

        delivery.Dispose();
    }

    public override void Fail(Exception error) => _result.TryFail(error);
}
