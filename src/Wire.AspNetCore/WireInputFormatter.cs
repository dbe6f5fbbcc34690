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
        HttpRequest request = context.HttpContext.Request;
        long most = _serializer.Options.Limits.MaxBytes;
        try
        {
            (bool isWhole, object? value) = request.ContentLength > most ? (false, null) : await Bodies.ReadAsync(
                context.ModelType, request.BodyReader, _serializer, context.HttpContext.RequestAborted).ConfigureAwait(false);
            if (!isWhole)
            {
                var failure = BodyFailure.TooLarge(most);
                throw new BadHttpRequestException(failure.Text, failure.StatusCode);
            }

            return InputFormatterResult.Success(value);
        }
        catch (WireFormatException exception)
        {
            RequestBody.LogRefused(request, exception);
            context.ModelState.TryAddModelError(context.ModelName, BodyFailure.Unreadable(exception).Text);
            return InputFormatterResult.Failure();
        }
    }
}
