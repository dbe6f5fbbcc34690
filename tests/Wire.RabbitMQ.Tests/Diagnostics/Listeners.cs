using System.Collections.Concurrent;
using System.Diagnostics;
using System.Diagnostics.Metrics;

namespace Wire.RabbitMQ.Tests.Diagnostics;

/// <summary>Tests that listen, or need that nobody does: alone in the process, one after the other.</summary>
[CollectionDefinition(Name, DisableParallelization = true)]
public static class TelemetryTests
{
    public const string Name = "Telemetry";
}

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

    /// <summary>Waits for a span.</summary>
    public async Task<Activity> SpanAsync(Func<Activity, bool> wanted)
    {
        using var timeout = new CancellationTokenSource(TimeSpan.FromSeconds(60));
        while (true)
        {
            if (_stopped.FirstOrDefault(wanted) is { } span)
            {
                return span;
            }

            await Task.Delay(10, timeout.Token);
        }
    }

    public int Count(Func<Activity, bool> wanted) => _stopped.Count(wanted);

    public void Dispose() => _listener.Dispose();
}

/// <summary>Keeps the numbers of the library's meter.</summary>
internal sealed class NumberListener : IDisposable
{
    private readonly ConcurrentQueue<Number> _numbers = new();
    private readonly MeterListener _listener = new();

    public NumberListener()
    {
        _listener.InstrumentPublished = (instrument, listener) =>
        {
            if (instrument.Meter.Name == "Wire.RabbitMQ")
            {
                listener.EnableMeasurementEvents(instrument);
            }
        };
        _listener.SetMeasurementEventCallback<long>((instrument, value, tags, _) => Add(instrument, value, tags));
        _listener.SetMeasurementEventCallback<double>((instrument, value, tags, _) => Add(instrument, value, tags));
        _listener.Start();
    }

    /// <summary>The sum of what an instrument has counted, of those that have these tags.</summary>
    public double Sum(string instrument, params (string Key, object? Value)[] tags) => Of(instrument, tags).Sum(number => number.Value);

    public IReadOnlyList<Number> Of(string instrument, params (string Key, object? Value)[] tags) =>
        [.. _numbers.Where(number => number.Is(instrument, tags))];

    /// <summary>What an instrument that is asked says now, of what has these tags.</summary>
    public double Now(string instrument, params (string Key, object? Value)[] tags)
    {
        int before = _numbers.Count;
        _listener.RecordObservableInstruments();
        return _numbers.Skip(before).Where(number => number.Is(instrument, tags)).Sum(number => number.Value);
    }

    /// <summary>Waits until it holds.</summary>
    public static async Task UntilAsync(Func<bool> holds)
    {
        using var timeout = new CancellationTokenSource(TimeSpan.FromSeconds(60));
        while (!holds())
        {
            await Task.Delay(10, timeout.Token);
        }
    }

    public void Dispose() => _listener.Dispose();

    private void Add(Instrument instrument, double value, ReadOnlySpan<KeyValuePair<string, object?>> tags) =>
        _numbers.Enqueue(new Number(instrument.Name, instrument.Unit, value, tags.ToArray().ToDictionary()));
}

/// <summary>One measurement.</summary>
internal sealed record Number(string Instrument, string? Unit, double Value, Dictionary<string, object?> Tags)
{
    /// <summary>Whether an instrument has told it with these tags; a tag of null is one that it does not have.</summary>
    public bool Is(string instrument, (string Key, object? Value)[] tags) => Instrument == instrument
        && tags.All(tag => Tags.TryGetValue(tag.Key, out object? value) ? Equals(value, tag.Value) : tag.Value is null);
}
