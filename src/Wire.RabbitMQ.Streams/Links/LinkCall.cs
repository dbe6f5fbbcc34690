using Wire.RabbitMQ.Streams.Protocol;

namespace Wire.RabbitMQ.Streams.Links;

/// <summary>A request that the broker answers.</summary>
internal abstract class LinkCall
{
    /// <summary>Takes the answer.</summary>
    /// <param name="code">The broker's code.</param>
    /// <param name="fields">The fields of the answer.</param>
    /// <param name="offset">Their offset, for messages.</param>
    public abstract void Complete(StreamResponseCode code, ReadOnlySpan<byte> fields, long offset);

    /// <summary>Fails the call: there will be no answer.</summary>
    public abstract void Fail(Exception error);
}

/// <summary>A request with a result in addition to the code, which is present if the code is Ok.</summary>
/// <param name="answered">
/// Called on the receive loop with the code, before any later frame of the broker; may be null.
/// </param>
internal sealed class LinkCall<TResponse>(Action<StreamResponseCode>? answered) : LinkCall
    where TResponse : struct, IFieldGroup<TResponse>
{
    private readonly TaskCompletionSource<(StreamResponseCode Code, TResponse Response)> _result =
        new(TaskCreationOptions.RunContinuationsAsynchronously);

    public Task<(StreamResponseCode Code, TResponse Response)> Result => _result.Task;

    public override void Complete(StreamResponseCode code, ReadOnlySpan<byte> fields, long offset)
    {
        TResponse response = code == StreamResponseCode.Ok ? StreamFrames.Read<TResponse>(fields, offset) : default;
        answered?.Invoke(code);
        _result.TrySetResult((code, response));
    }

    public override void Fail(Exception error) => _result.TrySetException(error);
}
