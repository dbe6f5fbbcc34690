using Wire.Amqp.V091;

namespace Wire.Amqp.Transport;

/// <summary>A method that the broker answers. Answers come in the order of the calls.</summary>
internal abstract class Call
{
    /// <summary>Takes the answer; false when the method is none.</summary>
    public abstract bool TryComplete(in Frame frame);

    /// <summary>There will be no answer.</summary>
    public abstract void Fail(Exception error);
}

/// <summary>A call with one kind of answer, of which something is read while the frame is there.</summary>
internal sealed class Call<TOk, TResult>(Func<TOk, TResult> read) : Call
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

    public override void Fail(Exception error) => _result.TrySetException(error);
}

/// <summary>basic.get: a message or none.</summary>
internal sealed class GetCall : Call
{
    private readonly TaskCompletionSource<AmqpDelivery?> _result = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public Task<AmqpDelivery?> Result => _result.Task;

    public override bool TryComplete(in Frame frame)
    {
        if (frame.MethodId != MethodId.BasicGetEmpty)
        {
            return false;
        }

        _result.TrySetResult(null);
        return true;
    }

    /// <summary>The message has come as a whole.</summary>
    public void Complete(AmqpDelivery delivery)
    {
        if (!_result.TrySetResult(delivery))
        {
            delivery.Dispose();
        }
    }

    public override void Fail(Exception error) => _result.TrySetException(error);
}
