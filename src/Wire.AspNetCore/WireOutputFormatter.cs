using System.Diagnostics.CodeAnalysis;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Mvc.Formatters;
using Wire.AspNetCore.Http;
using Wire.Runtime;

namespace Wire.AspNetCore;

/// <summary>Writes results of MVC's actions for clients that accept application/x-wire. Thread-safe.</summary>
/// <remarks>
/// All fields of a result and of what it refers to leave with it, private ones and those with [JsonIgnore] too: it is written if its class
/// and the type that the action declares are covered, and otherwise by another formatter, as if this one were not there. Of an action that
/// declares object or IActionResult, the class alone is asked for, and of null the declared type alone.
/// </remarks>
[RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
[RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
public sealed class WireOutputFormatter : OutputFormatter
{
    private readonly Serializer _serializer;
    private readonly Func<Type, bool> _covers;

    /// <summary>Makes a formatter.</summary>
    /// <param name="serializer">The serializer of bodies.</param>
    /// <param name="covers">The condition for types of results: those that are made to be sent, and no entities.</param>
    public WireOutputFormatter(Serializer serializer, Func<Type, bool> covers)
    {
        ArgumentNullException.ThrowIfNull(serializer);
        ArgumentNullException.ThrowIfNull(covers);
        _serializer = serializer;
        _covers = covers;
        SupportedMediaTypes.Add(WireMediaType.Name);
    }

    /// <summary>Returns whether a result is written; called by the framework.</summary>
    public override bool CanWriteResult(OutputFormatterCanWriteContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        if (WireMediaType.IsIn(context.ContentType.Value))
        {
            // A parameter, such as the charset that some clients add to everything, would be a condition.
            context.ContentType = WireMediaType.Name;
        }

        return base.CanWriteResult(context) && (context.Object is null || _covers(context.Object.GetType()));
    }

    /// <summary>Writes a response; called by the framework.</summary>
    public override Task WriteAsync(OutputFormatterWriteContext context) => WriteResponseBodyAsync(context);

    /// <summary>Writes a body, with the header of its media type when it is whole; called by the framework.</summary>
    public override Task WriteResponseBodyAsync(OutputFormatterWriteContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        HttpContext http = context.HttpContext;
        return ResponseBody.WriteAsync(
            http.Response, context.Object, _serializer, null, context.ContentType.Value ?? WireMediaType.Name, http.RequestAborted);
    }

    /// <inheritdoc/>
    protected override bool CanWriteType(Type? type) => type is not null && _covers(type);
}
