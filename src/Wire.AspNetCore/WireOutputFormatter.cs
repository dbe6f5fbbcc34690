using System.Diagnostics.CodeAnalysis;
using Microsoft.AspNetCore.Mvc.Formatters;
using Wire.AspNetCore.Http;
using Wire.Runtime;

namespace Wire.AspNetCore;

/// <summary>Writes results of MVC's actions for clients that accept application/x-wire. Thread-safe.</summary>
[RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
[RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
public sealed class WireOutputFormatter : OutputFormatter
{
    private readonly Serializer _serializer;

    /// <summary>Makes a formatter.</summary>
    /// <param name="serializer">The serializer of bodies.</param>
    public WireOutputFormatter(Serializer serializer)
    {
        ArgumentNullException.ThrowIfNull(serializer);
        _serializer = serializer;
        SupportedMediaTypes.Add(WireMediaType.Name);
    }

    /// <summary>Writes a body; called by the framework.</summary>
    public override Task WriteResponseBodyAsync(OutputFormatterWriteContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        return Bodies.WriteAsync(context.HttpContext.Response, context.Object, _serializer, context.HttpContext.RequestAborted);
    }
}
