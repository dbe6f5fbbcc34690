using System.Buffers;
using Wire.Amqp.V091;
using Wire.Transport.Segments;
using Wire.Transport.Sockets;

namespace Wire.Amqp.Client.Connections;

/// <summary>The server's side of the handshake, frame by frame, and the errors for unexpected frames.</summary>
internal sealed class HandshakeInput(LinkSocket socket, ReceiveBuffer received, int frameMax)
{
    private long _consumed;
    private string _advice = "";

    /// <summary>Gets the method that the server has to send next.</summary>
    public MethodId Awaited { get; private set; }

    /// <summary>Waits for the next frame, which is valid until the one after is asked for.</summary>
    /// <param name="awaited">What is due.</param>
    /// <param name="advice">The advice for a refusal.</param>
    public async Task<Frame> NextAsync(MethodId awaited, string advice)
    {
        Finish();
        (Awaited, _advice) = (awaited, advice);
        Frame frame;
        while (!TryTake(out frame))
        {
            // Heartbeats are ignored, and not kept.
            Finish();
            int count = await socket.ReceiveAsync(received.GetMemory()).ConfigureAwait(false);
            if (count == 0)
            {
                throw Lost(null);
            }

            received.Advance(count);
        }

        return frame;
    }

    /// <summary>Releases the last frame.</summary>
    public void Finish()
    {
        received.Consume(_consumed);
        _consumed = 0;
    }

    public AmqpConnectionException Closed(AmqpCloseReason reason) =>
        new($"The broker at {socket.Endpoint} refuses the connection: {reason.ToString().TrimEnd('.')}{Advice}.", reason);

    public AmqpConnectionException Refused(string what) => new($"The broker at {socket.Endpoint} {what}.");

    public AmqpConnectionException Lost(Exception? inner) => new(
        Awaited == MethodId.ConnectionStart
            ? $"What listens at {socket.Endpoint} closed the connection before it said " +
                $"anything: {(socket.IsTls ? "it refuses the client's certificate or misses one" : "it expects TLS (amqps)")}, or it is " +
                "not a broker; its log says more."
            : $"The broker at {socket.Endpoint} closed the connection without a reason, where {Awaited} was expected{Advice}; its log " +
                "says more.",
        inner);

    public AmqpConnectionException TimedOut(OperationCanceledException inner) => new(
        $"{socket.Endpoint} accepted the connection, but did not send {Awaited} in time: the broker is overloaded, or another program " +
        "listens there.",
        inner);

    public AmqpConnectionException NotAmqp(AmqpFormatException inner) => new(
        $"What listens at {socket.Endpoint} sent something that is not AMQP 0-9-1 where {Awaited} was expected: check that this is the " +
        $"port of a broker{(IsTlsAlert ? ", and use amqps: it expects TLS" : "")}. {inner.Message}",
        inner);

    private string Advice => _advice.Length == 0 ? "" : $"; {_advice}";

    // A server that expects TLS answers with a record of it: type 21, and the major version 3.
    private bool IsTlsAlert => received.Unread.Slice(_consumed) is { Length: >= 2 } bytes && bytes.FirstSpan is [21, 3, ..];

    private bool TryTake(out Frame frame)
    {
        ReadOnlySequence<byte> unread = received.Unread;

        // Some servers answer with the version that they speak: no frame begins with this letter.
        if (Awaited == MethodId.ConnectionStart && unread.Length > 0 && unread.FirstSpan[0] == 'A')
        {
            if (ProtocolHeader.TryRead(in unread, out ProtocolHeader spoken))
            {
                throw Refused($"does not speak AMQP 0-9-1: it answers with the header of {spoken}, protocol {spoken.Protocol}");
            }

            if (unread.Length < ProtocolHeader.Size)
            {
                frame = default;
                return false;
            }
        }

        var frames = new FrameReader(unread, frameMax, received.Offset);
        while (frames.TryRead(out frame))
        {
            _consumed = frames.Consumed;
            if (frame.Type != FrameType.Heartbeat)
            {
                return true;
            }
        }

        return false;
    }
}
