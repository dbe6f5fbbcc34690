using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Metadata;
using Wire.AspNetCore.Http;

namespace Wire.AspNetCore;

/// <summary>The result of a minimal API that is written as a Wire payload. Made by <c>TypedResults.Extensions.Wire(value)</c>.</summary>
/// <remarks>
/// All fields of the value and of what it refers to leave with it, private ones and those with [JsonIgnore] too: return messages that are
/// made to be sent, and not entities.
/// </remarks>
/// <typeparam name="T">The type of the value; objects of derived types are written as such.</typeparam>
public sealed class WireResult<T> : IResult, IEndpointMetadataProvider, IStatusCodeHttpResult, IContentTypeHttpResult, IValueHttpResult,
    IValueHttpResult<T>
{
    internal WireResult(T? value, int statusCode)
    {
        Value = value;
        StatusCode = statusCode;
    }

    /// <inheritdoc/>
    public T? Value { get; }

    /// <summary>Gets the status of the response.</summary>
    public int StatusCode { get; }

    /// <inheritdoc/>
    public string ContentType => WireMediaType.Name;

    int? IStatusCodeHttpResult.StatusCode => StatusCode;

    object? IValueHttpResult.Value => Value;

    /// <summary>Writes the response; called by the framework.</summary>
    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "What makes a result says so in public.")]
    [UnconditionalSuppressMessage("AOT", "IL3050", Justification = "What makes a result says so in public.")]
    public Task ExecuteAsync(HttpContext httpContext)
    {
        ArgumentNullException.ThrowIfNull(httpContext);
        return ResponseBody.WriteAsync(
            httpContext.Response, Value, HttpSerializer.Find(httpContext), StatusCode, ContentType, httpContext.RequestAborted);
    }

    static void IEndpointMetadataProvider.PopulateMetadata(MethodInfo method, EndpointBuilder builder)
    {
        builder.Metadata.Add(new ProducesResponseTypeMetadata(StatusCodes.Status200OK, typeof(T), [WireMediaType.Name]));
    }
}
