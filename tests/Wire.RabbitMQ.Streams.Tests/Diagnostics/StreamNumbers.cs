using Wire.Testing.Telemetry;

namespace Wire.RabbitMQ.Streams.Tests.Diagnostics;

/// <summary>Keeps the numbers of the library's meter, and tells them by their stream.</summary>
internal sealed class StreamNumbers : IDisposable
{
    private readonly NumberListener _numbers = new("Wire.RabbitMQ.Streams");

    /// <summary>The measurements of an instrument about a stream, with an error or without any.</summary>
    public double[] Of(string instrument, string stream, string? error = null) =>
        [.. _numbers.Of(instrument, About(stream), ("error.type", error)).Select(number => number.Value)];

    /// <summary>The tags of the last measurement of an instrument about a stream.</summary>
    public Dictionary<string, object?> Tags(string instrument, string stream) => _numbers.Of(instrument, About(stream))[^1].Tags;

    /// <summary>What an instrument that is asked says of a stream now; nothing where it is silent.</summary>
    public double[] Now(string instrument, string stream) =>
        [.. _numbers.Ask(instrument, About(stream), ("error.type", null)).Select(number => number.Value)];

    public void Dispose() => _numbers.Dispose();

    private static (string, object?) About(string stream) => ("messaging.destination.name", stream);
}
