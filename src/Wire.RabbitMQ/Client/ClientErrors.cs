using RabbitMQ.Client;
using RabbitMQ.Client.Events;
using RabbitMQ.Client.Exceptions;
using Wire.Amqp.Client;
using Wire.Amqp.V091;

namespace Wire.RabbitMQ.Client;

/// <summary>What RabbitMQ.Client says of ends and failures, in the words of Wire.Amqp.Client.</summary>
internal static class ClientErrors
{
    /// <summary>Why a channel has ended, and with it perhaps its connection.</summary>
    public static Exception Of(ShutdownEventArgs? reason, Exception? error = null) => reason switch
    {
        null => new AmqpConnectionException(error is null ? "The connection is lost." : $"The connection is lost: {error.Message}", error),
        { Initiator: ShutdownInitiator.Application } => new ObjectDisposedException(
            nameof(WireConnection), $"The channel or the connection has been closed by the program: {reason.ReplyText}."),
        { Initiator: ShutdownInitiator.Peer } when IsOfConnection(reason) => new AmqpConnectionException(
            $"The broker has closed the connection: {ReasonOf(reason)}.", ReasonOf(reason)),
        { Initiator: ShutdownInitiator.Peer } => new AmqpChannelException(
            $"The broker has closed the channel: {ReasonOf(reason)}.", ReasonOf(reason)),
        _ => new AmqpConnectionException($"The connection is lost: {reason.ReplyText}", reason.Exception ?? error),
    };

    /// <summary>Why a call has failed.</summary>
    public static Exception Translate(Exception error) => error switch
    {
        OperationInterruptedException { ShutdownReason: { } reason } => Of(reason, error),
        BrokerUnreachableException or IOException or System.Threading.Channels.ChannelClosedException or RabbitMQClientException =>
            new AmqpConnectionException(error.Message, error),
        ObjectDisposedException => new ObjectDisposedException(nameof(WireConnection), "The connection has been closed by the program."),
        _ => error,
    };

    /// <summary>Why there is no connection.</summary>
    public static AmqpConnectionException OfConnecting(Exception error) => Reason(error) is { } reason
        ? new AmqpConnectionException(
            $"The broker refuses: {reason.ReplyCode} {reason.ReplyText}", new AmqpCloseReason(reason.ReplyCode, reason.ReplyText, 0))
        : error.InnerException is PossibleAuthenticationFailureException or AuthenticationFailureException
        || error is PossibleAuthenticationFailureException
        ? new AmqpConnectionException(error.GetBaseException().Message, new AmqpCloseReason(Constants.AccessRefused, error.Message, 0))
        : new AmqpConnectionException(error.Message, error);

    /// <summary>Whether a failure is one of those.</summary>
    public static bool IsTranslated(Exception error) =>
        error is RabbitMQClientException or System.Threading.Channels.ChannelClosedException or ObjectDisposedException
            or (IOException and not AmqpConnectionException);

    private static ShutdownEventArgs? Reason(Exception? error) => error switch
    {
        null => null,
        OperationInterruptedException { ShutdownReason: { Initiator: ShutdownInitiator.Peer } reason } => reason,
        AggregateException aggregate => aggregate.InnerExceptions.Select(Reason).FirstOrDefault(found => found is not null),
        _ => Reason(error.InnerException),
    };

    // Its codes are those of a whole connection: CONNECTION_FORCED, and what nobody can go on after.
    private static bool IsOfConnection(ShutdownEventArgs reason) =>
        reason.ReplyCode is Constants.ConnectionForced or >= 500 or Constants.InvalidPath;

    private static AmqpCloseReason ReasonOf(ShutdownEventArgs reason) =>
        new(reason.ReplyCode, reason.ReplyText, (MethodId)((reason.ClassId << 16) | reason.MethodId));
}
