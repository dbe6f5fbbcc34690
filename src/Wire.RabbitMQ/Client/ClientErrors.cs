using RabbitMQ.Client;
using RabbitMQ.Client.Events;
using RabbitMQ.Client.Exceptions;
using Wire.Amqp.Client;
using Wire.Amqp.V091;

namespace Wire.RabbitMQ.Client;

/// <summary>Translates the failures of RabbitMQ.Client into exceptions of Wire.Amqp.Client.</summary>
internal static class ClientErrors
{
    /// <summary>Returns the reason why a channel has ended, and with it perhaps its connection.</summary>
    public static Exception From(ShutdownEventArgs? reason, Exception? error = null) => reason switch
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

    /// <summary>Returns the reason why a call has failed.</summary>
    public static Exception Translate(Exception error) => error switch
    {
        OperationInterruptedException { ShutdownReason: { } reason } => From(reason, error),
        BrokerUnreachableException => new AmqpConnectionException($"{error.Message} {Innermost(error)}.", error),
        IOException or System.Threading.Channels.ChannelClosedException or RabbitMQClientException =>
            new AmqpConnectionException(error.Message, error),
        ObjectDisposedException => new ObjectDisposedException(nameof(WireConnection), "The connection has been closed by the program."),
        _ => error,
    };

    /// <summary>Returns the reason why there is no connection.</summary>
    /// <param name="error">The client's exception.</param>
    /// <param name="endpoints">The brokers that were tried.</param>
    /// <param name="factory">The factory, for the user and the virtual host.</param>
    public static AmqpConnectionException FromConnecting(
        Exception error, IReadOnlyCollection<AmqpTcpEndpoint> endpoints, ConnectionFactory factory)
    {
        string where = string.Join(" or ", endpoints.Select(endpoint => $"{endpoint.HostName}:{endpoint.Port}"));
        AmqpCloseReason? refusal = Reason(error) is { } reason ? ReasonOf(reason)
            : IsOfAuthentication(error) ? new AmqpCloseReason(Constants.AccessRefused, Innermost(error), 0)
            : null;
        if (refusal is not null)
        {
            return new AmqpConnectionException(
                $"The broker at {where} refuses the connection: {refusal.ReplyCode} {refusal.ReplyText.TrimEnd('.')}; check the password " +
                $"and the permissions of the user '{factory.UserName}', and the virtual host '{factory.VirtualHost}'.",
                refusal,
                error);
        }

        string advice = error.GetBaseException() is System.Security.Authentication.AuthenticationException
            ? "Check that the broker's certificate is for this name and signed by an authority that is trusted here, and that the broker " +
                "accepts the client's certificate."
            : "Check that the broker is running and listens on this port.";
        return new AmqpConnectionException($"No connection to {where}: {Innermost(error)}. {advice}", error);
    }

    /// <summary>Returns whether a failure is one of those.</summary>
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

    private static bool IsOfAuthentication(Exception error) =>
        error is PossibleAuthenticationFailureException or AuthenticationFailureException
        || (error.InnerException is { } inner && IsOfAuthentication(inner));

    private static string Innermost(Exception error) => error.GetBaseException().Message.TrimEnd('.');

    // The codes that end a whole connection: CONNECTION_FORCED, and all unrecoverable ones.
    private static bool IsOfConnection(ShutdownEventArgs reason) =>
        reason.ReplyCode is Constants.ConnectionForced or >= 500 or Constants.InvalidPath;

    private static AmqpCloseReason ReasonOf(ShutdownEventArgs reason) =>
        new(reason.ReplyCode, reason.ReplyText, (MethodId)((reason.ClassId << 16) | reason.MethodId));
}
