using System.Diagnostics.CodeAnalysis;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Wire.Runtime;

namespace Wire.AspNetCore.Http;

/// <summary>Reads the bodies of requests, and logs what is refused.</summary>
[RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
[RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
internal static partial class RequestBody
{
    /// <summary>Reads a body, if it is of the media type of Wire.</summary>
    /// <inheritdoc cref="ReadWireAsync{T}"/>
    public static ValueTask<(T? Value, BodyFailure? Failure, WireFormatException? Exception)> ReadAsync<T>(
        HttpRequest request, Serializer serializer, CancellationToken cancellationToken) => WireMediaType.IsIn(request.ContentType)
        ? ReadWireAsync<T>(request, serializer, null, cancellationToken)
        : new((default, BodyFailure.OtherMediaType, null));

    /// <summary>Reads a body whose media type was looked at.</summary>
    /// <param name="request">The request.</param>
    /// <param name="serializer">The serializer.</param>
    /// <param name="type">The type that is asked for; null is T itself.</param>
    /// <param name="cancellationToken">Ends reading.</param>
    /// <returns>The value, or why there is none, with the exception behind it, if one is.</returns>
    /// <remarks>Exceptions of the server, such as for a body that it finds too large, pass.</remarks>
    public static async ValueTask<(T? Value, BodyFailure? Failure, WireFormatException? Exception)> ReadWireAsync<T>(
        HttpRequest request, Serializer serializer, Type? type, CancellationToken cancellationToken)
    {
        long most = serializer.Options.Limits.MaxBytes;
        if (request.ContentLength > most)
        {
            return (default, BodyFailure.TooLarge(most), null);
        }

        try
        {
            (bool isWhole, T? value) =
                await Bodies.ReadAsync<T>(request.BodyReader, serializer, type, cancellationToken).ConfigureAwait(false);
            return (value, isWhole ? null : BodyFailure.TooLarge(most), null);
        }
        catch (WireFormatException exception)
        {
            LogRefused(request, exception);
            return (default, BodyFailure.Unreadable(exception), exception);
        }
    }

    // All of what was wrong, of which the client learns a part.
    private static void LogRefused(HttpRequest request, WireFormatException exception)
    {
        if (request.HttpContext.RequestServices?.GetService<ILoggerFactory>() is { } loggers)
        {
            LogRefused(loggers.CreateLogger("Wire.AspNetCore"), request.Path, exception.Message);
        }
    }

    [LoggerMessage(1, LogLevel.Information, "The body of a request to {Path} was refused: {Reason}", EventName = "BodyRefused")]
    private static partial void LogRefused(ILogger logger, PathString path, string reason);
}
