using System.Diagnostics.CodeAnalysis;
using System.Net.Http.Headers;
using Wire.Runtime;

namespace Wire.AspNetCore;

/// <summary>The body of a request of HttpClient: one value with its types, as application/x-wire.</summary>
/// <remarks>
/// It is written when the content is made, so that it may be sent again, and what cannot be written fails there. The memory is of this
/// content alone: HttpClient may still send it when the answer is there.
/// </remarks>
public sealed class WireContent : ByteArrayContent
{
    private WireContent(byte[] payload)
        : base(payload) => Headers.ContentType = new MediaTypeHeaderValue(WireMediaType.Name);

    /// <summary>Writes a value as a content.</summary>
    /// <param name="value">The value; may be null.</param>
    /// <param name="serializer">The serializer.</param>
    /// <exception cref="UnsupportedTypeException">The value has a type that cannot be serialized.</exception>
    /// <exception cref="ObjectGraphException">The graph has a cycle or exceeds a limit.</exception>
    [RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
    [RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
    public static WireContent Create<T>(T value, Serializer serializer)
    {
        ArgumentNullException.ThrowIfNull(serializer);
        return new WireContent(serializer.Serialize(value));
    }
}
