using Wire.Amqp.Client.Channels;
using Wire.Amqp.V091;
using Wire.Amqp.V091.Frames;

namespace Wire.Amqp.Client.Connections;

/// <summary>The methods of the connection itself, on channel 0, and those of channels that are not open.</summary>
internal sealed partial class Link
{
    // What the connection itself has asked the broker.
    private readonly PendingCalls _calls = new();

    /// <summary>Sends a method that does not belong to an open channel.</summary>
    public void Post<TMethod>(ushort channel, in TMethod method, FrameWriting writing = FrameWriting.Background)
        where TMethod : struct, IMethod<TMethod> => Post(channel, in method, writing, call: null);

    /// <summary>Sends a method of the connection, and waits for its answer.</summary>
    /// <param name="method">The method.</param>
    /// <param name="cancellationToken">Ends the wait; the answer may still come.</param>
    /// <exception cref="AmqpConnectionException">The link has ended, or the answer does not come in time.</exception>
    /// <exception cref="ArgumentException">The method is larger than a frame.</exception>
    public async Task CallAsync<TMethod, TOk>(TMethod method, CancellationToken cancellationToken)
        where TMethod : struct, IMethod<TMethod>
        where TOk : struct, IMethod<TOk>
    {
        FrameLayout.Checked(FrameWriter.SizeOf(in method), FrameMax, $"the method {TMethod.Id}");
        var call = new PendingCall<TOk, bool>(static _ => true);
        Post(0, in method, FrameWriting.Background, call);
        if (!await WaitAsync(call.Result, cancellationToken).ConfigureAwait(false))
        {
            cancellationToken.ThrowIfCancellationRequested();
            throw NoAnswer(TMethod.Id);
        }

        await call.Result.ConfigureAwait(false);
    }

    private void Post<TMethod>(ushort channel, in TMethod method, FrameWriting writing, PendingCall? call)
        where TMethod : struct, IMethod<TMethod>
    {
        bool signal;
        long position;
        lock (_control.Gate)
        {
            if (call is not null)
            {
                // Answers come in the order in which the methods are written.
                _calls.Add(call);
            }

            AmqpBuffer output = _control.Open();
            long start = output.Length;
            FrameWriter.Write(output, channel, in method);
            signal = _control.Commit(output.Length - start);
            position = _control.Position;
        }

        if (signal)
        {
            _control.Signal(writing, position);
        }
    }

    private void SendHeartbeat()
    {
        bool signal;
        lock (_control.Gate)
        {
            FrameWriter.WriteHeartbeat(_control.Open());
            signal = _control.Commit(FrameWriter.SizeOfHeartbeat);
        }

        if (signal)
        {
            _control.Signal(FrameWriting.Background, 0);
        }
    }

    private void ReceiveControl(in Frame frame)
    {
        if (frame.Type == FrameType.Heartbeat)
        {
            return;
        }

        switch (frame.MethodId)
        {
            case MethodId.ConnectionBlocked:
                Block(frame.ReadMethod<ConnectionBlocked>().Reason.ToString());
                break;
            case MethodId.ConnectionUnblocked:
                Block(null);
                break;
            case MethodId.ConnectionUpdateSecretOk:
                _calls.Answer(in frame);
                break;
            case MethodId.ConnectionClose:
                ConnectionClose close = frame.ReadMethod<ConnectionClose>();
                var reason = AmqpCloseReason.From(in close);
                Post(0, new ConnectionCloseOk(), FrameWriting.Inline);
                Finish(new LinkEnd(
                    new AmqpConnectionException(
                        $"The broker at {Endpoint} has closed the connection: {reason}.{(reason.IsOfSecret ? RefusedSecret : "")}", reason),
                    IsByProgram: false));
                break;
            case MethodId.ConnectionCloseOk:
                // Here, before the end of the socket is seen, which is not the reason.
                if (Volatile.Read(ref _closing) is { } closing)
                {
                    Finish(closing);
                }

                break;
            default:
                throw new AmqpFormatException(
                    AmqpFormatError.Frame, frame.Offset, $"Expected a method of the connection, found {frame.MethodId}");
        }
    }

    private static string RefusedSecret =>
        $" It does not take the secret that {nameof(AmqpConnectionOptions)}.{nameof(AmqpConnectionOptions.Credentials)} has returned for " +
        "the open connection: check that it is of the same user and has not expired, and that the user may still use the virtual host.";
}
