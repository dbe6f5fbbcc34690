using System.Collections.Concurrent;
using System.Diagnostics;
using System.Diagnostics.Metrics;
using Wire.Testing;

namespace Wire.RabbitMQ.Streams.Tests.Diagnostics;

/// <summary>Keeps the spans of some sources.</summary>
internal sealed class SpanListener : IDisposable
{
    private readonly ConcurrentQueue<Activity> _stopped = new();
    private readonly ActivityListener _listener;

    public SpanListener(params string[] sources)
    {
        _listener = new ActivityListener
        {
            ShouldListenTo = source => sources.Contains(source.Name),
            Sample = (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllDataAndRecorded,
            ActivityStopped = _stopped.Enqueue,
        };
        ActivitySource.AddActivityListener(_listener);
    }

    /// <summary>Waits until there are so many of a name.</summary>
    public async Task<Activity[]> SpansAsync(string name, int count)
    {
        await Until.HoldsAsync(() => _stopped.Count(span => span.DisplayName == name) >= count, $"{count} spans '{name}'");
        return [.. _stopped.Where(span => span.DisplayName == name)];
    }

    public void Dispose() => _listener.Dispose();
}

/// <summary>Keeps the numbers of the library's meter.</summary>
internal sealed class NumberListener : IDisposable
{
    private readonly ConcurrentQueue<(string Instrument, double Value, Dictionary<string, object?> Tags)> _numbers = new();
    private readonly MeterListener _listener = new();

    public NumberListener()
    {
        _listener.InstrumentPublished = (instrument, listener) =>
        {
            if (instrument.Meter.Name == "Wire.RabbitMQ.Streams")
            {
                listener.EnableMeasurementEvents(instrument);
            }
        };
        _listener.SetMeasurementEventCallback<long>((instrument, value, tags, _) => Add(instrument, value, tags));
        _listener.SetMeasurementEventCallback<double>((instrument, value, tags, _) => Add(instrument, value, tags));
        _listener.Start();
    }

    /// <summary>The measurements of an instrument about a stream, with an error or without any.</summary>
    public double[] Of(string instrument, string stream, string? error = null) =>
    [
        .. _numbers.Where(number => number.Instrument == instrument
            && Equals(number.Tags["messaging.destination.name"], stream)
            && Equals(number.Tags.GetValueOrDefault("error.type"), error)).Select(number => number.Value),
    ];

    /// <summary>The tags of the last measurement of an instrument about a stream.</summary>
    public Dictionary<string, object?> Tags(string instrument, string stream) => _numbers.Last(
        number => number.Instrument == instrument && Equals(number.Tags["messaging.destination.name"], stream)).Tags;

    /// <summary>What an instrument that is asked says of a stream now; nothing where it is silent.</summary>
    public double[] Now(string instrument, string stream)
    {
        _numbers.Clear();
        _listener.RecordObservableInstruments();
        return Of(instrument, stream);
    }

    public void Dispose() => _listener.Dispose();

    private void Add(Instrument instrument, double value, ReadOnlySpan<KeyValuePair<string, object?>> tags) =>
        _numbers.Enqueue((instrument.Name, value, tags.ToArray().ToDictionary()));
}

/// <summary>Waits for what another thread does.</summary>
internal static class Until
{
    public static async Task HoldsAsync(Func<bool> holds, string what)
    {
        using var time = new CancellationTokenSource(Patience.Limit);
        while (!holds())
        {
            Assert.False(time.IsCancellationRequested, $"It has been waited in vain for {what}.");
            await Task.Delay(5);
        }
    }
}
