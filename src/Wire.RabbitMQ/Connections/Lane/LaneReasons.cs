using RabbitMQ.Client;
using RabbitMQ.Client.Events;
using RabbitMQ.Client.Exceptions;
using Wire.Amqp.Client;
using Wire.Amqp.Client.Channels;

namespace Wire.RabbitMQ.Connections.Lane;

/// <summary>What the direct lane says of ends and failures, in the words of RabbitMQ.Client.</summary>
internal static class LaneReasons
{
    private const ushort Success = 200;

    /// <summary>Why a link or a channel has ended.</summary>
    public static ShutdownEventArgs Of(LinkEnd end) => end.IsByProgram
        ? new ShutdownEventArgs(ShutdownInitiator.Application, Success, end.Error.Message)
        : Of(end.Error);

    /// <summary>Why a call has failed; what it is thrown as is RabbitMQ.Client's.</summary>
    public static Exception Translate(Exception error) => error switch
    {
        AmqpChannelException or AmqpConnectionException { Reason: not null } => new OperationInterruptedException(Of(error)),
        AmqpConnectionException => new AlreadyClosedException(Of(error)),
        ObjectDisposedException => new AlreadyClosedException(new ShutdownEventArgs(ShutdownInitiator.Application, Success, error.Message)),
        _ => error,
    };

    private static ShutdownEventArgs Of(Exception error) => error switch
    {
        AmqpChannelException { Reason: { } reason } => Of(reason),
        AmqpConnectionException { Reason: { } reason } => Of(reason),
        _ => new ShutdownEventArgs(ShutdownInitiator.Library, 0, error.Message, error),
    };

    private static ShutdownEventArgs Of(AmqpCloseReason reason) =>
        new(ShutdownInitiator.Peer, (ushort)reason.ReplyCode, reason.ReplyText, (ushort)((uint)reason.Cause >> 16), (ushort)reason.Cause);
}
