using Microsoft.AspNetCore.Http;
using Wire.Runtime;

namespace Wire.AspNetCore.Http;

/// <summary>A body that is not read, as the client is told: the status, and one sentence without the program's own names.</summary>
/// <param name="StatusCode">400, 413 or 415, or what the server says of a body that it does not read.</param>
/// <param name="Text">The sentence.</param>
/// <param name="Exception">The exception behind it, if there is one.</param>
internal sealed record BodyFailure(int StatusCode, string Text, Exception? Exception = null)
{
    // The name is the client's own, and may be long.
    private const int MostOfName = 200;

    /// <summary>Gets the failure for a body of another media type.</summary>
    public static BodyFailure OtherMediaType { get; } =
        new(StatusCodes.Status415UnsupportedMediaType, $"The body must be {WireMediaType.Name}.");

    /// <summary>Makes the failure for more bytes than a payload may have.</summary>
    /// <param name="most">The limit, in bytes.</param>
    public static BodyFailure TooLarge(long most) =>
        new(StatusCodes.Status413PayloadTooLarge, $"The body has more than {most} bytes, which is the limit here.");

    /// <summary>Makes the failure for bytes that were refused: what was wrong, and at which of them.</summary>
    public static BodyFailure Unreadable(WireFormatException exception)
    {
        string what = exception is TypeRefusedException refused
            ? $"the type '{OneLine.Show(refused.TypeName, MostOfName)}' is not allowed"
            : exception.Error.ToString();
        string where = exception.Offset < 0 ? "" : $" at byte {exception.Offset}";
        return new(StatusCodes.Status400BadRequest, $"The body is no readable {WireMediaType.Name}: {what}{where}.", exception);
    }

    /// <summary>Makes the failure for a body that the server does not give to its end: the client has gone, or it is too large.</summary>
    public static BodyFailure NotReceived(Exception exception) =>
        exception is BadHttpRequestException { StatusCode: StatusCodes.Status413PayloadTooLarge and var tooLarge }
            ? new(tooLarge, "The body is larger than the server allows.", exception)
            : new(
                (exception as BadHttpRequestException)?.StatusCode ?? StatusCodes.Status400BadRequest,
                "The body was not received to its end.",
                exception);

    /// <summary>Makes the exception that servers answer with the status.</summary>
    public BadHttpRequestException ToException() =>
        Exception is null ? new(Text, StatusCode) : new(Text, StatusCode, Exception);
}
