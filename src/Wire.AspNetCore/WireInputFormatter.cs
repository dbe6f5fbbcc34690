using System.Diagnostics.CodeAnalysis;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Mvc.Formatters;
using Wire.AspNetCore.Http;
using Wire.Runtime;

namespace Wire.AspNetCore;

/// <summary>Reads bodies of the media type application/x-wire as parameters of MVC's actions. Thread-safe.</summary>
/// <remarks>
/// A body may name the type of the parameter, the types that its members declare, and what the serializer's type filter allows. One that is
/// refused or damaged is an error of the model: status 400 with ProblemDetails in an ApiController. One that is too large is too, and
/// status 413 where <see cref="WireMvcExtensions"/> has added the formatter. A body sets all fields of its objects, private ones and those
/// with [JsonIgnore] too: it is read for the parameters that are covered alone, and for others as if the formatter were not there, with
/// status 415.
/// </remarks>
[RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
[RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
public sealed class WireInputFormatter : InputFormatter
{
    private readonly Serializer _serializer;
    private readonly Func<Type, bool> _covers;

    /// <summary>Makes a formatter.</summary>
    /// <param name="serializer">The serializer of bodies.</param>
    /// <param name="covers">The condition for types of parameters: those that are made to be sent, and no entities.</param>
    public WireInputFormatter(Serializer serializer, Func<Type, bool> covers)
    {
        ArgumentNullException.ThrowIfNull(serializer);
        ArgumentNullException.ThrowIfNull(covers);
        _serializer = serializer;
        _covers = covers;
        SupportedMediaTypes.Add(WireMediaType.Name);
    }

    /// <summary>Reads a body; called by the framework.</summary>
    public override async Task<InputFormatterResult> ReadRequestBodyAsync(InputFormatterContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        HttpContext http = context.HttpContext;
        (object? value, BodyFailure? failure) = await RequestBody.ReadWireAsync<object>(
            http.Request, _serializer, context.ModelType, throws: false, http.RequestAborted).ConfigureAwait(false);
        if (failure is null)
        {
            return InputFormatterResult.Success(value);
        }

        if (failure.StatusCode != StatusCodes.Status400BadRequest)
        {
            // Of errors of the model MVC makes status 400.
            FailureFilter.Keep(http, failure);
        }

        context.ModelState.TryAddModelError(context.ModelName, failure.Text);
        return InputFormatterResult.Failure();
    }

    /// <inheritdoc/>
    protected override bool CanReadType(Type type) => _covers(type);
}
