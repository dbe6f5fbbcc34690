using System.Diagnostics.CodeAnalysis;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using Wire.Runtime;

namespace Wire.AspNetCore.Http;

/// <summary>The serializer of an endpoint, as its metadata, or of the program, as a service.</summary>
[RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
[RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
internal sealed class HttpSerializer(Serializer serializer)
{
    // Of programs that say nothing: a payload may name what the endpoint declares, and no more.
    private static readonly HttpSerializer Default = new(new Serializer());

    /// <summary>Gets the serializer.</summary>
    public Serializer Serializer => serializer;

    /// <summary>Finds the serializer for a request and its response.</summary>
    public static Serializer Find(HttpContext context) =>
        (context.GetEndpoint()?.Metadata.GetMetadata<HttpSerializer>()
            ?? context.RequestServices?.GetService<HttpSerializer>()
            ?? Default).Serializer;
}
