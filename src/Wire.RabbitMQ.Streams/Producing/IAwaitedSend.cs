namespace Wire.RabbitMQ.Streams.Producing;

/// <summary>A wait for the answer to one message or to several.</summary>
internal interface IAwaitedSend
{
    /// <summary>Gets the number of messages.</summary>
    long Messages { get; }

    /// <summary>Has the tasks fail, unless that has been decided otherwise. Under the publisher's gate, before they end.</summary>
    /// <param name="reason">Makes the exception for a message, by its publishing id.</param>
    void Fail(Func<ulong, StreamPublishException> reason);
}
