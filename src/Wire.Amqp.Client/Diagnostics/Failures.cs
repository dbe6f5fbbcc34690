using Wire.Transport.Diagnostics;

namespace Wire.Amqp.Client.Diagnostics;

/// <summary>The values of <see cref="Attributes.ErrorType"/> that are not names of exceptions.</summary>
internal static class Failures
{
    public const string Returned = "returned";
    public const string Nacked = "nacked";
    public const string Unconfirmed = "unconfirmed";
    public const string Refused = "refused";
    public const string Overflow = "overflow";
    public const string Cancelled = "cancelled";

    /// <summary>Returns the word for a failure, or otherwise the type of the exception.</summary>
    public static string GetName(Exception exception) => exception switch
    {
        AmqpPublishException { Failure: AmqpPublishFailure.Returned } => Returned,
        AmqpPublishException { Failure: AmqpPublishFailure.Nacked } => Nacked,
        AmqpPublishException { Failure: AmqpPublishFailure.Unconfirmed } => Unconfirmed,
        AmqpPublishException { Failure: AmqpPublishFailure.Refused } => Refused,
        AmqpPublishException { Failure: AmqpPublishFailure.Overflow } => Overflow,
        OperationCanceledException => Cancelled,
        _ => exception.GetType().FullName ?? exception.GetType().Name,
    };
}
