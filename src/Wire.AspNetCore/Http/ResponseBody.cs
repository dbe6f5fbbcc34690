using System.Diagnostics.CodeAnalysis;
using Microsoft.AspNetCore.Http;
using Wire.AspNetCore.Buffers;
using Wire.Runtime;

namespace Wire.AspNetCore.Http;

/// <summary>Writes the bodies of responses.</summary>
[RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
[RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
internal static class ResponseBody
{
    /// <summary>
    /// Writes a value as a response. One that cannot be written leaves the response as it was, for whoever answers instead: its status,
    /// headers and body are set when the value is whole. Where the status says that there is no body, it alone is set.
    /// </summary>
    /// <param name="response">The response.</param>
    /// <param name="value">The value; may be null.</param>
    /// <param name="serializer">The serializer.</param>
    /// <param name="statusCode">The status; null leaves it as it is.</param>
    /// <param name="contentType">The media type, with its parameters.</param>
    /// <param name="cancellationToken">Ends writing.</param>
    public static async Task WriteAsync<T>(
        HttpResponse response, T value, Serializer serializer, int? statusCode, string contentType, CancellationToken cancellationToken)
    {
        int status = statusCode ?? response.StatusCode;
        if (!HasBody(status))
        {
            response.StatusCode = status;
            return;
        }

        using PooledBuffer whole = PooledBuffer.Rent();
        serializer.Serialize(value, whole);
        response.StatusCode = status;
        response.ContentType = contentType;
        response.ContentLength ??= whole.Length;
        try
        {
            await response.BodyWriter.WriteAsync(whole.Written, cancellationToken).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (response.HttpContext.RequestAborted.IsCancellationRequested)
        {
            // The client has gone away: nobody waits for the rest.
        }
    }

    // Servers throw for the length or the bytes of a body that HTTP forbids.
    private static bool HasBody(int status) => status is >= StatusCodes.Status200OK
        and not (StatusCodes.Status204NoContent or StatusCodes.Status205ResetContent or StatusCodes.Status304NotModified);
}
