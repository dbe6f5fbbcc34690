using Microsoft.AspNetCore.Http;

namespace Wire.AspNetCore.Http;

/// <summary>A body that is not read, as the client is told: the status, and one sentence without the program's own names.</summary>
/// <param name="StatusCode">400, 413 or 415.</param>
/// <param name="Text">The sentence.</param>
internal sealed record BodyFailure(int StatusCode, string Text)
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

    /// <summary>Makes the failure for bytes that were refused: what was wrong, and where.</summary>
    public static BodyFailure Unreadable(WireFormatException exception)
    {
        string what = exception is TypeRefusedException refused
            ? $"the type '{Shorten(refused.TypeName)}' is not allowed"
            : exception.Error.ToString();
        string where = exception.Offset < 0 ? "" : $" at byte {exception.Offset}";
        string path = exception.MemberPath.Length == 0 ? "" : $", in {exception.MemberPath}";
        return new(StatusCodes.Status400BadRequest, $"The body is no readable {WireMediaType.Name}: {what}{where}{path}.");
    }

    private static string Shorten(string name) => name.Length <= MostOfName ? name : $"{name.AsSpan(0, MostOfName)}…";
}
