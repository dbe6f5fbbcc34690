namespace Wire.RabbitMQ;

public sealed partial class WireConsumer
{
    /// <summary>
    /// Adds a handler of requests: what it returns is sent to who asked, over the address in <see cref="MessageContext.ReplyTo"/>, and then the request is
    /// acknowledged. It finds its requests as <see cref="Handle{T}(Func{T, MessageContext, Task})"/> says.
    /// </summary>
    /// <remarks>
    /// When the handler fails as often as <see cref="WireConsumerOptions.Retry"/> allows, who asked is told the type and the words of the exception,
    /// and gets a <see cref="RequestFailedException"/>; the request then has been dealt with, and goes nowhere else. A request that nobody waits
    /// for any more is handled all the same when it has not expired; its reply is dropped by the broker. What asks for no reply is a failure as others are. Of a request that does not decode, or that no handler is for, who asked is
    /// told as well.
    /// </remarks>
    /// <typeparam name="TRequest">The type of requests. It may be named by payloads from now on; what derives from it has to be allowed by the serializer's filter.</typeparam>
    /// <typeparam name="TReply">The type of replies.</typeparam>
    /// <param name="handler">Handles a request.</param>
    /// <returns>This consumer.</returns>
    /// <exception cref="ArgumentException">There is a handler for this type already.</exception>
    /// <exception cref="InvalidOperationException">The consumer has been started.</exception>
    public WireConsumer Reply<TRequest, TReply>(Func<TRequest, MessageContext, Task<TReply>> handler)
    {
        ArgumentNullException.ThrowIfNull(handler);
        _isResponder = true;
        return Handle(typeof(TRequest), async (request, context) =>
        {
            if (string.IsNullOrEmpty(context.ReplyTo))
            {
                throw new InvalidOperationException($"The message is no request: it names no address for a reply, and its handler replies. Send it with {nameof(WireRequester)}, or handle it with Handle<T>.");
            }

            try
            {
                await _replies.SendAsync(context, await handler((TRequest)request, context).ConfigureAwait(false), null).ConfigureAwait(false);
            }
            catch (Exception e) when (IsLastAttempt(context, e))
            {
                // Also a reply that cannot be serialized. Where it is the broker that does not take replies, this one fails as well, and so does the request.
                RequestLog.HandlerFailed(_logger, _options.Queue, context.MessageId, context.Attempt, e);
                await _replies.SendAsync<object?>(context, null, ReplyHeaders.Of(e, _source.Connection.FrameMax)).ConfigureAwait(false);
            }
        });
    }

    // One that is cut short by the end of the consumer goes back, for another to handle.
    private bool IsLastAttempt(MessageContext context, Exception exception) =>
        !context.CancellationToken.IsCancellationRequested
        && _options.Retry.IsLast(context.Attempt, ref exception);
}
