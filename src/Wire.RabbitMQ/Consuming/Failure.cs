namespace Wire.RabbitMQ.Consuming;

/// <summary>The reason why a message cannot be handled.</summary>
/// <param name="Reason">One of <see cref="FailureReason"/>.</param>
/// <param name="Exception">The exception.</param>
/// <param name="Attempts">The number of attempts.</param>
internal readonly record struct Failure(string Reason, Exception Exception, int Attempts);

/// <summary>The values of the header <c>x-wire-error-reason</c>.</summary>
internal static class FailureReason
{
    public const string Undecodable = "undecodable";
    public const string TypeRefused = "type-refused";
    public const string NoHandler = "no-handler";
    public const string HandlerFailed = "handler-failed";
    public const string TooLarge = "too-large";
    public const string TooManyDeliveries = "too-many-deliveries";
    public const string Rejected = "rejected";
}

/// <summary>The decision of a program that a message cannot be handled.</summary>
internal sealed class RejectedException(string reason, Exception? cause) : Exception(reason, cause);
