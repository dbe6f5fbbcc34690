using System.Diagnostics.CodeAnalysis;
using System.Text.Json;
using MassTransit;
using MassTransit.Events;
using MassTransit.Serialization;
using Wire.Runtime;

namespace Wire.MassTransit.Surrogates;

/// <summary>
/// The stand-in of an exception in a fault. What a program adds to its exceptions is not to keep a fault from who waits for it: values of
/// other types than these are JSON, as with MassTransit's own serializer, and name nothing.
/// </summary>
[WireName("Wire.MassTransit.Exception")]
internal sealed class ExceptionReference : ISurrogate<ExceptionReference, FaultExceptionInfo>
{
    [WireName("t")]
    public string? Type { get; set; }

    [WireName("i")]
    public ExceptionInfo? Inner { get; set; }

    [WireName("s")]
    public string? StackTrace { get; set; }

    [WireName("m")]
    public string? Message { get; set; }

    [WireName("o")]
    public string? Source { get; set; }

    [WireName("d")]
    public Dictionary<string, object?>? Data { get; set; }

    public static ExceptionReference From(FaultExceptionInfo value) => new()
    {
        Type = value.ExceptionType,
        Inner = value.InnerException,
        StackTrace = value.StackTrace,
        Message = value.Message,
        Source = value.Source,
        Data = value.Data?.ToDictionary(entry => entry.Key, entry => Plain(entry.Value), StringComparer.OrdinalIgnoreCase),
    };

    public FaultExceptionInfo ToSource() => new()
    {
        ExceptionType = Type!,
        InnerException = Inner!,
        StackTrace = StackTrace!,
        Message = Message!,
        Source = Source!,
        Data = Data!,
    };

    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = TrimmingAdvice.Inside)]
    [UnconditionalSuppressMessage("AOT", "IL3050", Justification = TrimmingAdvice.Inside)]
    private static object? Plain(object? value)
    {
        switch (value)
        {
            case null or string or bool or char or sbyte or byte or short or ushort or int or uint or long or ulong or float or double
                or decimal or Guid or DateTime or DateTimeOffset or TimeSpan or JsonElement:
                return value;
            default:
                try
                {
                    return JsonSerializer.SerializeToElement(value, SystemTextJsonMessageSerializer.Options);
                }
                catch (Exception)
                {
                    // Getters of the program's may throw anything: then the text says what was there.
                    return Text(value);
                }
        }
    }

    private static string? Text(object value)
    {
        try
        {
            return value.ToString();
        }
        catch (Exception)
        {
            return value.GetType().ToString();
        }
    }
}
