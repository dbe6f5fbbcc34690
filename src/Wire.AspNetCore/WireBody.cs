using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Http.Metadata;
using Microsoft.AspNetCore.Mvc;
using Wire.AspNetCore.Http;

namespace Wire.AspNetCore;

/// <summary>
/// The body of a request as a parameter of a minimal API: <c>app.MapPost("/orders", (WireBody&lt;Order&gt; body) => ...)</c>.
/// </summary>
/// <remarks>
/// The body is read with the serializer of the endpoint or the program, see <see cref="WireHttpExtensions"/>. The handler is called with a
/// readable body only: others are answered with ProblemDetails and status 415 (another media type), 413 (more bytes than <see
/// cref="Limits.MaxBytes"/>, or than the server allows) or 400 (a type that is not allowed, or damaged bytes). A nullable parameter, or one
/// with a default value, is null when a request has no body. An endpoint has one such parameter.
/// <para>
/// A body sets all fields of its objects, private ones and those with [JsonIgnore] too: take messages that are made to be sent, and not
/// entities.
/// </para>
/// </remarks>
/// <typeparam name="T">
/// The type of the value, or a base class or interface of it: the body may name it, the types that its members declare, and what the
/// serializer's type filter allows.
/// </typeparam>
public sealed class WireBody<T> : IBindableFromHttpContext<WireBody<T>>, IEndpointParameterMetadataProvider
{
    private readonly T? _value;
    private readonly BodyFailure? _failure;

    private WireBody(T? value, BodyFailure? failure)
    {
        _value = value;
        _failure = failure;
    }

    /// <summary>Gets the value; null if the body says so.</summary>
    /// <exception cref="BadHttpRequestException">The body was not read. No handler of an endpoint is called then.</exception>
    public T? Value => _failure is null ? _value : throw _failure.ToException();

    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "Minimal APIs say so where a program maps an endpoint.")]
    [UnconditionalSuppressMessage("AOT", "IL3050", Justification = "Minimal APIs say so where a program maps an endpoint.")]
    static async ValueTask<WireBody<T>?> IBindableFromHttpContext<WireBody<T>>.BindAsync(HttpContext context, ParameterInfo parameter)
    {
        if (context.Features.Get<IHttpRequestBodyDetectionFeature>() is { CanHaveBody: false }
            && context.GetEndpoint()?.Metadata.GetMetadata<BodyMetadata>() is { IsOptional: true })
        {
            return null;
        }

        (T? value, BodyFailure? failure) = await RequestBody.ReadAsync<T>(
            context.Request, HttpSerializer.Find(context), throws: false, context.RequestAborted).ConfigureAwait(false);
        if (failure is not null)
        {
            FailureFilter.Keep(context, failure);
        }

        return new WireBody<T>(value, failure);
    }

    static void IEndpointParameterMetadataProvider.PopulateMetadata(ParameterInfo parameter, EndpointBuilder builder)
    {
        builder.Metadata.Add(new BodyMetadata(parameter, typeof(T)));
        builder.Metadata.Add(
            new ProducesResponseTypeMetadata(StatusCodes.Status400BadRequest, typeof(ProblemDetails), ["application/problem+json"]));
        builder.FilterFactories.Add((_, next) =>
        {
            // What is thrown above reaches the program as an exception of reflection around it.
            BodyMetadata.ThrowIfTwo(builder);
            return context => FailureFilter.Invoke(context, next);
        });
    }
}
