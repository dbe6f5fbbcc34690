using System.Diagnostics.CodeAnalysis;
using System.IO.Pipelines;
using Microsoft.AspNetCore.Http;
using Wire.Runtime;

namespace Wire.AspNetCore.Http;

/// <summary>Writes the bodies of responses.</summary>
[RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
[RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
internal static class ResponseBody
{
    /// <summary>
    /// Writes a value as a response. One that cannot be written leaves the response as it was, for whoever answers instead: its status,
    /// headers and body are set when the value is whole.
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
        var whole = new Pipe(ReceivedBody.Pieces);
        try
        {
            long length = serializer.Serialize(value, whole.Writer);
            await whole.Writer.CompleteAsync().ConfigureAwait(false);
            response.StatusCode = statusCode ?? response.StatusCode;
            response.ContentType = contentType;
            response.ContentLength ??= length;
            await whole.Reader.CopyToAsync(response.BodyWriter, cancellationToken).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (response.HttpContext.RequestAborted.IsCancellationRequested)
        {
            // The client has gone away: nobody waits for the rest.
        }
        finally
        {
            await whole.Writer.CompleteAsync().ConfigureAwait(false);
            await whole.Reader.CompleteAsync().ConfigureAwait(false);
        }
    }
}
