using System.Diagnostics.CodeAnalysis;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Wire.AspNetCore.Logging;
using Wire.Runtime;

namespace Wire.AspNetCore.Http;

/// <summary>Reads the bodies of requests, and logs what is refused.</summary>
[RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
[RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
internal static class RequestBody
{
    /// <summary>Reads a body, if it is of the media type of Wire.</summary>
    /// <inheritdoc cref="ReadWireAsync{T}"/>
    public static ValueTask<(T? Value, BodyFailure? Failure)> ReadAsync<T>(
        HttpRequest request, Serializer serializer, bool throws, CancellationToken cancellationToken) =>
        WireMediaType.IsIn(request.ContentType)
        ? ReadWireAsync<T>(request, serializer, null, throws, cancellationToken)
        : new((default, BodyFailure.OtherMediaType));

    /// <summary>Reads a body whose media type was looked at.</summary>
    /// <param name="request">The request.</param>
    /// <param name="serializer">The serializer.</param>
    /// <param name="type">The type that is asked for; null is T itself.</param>
    /// <param name="throws">
    /// Says that exceptions of the server pass, such as for a client that goes away or a body that it finds too large, and are no failures
    /// like others.
    /// </param>
    /// <param name="cancellationToken">Ends reading.</param>
    /// <returns>The value, or why there is none.</returns>
    public static async ValueTask<(T? Value, BodyFailure? Failure)> ReadWireAsync<T>(
        HttpRequest request, Serializer serializer, Type? type, bool throws, CancellationToken cancellationToken)
    {
        long most = serializer.Options.Limits.MaxBytes;
        if (request.ContentLength > most)
        {
            return (default, BodyFailure.TooLarge(most));
        }

        ReceivedBody? body;
        try
        {
            body = await ReceivedBody.ReceiveAsync(request.BodyReader, most, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception exception) when (!throws && IsOfServer(exception, request.HttpContext))
        {
            LogNotReceived(request, exception);
            return (default, BodyFailure.NotReceived(exception));
        }

        if (body is null)
        {
            return (default, BodyFailure.TooLarge(most));
        }

        using (body)
        {
            try
            {
                return (body.Read<T>(serializer, type), null);
            }
            catch (WireFormatException exception)
            {
                LogRefused(request, exception);
                return (default, BodyFailure.Unreadable(exception));
            }
        }
    }

    private static bool IsOfServer(Exception exception, HttpContext context) =>
        exception is IOException || (exception is OperationCanceledException && context.RequestAborted.IsCancellationRequested);

    // Clients go away all the time.
    private static void LogNotReceived(HttpRequest request, Exception exception)
    {
        if (Logger(request) is { } logger)
        {
            Log.BodyNotReceived(logger, request.Path, exception.Message);
        }
    }

    // All of what was wrong, of which the client learns a part.
    private static void LogRefused(HttpRequest request, WireFormatException exception)
    {
        if (Logger(request) is { } logger)
        {
            Log.BodyRefused(logger, request.Path, exception.Message);
        }
    }

    private static ILogger? Logger(HttpRequest request) =>
        request.HttpContext.RequestServices?.GetService<ILoggerFactory>()?.CreateLogger("Wire.AspNetCore");
}
