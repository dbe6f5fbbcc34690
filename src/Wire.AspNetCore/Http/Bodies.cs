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
    private delegate T? Reading<T>(Serializer serializer, Type type, in ReadOnlySequence<byte> payload);

    /// <summary>Reads a body to its end, without joining the pieces in which it arrived.</summary>
    /// <returns>The value; not IsWhole says that there are more than <see cref="Limits.MaxBytes"/>, of which no more is read.</returns>
    /// <exception cref="WireFormatException">The bytes are no payload, or name a type that is not allowed.</exception>
    public static ValueTask<(bool IsWhole, T? Value)> ReadAsync<T>(
        PipeReader reader, Serializer serializer, CancellationToken cancellationToken) => ReadAsync(
            reader,
            serializer,
            typeof(T),
            static (Serializer serializer, Type _, in ReadOnlySequence<byte> payload) => serializer.Deserialize<T>(payload),
            cancellationToken);

    /// <inheritdoc cref="ReadAsync{T}(PipeReader, Serializer, CancellationToken)"/>
    public static ValueTask<(bool IsWhole, object? Value)> ReadAsync(
        Type type, PipeReader reader, Serializer serializer, CancellationToken cancellationToken) => ReadAsync(
            reader,
            serializer,
            type,
            static (Serializer serializer, Type type, in ReadOnlySequence<byte> payload) => serializer.Deserialize(type, payload),
            cancellationToken);

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

    private static async ValueTask<(bool IsWhole, T? Value)> ReadAsync<T>(
        PipeReader reader, Serializer serializer, Type type, Reading<T> read, CancellationToken cancellationToken)
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
                return payload.Length > most ? (false, default) : (true, read(serializer, type, payload));
            }
            finally
            {
                reader.AdvanceTo(payload.End);
            }
        }
    }
}
