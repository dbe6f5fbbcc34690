using Microsoft.Extensions.Logging;
using Wire.Amqp.Client;
using Wire.Amqp.Client.Connections;

namespace Wire.RabbitMQ.Consuming;

/// <summary>
/// Logs each end of the consumption of a queue. A broker that cannot deliver a message closes the connection over it each time, and the
/// consumer begins again with the same message: that is noticed by ends over such an error without any message between them.
/// </summary>
internal sealed class ConsumptionEnds(ILogger logger, string queue, MessageProcessor processor)
{
    private const int MostByChance = 2;

    private readonly Lock _gate = new();
    private long _begun = -1;
    private int _inARow;

    /// <summary>Logs an end.</summary>
    /// <param name="error">The reason; null where the program has closed the connection.</param>
    public void Report(Exception? error)
    {
        int inARow;
        lock (_gate)
        {
            long begun = processor.Begun;
            _inARow = error is not AmqpConnectionException { Reason.ReplyCode: ReplyCodes.InternalError } ? 0
                : begun == _begun ? _inARow + 1
                : 1;
            _begun = begun;
            inARow = _inARow;
        }

        if (inARow > MostByChance)
        {
            ConsumerLog.EndedAgain(logger, queue, ReasonOf(error), inARow);
        }
        else
        {
            ConsumerLog.Ended(logger, queue, ReasonOf(error));
        }
    }

    // A part of a sentence. What the exceptions of the clients advise is what is done here.
    private static string ReasonOf(Exception? error) => error switch
    {
        null => "the program has closed its connection",
        AmqpConsumerException { InnerException: AmqpChannelException refusal } => refusal.Reason.ToString(),
        AmqpConsumerException => "the broker has cancelled it, since the queue was deleted or has moved, or a message was kept too long",
        _ => error.Message.TrimEnd('.'),
    };
}
