using System.Diagnostics.CodeAnalysis;
using System.IO.Pipelines;
using Wire.AspNetCore.Http;
using Wire.Runtime;

namespace Wire.AspNetCore;

/// <summary>Wire payloads as answers to HttpClient.</summary>
[RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
[RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
public static class WireHttpContentExtensions
{
    /// <summary>Reads a content to its end.</summary>
    /// <remarks>
    /// What is read is kept in memory until its end, and bounded by <see cref="Limits.MaxBytes"/> of the serializer alone, which is 2 GB by
    /// default: set it for servers that are not trusted. Where HttpClient itself reads the answer before, as it does without <see
    /// cref="HttpCompletionOption.ResponseHeadersRead"/>, its <see cref="HttpClient.MaxResponseContentBufferSize"/> bounds it too.
    /// </remarks>
    /// <typeparam name="T">The type of the value, or a base class or interface of it.</typeparam>
    /// <param name="content">The content of a response. Check its status first.</param>
    /// <param name="serializer">The serializer. Its type filter says what the answer may name beside the type that is asked for.</param>
    /// <param name="cancellationToken">Ends reading.</param>
    /// <exception cref="InvalidDataException">
    /// The content is of another media type, or has more bytes than <see cref="Limits.MaxBytes"/>.
    /// </exception>
    /// <exception cref="WireFormatException">
    /// The content is damaged, or, as <see cref="TypeRefusedException"/>, names a type that is not allowed.
    /// </exception>
    public static async ValueTask<T?> ReadFromWireAsync<T>(
        this HttpContent content, Serializer serializer, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(content);
        ArgumentNullException.ThrowIfNull(serializer);
        string? mediaType = content.Headers.ContentType?.ToString();
        if (!WireMediaType.IsIn(mediaType))
        {
            throw new InvalidDataException(
                $"The content is {(mediaType is null ? "of no media type" : $"'{mediaType}'")}, and not {WireMediaType.Name}: check the "
                + "status of the response, and that the request accepts the type.");
        }

        long most = serializer.Options.Limits.MaxBytes;
        if (content.Headers.ContentLength > most)
        {
            throw TooLong(most);
        }

        var reader = PipeReader.Create(await content.ReadAsStreamAsync(cancellationToken).ConfigureAwait(false));
        try
        {
            using ReceivedBody body = await ReceivedBody.ReceiveAsync(reader, most, cancellationToken).ConfigureAwait(false)
                ?? throw TooLong(most);
            return body.Read<T>(serializer);
        }
        finally
        {
            await reader.CompleteAsync().ConfigureAwait(false);
        }
    }

    private static InvalidDataException TooLong(long most) =>
        new($"The content has more than {most} bytes: raise {nameof(Limits)}.{nameof(Limits.MaxBytes)}, or ask for less.");
}
