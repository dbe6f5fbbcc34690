using Wire.Amqp.Client.Connections;
using Wire.Amqp.Client.Publishing;
using Wire.Amqp.V091;

namespace Wire.Amqp.Client.Channels;

/// <content>Requests that the broker answers, one after the other.</content>
internal sealed partial class LinkChannel
{
    /// <summary>Sends a method and waits for its answer.</summary>
    /// <param name="method">The method.</param>
    /// <param name="read">Reads the answer, also where nobody waits for it any more; views of it are valid only meanwhile.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="AmqpConnectionException">The link has ended, or the answer does not come in time.</exception>
    public Task<TResult> CallAsync<TMethod, TOk, TResult>(in TMethod method, Func<TOk, TResult> read, CancellationToken cancellationToken)
        where TMethod : struct, IMethod<TMethod>
        where TOk : struct, IMethod<TOk> => WaitAsync(Begin(in method, read), TMethod.Id, cancellationToken);

    /// <inheritdoc cref="CallAsync{TMethod, TOk, TResult}(in TMethod, Func{TOk, TResult}, CancellationToken)"/>
    public Task CallAsync<TMethod, TOk>(in TMethod method, CancellationToken cancellationToken)
        where TMethod : struct, IMethod<TMethod>
        where TOk : struct, IMethod<TOk> => CallAsync<TMethod, TOk, bool>(in method, static _ => true, cancellationToken);

    /// <summary>Sends a method.</summary>
    /// <param name="method">The method.</param>
    /// <param name="read">Reads the answer; views of it are valid only meanwhile.</param>
    /// <param name="written">Called when the method has been written, in the channel's turn; nothing when left out.</param>
    /// <returns>A task that ends with the answer, however long that takes, or with the end of the channel.</returns>
    public Task<TResult> Begin<TMethod, TOk, TResult>(in TMethod method, Func<TOk, TResult> read, Action? written = null)
        where TMethod : struct, IMethod<TMethod>
        where TOk : struct, IMethod<TOk>
    {
        var call = new PendingCall<TOk, TResult>(read);
        Send(in method, call, written);
        return call.Result;
    }

    /// <summary>Waits for the answer to a method that was sent.</summary>
    /// <param name="answer">The answer.</param>
    /// <param name="method">The method.</param>
    /// <param name="cancellationToken">Ends the wait; the answer still comes.</param>
    /// <exception cref="AmqpConnectionException">The link has ended, or the answer does not come in time.</exception>
    public async Task<TResult> WaitAsync<TResult>(Task<TResult> answer, MethodId method, CancellationToken cancellationToken)
    {
        if (!answer.IsCompleted && !await Link.WaitAsync(answer, cancellationToken).ConfigureAwait(false))
        {
            cancellationToken.ThrowIfCancellationRequested();
            throw Link.NoAnswer(method);
        }

        return await answer.ConfigureAwait(false);
    }

    /// <summary>Fetches a message; null when the queue has none.</summary>
    public async Task<AmqpDelivery?> GetAsync(BasicGet method, CancellationToken cancellationToken)
    {
        var call = new GetCall(method.NoAck);
        Send(in method, call);
        try
        {
            return await WaitAsync(call.Result, BasicGet.Id, cancellationToken).ConfigureAwait(false);
        }
        catch
        {
            // The message may still come, or have come just now, and has no owner.
            call.Abandon(cancellationToken);
            throw;
        }
    }

    private void Send<TMethod>(in TMethod method, PendingCall call, Action? written = null)
        where TMethod : struct, IMethod<TMethod>
    {
        bool signal;
        lock (SendQueue.Gate)
        {
            ThrowIfEnded();
            if (SendQueue.IsClosed)
            {
                throw Ended(ClosedByProgram());
            }

            signal = Write(in method);
            _calls.Add(call);
            written?.Invoke();
        }

        if (signal)
        {
            SendQueue.Signal(FrameWriting.Background, 0);
        }
    }
}
