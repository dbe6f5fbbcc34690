namespace Wire.RabbitMQ;

/// <summary>The values of <see cref="Attributes.ErrorType"/> that are no names of exceptions.</summary>
internal static class Failures
{
    public const string Returned = "returned";
    public const string Nacked = "nacked";
    public const string Unconfirmed = "unconfirmed";
    public const string Cancelled = "cancelled";
    public const string Refused = "refused";

    /// <summary>The type of an exception.</summary>
    public static string Of(Exception exception) =>
        exception is OperationCanceledException ? Cancelled : exception.GetType().FullName ?? exception.GetType().Name;
}
