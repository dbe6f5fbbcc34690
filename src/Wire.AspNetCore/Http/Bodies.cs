using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.IO.Pipelines;
using Microsoft.AspNetCore.Http;
using Wire.Runtime;

namespace Wire.AspNetCore.Http;

/// <summary>Reads the one payload of a body, and writes one.</summary>
[RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
[RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
internal static class Bodies
{
    /// <summary>Reads a body to its end, without joining the pieces in which it arrived.</summary>
    /// <param name="reader">The body.</param>
    /// <param name="serializer">The serializer.</param>
    /// <param name="type">The type that is asked for; null is T itself.</param>
    /// <param name="cancellationToken">Ends reading.</param>
    /// <returns>The value; not IsWhole says that there are more than <see cref="Limits.MaxBytes"/>, of which no more is read.</returns>
    /// <exception cref="WireFormatException">The bytes are no payload, or name a type that is not allowed.</exception>
    public static async ValueTask<(bool IsWhole, T? Value)> ReadAsync<T>(
        PipeReader reader, Serializer serializer, Type? type, CancellationToken cancellationToken)
    {
        long most = serializer.Options.Limits.MaxBytes;
        while (true)
        {
            ReadResult result = await reader.ReadAsync(cancellationToken).ConfigureAwait(false);
            ReadOnlySequence<byte> payload = result.Buffer;
            if (result.IsCanceled)
            {
                throw new OperationCanceledException("Reading the body was cancelled by its pipe.");
            }

            if (!result.IsCompleted && payload.Length <= most)
            {
                reader.AdvanceTo(payload.Start, payload.End);
                continue;
            }

            try
            {
                return payload.Length > most ? (false, default)
                    : (true, type is null ? serializer.Deserialize<T>(payload) : (T?)serializer.Deserialize(type, payload));
            }
            finally
            {
                reader.AdvanceTo(payload.End);
            }
        }
    }

    /// <summary>Writes a value as the body of a response, whose length it announces where nothing was sent before.</summary>
    public static async Task WriteAsync<T>(HttpResponse response, T value, Serializer serializer, CancellationToken cancellationToken)
    {
        long length = serializer.Serialize(value, response.BodyWriter);
        if (!response.HasStarted)
        {
            response.ContentLength ??= length;
        }

        await response.BodyWriter.FlushAsync(cancellationToken).ConfigureAwait(false);
    }
}
