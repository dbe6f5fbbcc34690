

namespace Wire.RabbitMQ.Streams;

/// <summary>What a consumer does about a message that could not be handled.</summary>
public enum StreamFailedMessage
{
    /// <summary>It ends, and <see cref="StreamConsumer.Completion"/> fails: one that begins anew at the same place gets the message again.</summary>
    End = 0,

    /// <summary>It goes on behind the message, as if it had been handled.</summary>
    Skip = 1,
}
