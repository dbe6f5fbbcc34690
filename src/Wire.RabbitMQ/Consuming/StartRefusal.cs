using Wire.Amqp.Client;
using Wire.Amqp.Client.Connections;

namespace Wire.RabbitMQ.Consuming;

/// <summary>The words for a consumer that the broker does not let begin.</summary>
internal static class StartRefusal
{
    /// <summary>Returns what the broker says, and what to do.</summary>
    public static string Explain(string queue, AmqpCloseReason reason)
    {
        string advice = reason.ReplyCode switch
        {
            _ when reason.IsOfQueueThatIsDown => "The queue is there: start it again when the broker's node that has it is up",
            ReplyCodes.NotFound => "Declare the queue first, or check its name and the virtual host of the connection",
            ReplyCodes.ResourceLocked =>
                "The queue is exclusive to the connection that declared it, as AmqpQueueOptions.Temporary makes it: " +
                "consume it on that connection, or declare it without Exclusive",
            _ => "Check who else consumes the queue, the user's permissions, and the options of the consumer",
        };
        return $"The consumer of '{queue}' cannot be started; the broker says: {reason.ReplyCode} {reason.ReplyText}. {advice}.";
    }
}
