using System.Diagnostics.CodeAnalysis;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Mvc.Formatters;
using Wire.AspNetCore.Http;
using Wire.Runtime;

namespace Wire.AspNetCore;

/// <summary>Reads bodies of the media type application/x-wire as parameters of MVC's actions. Thread-safe.</summary>
/// <remarks>
/// A body may name the type of the parameter, the types that its members declare, and what the serializer's type filter allows. One that is
/// refused or damaged is an error of the model: status 400 with ProblemDetails in an ApiController. One of more bytes than <see
/// cref="Limits.MaxBytes"/> is status 413.
/// </remarks>
[RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
[RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
public sealed class WireInputFormatter : InputFormatter
{
    private readonly Serializer _serializer;

    /// <summary>Makes a formatter.</summary>
    /// <param name="serializer">The serializer of bodies.</param>
    public WireInputFormatter(Serializer serializer)
    {
        ArgumentNullException.ThrowIfNull(serializer);
        _serializer = serializer;
        SupportedMediaTypes.Add(WireMediaType.Name);
    }

    /// <summary>Reads a body; called by the framework.</summary>
    /// <exception cref="BadHttpRequestException">The body is too large.</exception>
    public override async Task<InputFormatterResult> ReadRequestBodyAsync(InputFormatterContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        (object? value, BodyFailure? failure, WireFormatException? exception) = await RequestBody.ReadWireAsync<object>(
            context.HttpContext.Request, _serializer, context.ModelType, context.HttpContext.RequestAborted).ConfigureAwait(false);
        if (failure is null)
        {
            return InputFormatterResult.Success(value);
        }

        if (exception is null)
        {
            throw new BadHttpRequestException(failure.Text, failure.StatusCode);
        }

        context.ModelState.TryAddModelError(context.ModelName, failure.Text);
        return InputFormatterResult.Failure();
    }
}
