using Microsoft.Extensions.Logging;

namespace Wire.RabbitMQ.Consuming;

/// <summary>The log messages of consumers.</summary>
internal static partial class ConsumerLog
{
    [LoggerMessage(2001, LogLevel.Information, "Consuming the queue '{Queue}': {MaxConcurrency} at a time, prefetch {Prefetch}.")]
    public static partial void Started(ILogger logger, string queue, int maxConcurrency, ushort prefetch);

    [LoggerMessage(2002, LogLevel.Information, "Stopped consuming the queue '{Queue}'.")]
    public static partial void Stopped(ILogger logger, string queue);

    [LoggerMessage(2003, LogLevel.Warning, "The consumption of the queue '{Queue}' has ended and is started again: {Reason}.")]
    public static partial void Ended(ILogger logger, string queue, string reason);

    [LoggerMessage(2004, LogLevel.Warning, "The queue '{Queue}' cannot be consumed at the moment. The next try is in {Pause}.")]
    public static partial void CannotConsume(ILogger logger, string queue, TimeSpan pause, Exception exception);

    [LoggerMessage(2005, LogLevel.Error, "The queue '{Queue}' is no longer consumed: the connection is closed permanently.")]
    public static partial void ClosedForGood(ILogger logger, string queue, Exception exception);

    [LoggerMessage(2006, LogLevel.Debug,
        "The broker of the queue '{Queue}' did not receive an acknowledgement or rejection: it delivers the message again.")]
    public static partial void NotTold(ILogger logger, string queue, Exception exception);

    [LoggerMessage(
        2007,
        LogLevel.Warning,
        "Attempt {Attempt} to handle the message '{MessageId}' of the queue '{Queue}' has failed. The next attempt is in {Pause}.")]
    public static partial void AttemptFailed(
        ILogger logger, string queue, string? messageId, int attempt, TimeSpan pause, Exception exception);

    [LoggerMessage(
        2008,
        LogLevel.Error,
        "The message '{MessageId}' of the queue '{Queue}' cannot be handled ({Reason}) and has gone to '{ErrorQueue}'.")]
    public static partial void SentToErrorQueue(
        ILogger logger, string queue, string? messageId, string reason, string errorQueue, Exception exception);

    [LoggerMessage(
        2009, LogLevel.Error, "The message '{MessageId}' of the queue '{Queue}' cannot be handled ({Reason}) and is rejected, to the " +
            "queue's dead-letter exchange.")]
    public static partial void Rejected(ILogger logger, string queue, string? messageId, string reason, Exception exception);

    [LoggerMessage(
        2010, LogLevel.Error, "The message '{MessageId}' of the queue '{Queue}' cannot be handled, and the error queue '{ErrorQueue}' " +
            "did not accept it. It is tried again, here or from its queue, in {Pause}.")]
    public static partial void ErrorQueueRefuses(
        ILogger logger, string queue, string? messageId, string errorQueue, TimeSpan pause, Exception exception);

    [LoggerMessage(
        2011, LogLevel.Warning, "The message '{MessageId}' of the queue '{Queue}' goes back to it: the consumer is being stopped.")]
    public static partial void MessageRequeued(ILogger logger, string queue, string? messageId, Exception? exception);

    [LoggerMessage(
        2012,
        LogLevel.Warning,
        "{Count} handlers of the queue '{Queue}' are still running after {Timeout}: their cancellation token fires.")]
    public static partial void HandlersAreCancelled(ILogger logger, string queue, int count, TimeSpan timeout);

    [LoggerMessage(
        2013,
        LogLevel.Error,
        "{Count} handlers of the queue '{Queue}' do not end. They are abandoned, and their messages go back to the queue.")]
    public static partial void HandlersAbandoned(ILogger logger, string queue, int count);

    [LoggerMessage(2014, LogLevel.Error, "Unexpected error while consuming the queue '{Queue}'.")]
    public static partial void Unexpected(ILogger logger, string queue, Exception exception);

    [LoggerMessage(
        2015,
        LogLevel.Warning,
        "The consumer of '{Queue}' uses one connection for consuming and for publishing replies and failed messages: a broker that is " +
        "low on memory then blocks its acknowledgements too. Give it a second connection to publish on.")]
    public static partial void PublishesWhereItConsumes(ILogger logger, string queue);

    [LoggerMessage(
        2016,
        LogLevel.Warning,
        "The consumption of the queue '{Queue}' has ended and is started again: {Reason}. It was so {Count} times in a row without a " +
        "message between: probably the broker cannot deliver the message at the head of this queue, or of another that is consumed on " +
        "the connection, over AMQP 0-9-1. Look into the broker's log, and take that message out by other means.")]
    public static partial void EndedAgain(ILogger logger, string queue, string reason, int count);

    [LoggerMessage(2017, LogLevel.Information, "The program has decided on the message '{MessageId}' of the queue '{Queue}': {Outcome}.")]
    public static partial void Decided(ILogger logger, string queue, string? messageId, MessageOutcome outcome, Exception? exception);

    [LoggerMessage(
        2018,
        LogLevel.Warning,
        "{Attempts} attempts to handle the message '{MessageId}' of the queue '{Queue}' have failed. It waits at the broker: retry " +
        "{Retry} is in {Delay}.")]
    public static partial void Delayed(
        ILogger logger, string queue, string? messageId, int attempts, int retry, TimeSpan delay, Exception exception);

    [LoggerMessage(
        2019,
        LogLevel.Error,
        "No delay queue accepted the message '{MessageId}' of the queue '{Queue}'. It is tried again, here or from its queue, in {Pause}.")]
    public static partial void DelayQueueRefuses(ILogger logger, string queue, string? messageId, TimeSpan pause, Exception exception);

    [LoggerMessage(
        2020,
        LogLevel.Error,
        "The services of the handler of the message '{MessageId}' of the queue '{Queue}' have failed when they were disposed of. What " +
        "the handler has decided stays.")]
    public static partial void ServicesFailed(ILogger logger, string queue, string? messageId, Exception exception);

    [LoggerMessage(
        2021,
        LogLevel.Error,
        "The message '{MessageId}' of the queue '{Queue}' holds some that were not acknowledged, and {Count} of them could not be put " +
        "back without the others. It is tried again in a second; should the consumer stop before, all that it holds come again.")]
    public static partial void NotAlone(ILogger logger, string queue, string? messageId, int count, Exception? exception);

    [LoggerMessage(
        2022,
        LogLevel.Error,
        "The pool of objects of the type {Type}, into which messages of the queue '{Queue}' are read, has failed. Messages are read into " +
        "new objects where it gives none, and stay handled where it takes none back.")]
    public static partial void PoolFailed(ILogger logger, string queue, Type type, Exception exception);
}
