using Wire.Amqp.Client;
using Wire.RabbitMQ.Streams;

namespace Wire.Tool.Running;

/// <summary>Runs what talks to a broker; what goes wrong there is one line.</summary>
internal static class BrokerCalls
{
    private const int NotFound = 404;
    private const int ResourceLocked = 405;

    /// <summary>Runs work to its end.</summary>
    /// <exception cref="ToolException">The broker cannot be reached, or refuses.</exception>
    public static int Run(Func<Task<int>> work)
    {
        try
        {
            return work().GetAwaiter().GetResult();
        }
        catch (FormatException exception)
        {
            // It never has the URI, in which there may be a password.
            throw new ToolException($"--uri: {PlainText.Show(exception.Message)}", ExitCodes.Usage);
        }
        catch (AmqpChannelException exception) when (exception.Reason.ReplyCode is NotFound or ResourceLocked)
        {
            string why = exception.Reason.ReplyCode == NotFound
                ? "there is no such queue any more"
                : "the queue is exclusive: only the connection that declared it may read it";
            throw new ToolException($"{PlainText.Show(exception.Reason.ReplyText)}: {why}.", ExitCodes.Usage);
        }
        catch (Exception exception)
            when (exception is AmqpChannelException or AmqpConnectionException or AmqpPublishException
                or StreamException or StreamConnectionException or NotSupportedException or TimeoutException)
        {
            throw new ToolException(PlainText.Show(exception.Message), ExitCodes.Usage);
        }
    }
}
