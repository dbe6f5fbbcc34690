using System.Diagnostics.CodeAnalysis;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using Wire.AspNetCore.Http;
using Wire.Runtime;

namespace Wire.AspNetCore;

/// <summary>Wire payloads as bodies of requests and responses.</summary>
/// <remarks>
/// The serializer is that of the call, or else of the endpoint (<see cref="WithWire{TBuilder}(TBuilder, SerializerOptions)"/>), or else of
/// the program (<see cref="AddWireHttp(IServiceCollection, SerializerOptions)"/>), or else one with
/// <see cref="SerializerOptions.Default"/>, whose filter allows no type beside those that the endpoint declares.
/// </remarks>
[RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
[RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
public static class WireHttpExtensions
{
    /// <summary>Sets the serializer for all endpoints of the program that are not given one of their own.</summary>
    /// <param name="services">The services of the program.</param>
    /// <param name="options">The options; the type filter says what a body may name beside the types that endpoints declare.</param>
    /// <exception cref="ArgumentException">An option is null, out of range or contradicts another.</exception>
    public static IServiceCollection AddWireHttp(this IServiceCollection services, SerializerOptions options) =>
        services.AddWireHttp(new Serializer(options));

    /// <inheritdoc cref="AddWireHttp(IServiceCollection, SerializerOptions)"/>
    /// <param name="services">The services of the program.</param>
    /// <param name="serializer">The serializer of bodies.</param>
    public static IServiceCollection AddWireHttp(this IServiceCollection services, Serializer serializer)
    {
        ArgumentNullException.ThrowIfNull(services);
        ArgumentNullException.ThrowIfNull(serializer);
        return services.AddSingleton(new HttpSerializer(serializer));
    }

    /// <summary>Sets the serializer of an endpoint, or of a group of endpoints.</summary>
    /// <param name="builder">The endpoint or the group.</param>
    /// <param name="options">The options; the type filter says what a body may name beside the types that endpoints declare.</param>
    /// <exception cref="ArgumentException">An option is null, out of range or contradicts another.</exception>
    public static TBuilder WithWire<TBuilder>(this TBuilder builder, SerializerOptions options)
        where TBuilder : IEndpointConventionBuilder => builder.WithWire(new Serializer(options));

    /// <inheritdoc cref="WithWire{TBuilder}(TBuilder, SerializerOptions)"/>
    /// <param name="builder">The endpoint or the group.</param>
    /// <param name="serializer">The serializer of bodies.</param>
    public static TBuilder WithWire<TBuilder>(this TBuilder builder, Serializer serializer)
        where TBuilder : IEndpointConventionBuilder
    {
        ArgumentNullException.ThrowIfNull(serializer);
        return builder.WithMetadata(new HttpSerializer(serializer));
    }

    /// <summary>Reads the body of a request to its end.</summary>
    /// <typeparam name="T">The type of the value, or a base class or interface of it.</typeparam>
    /// <param name="request">The request.</param>
    /// <param name="serializer">The serializer; null is that of the endpoint or the program.</param>
    /// <param name="cancellationToken">Ends reading.</param>
    /// <exception cref="BadHttpRequestException">
    /// The media type is another (415), the body is too large (413), or it is refused or damaged (400, with the <see
    /// cref="WireFormatException"/> inside). Its text is fit for the client; servers answer it with the status and no body.
    /// </exception>
    /// <exception cref="IOException">
    /// The client has gone away inside the body, or, as another <see cref="BadHttpRequestException"/>, the server finds it too large.
    /// </exception>
    public static async ValueTask<T?> ReadFromWireAsync<T>(
        this HttpRequest request, Serializer? serializer = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(request);
        (T? value, BodyFailure? failure) = await RequestBody.ReadAsync<T>(
            request, serializer ?? HttpSerializer.Find(request.HttpContext), throws: true, cancellationToken).ConfigureAwait(false);
        return failure is null ? value : throw failure.ToException();
    }

    /// <summary>
    /// Writes a value, with its types, as the body of a response: all its fields, private ones and those with [JsonIgnore] too. A value
    /// that cannot be written leaves the response as it was.
    /// </summary>
    /// <param name="response">The response; its status and other headers are the caller's.</param>
    /// <param name="value">The value; may be null.</param>
    /// <param name="serializer">The serializer; null is that of the endpoint or the program.</param>
    /// <param name="cancellationToken">Ends writing.</param>
    /// <exception cref="UnsupportedTypeException">The value has a type that cannot be serialized.</exception>
    /// <exception cref="ObjectGraphException">The graph has a cycle or exceeds a limit.</exception>
    public static Task WriteAsWireAsync<T>(
        this HttpResponse response, T value, Serializer? serializer = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(response);
        return ResponseBody.WriteAsync(
            response, value, serializer ?? HttpSerializer.Find(response.HttpContext), null, WireMediaType.Name, cancellationToken);
    }

    /// <summary>Makes a result that is written as a Wire payload: <c>TypedResults.Extensions.Wire(value)</c>.</summary>
    /// <param name="extensions">The results that others add to.</param>
    /// <param name="value">The value; may be null.</param>
    /// <param name="statusCode">The status of the response.</param>
    public static WireResult<T> Wire<T>(this IResultExtensions extensions, T? value, int statusCode = StatusCodes.Status200OK)
    {
        ArgumentNullException.ThrowIfNull(extensions);
        return new WireResult<T>(value, statusCode);
    }
}
