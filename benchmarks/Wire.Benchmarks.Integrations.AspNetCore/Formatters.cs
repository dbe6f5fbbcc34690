using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Mvc;
using Microsoft.AspNetCore.Mvc.Formatters;
using Microsoft.AspNetCore.Mvc.ModelBinding;
using Microsoft.Extensions.Logging.Abstractions;
using Wire.AspNetCore;

namespace Wire.Benchmarks.Integrations;

/// <summary>
/// The formatters of MVC: a response with the message, and a request with it. Each has an HttpContext of its own, as on a server.
/// </summary>
internal static class Formatters
{
    public static IEnumerable<Candidate> All(OrderEvent message)
    {
        var options = new JsonOptions();
        yield return New(
            "System.Text.Json, the default",
            "application/json",
            message,
            new SystemTextJsonOutputFormatter(options.JsonSerializerOptions),
            new SystemTextJsonInputFormatter(options, NullLogger<SystemTextJsonInputFormatter>.Instance));
        yield return New(
            "Wire",
            "application/x-wire",
            message,
            new WireOutputFormatter(Serializers.Plain, Covers),
            new WireInputFormatter(Serializers.Plain, Covers));
        yield return New(
            "Wire, known types",
            "application/x-wire",
            message,
            new WireOutputFormatter(Serializers.Known, Covers),
            new WireInputFormatter(Serializers.Known, Covers));
    }

    private static bool Covers(Type type) => type.IsAssignableTo(typeof(OrderEvent));

    private static Candidate New(string name, string mediaType, OrderEvent message, IOutputFormatter output, IInputFormatter input)
    {
        var body = new MemoryStream(4096);
        ModelMetadata metadata = new EmptyModelMetadataProvider().GetMetadataForType(typeof(OrderEvent));
        return new(
            "MVC formatters",
            name,
            () =>
            {
                body.SetLength(0);
                var context = new DefaultHttpContext { Response = { Body = body } };
                output.WriteAsync(new OutputFormatterWriteContext(
                    context, static (stream, encoding) => new StreamWriter(stream, encoding), typeof(OrderEvent), message)
                {
                    ContentType = mediaType,
                }).GetAwaiter().GetResult();
                return (int)body.Length;
            },
            () =>
            {
                body.Position = 0;
                var context = new DefaultHttpContext { Request = { Body = body, ContentType = mediaType, ContentLength = body.Length } };
                InputFormatterResult result = input.ReadAsync(new InputFormatterContext(
                    context, "", new ModelStateDictionary(), metadata, static (stream, encoding) => new StreamReader(stream, encoding)))
                    .GetAwaiter().GetResult();
                return (OrderEvent)result.Model!;
            });
    }
}
