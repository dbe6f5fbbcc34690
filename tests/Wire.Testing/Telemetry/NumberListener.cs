using System.Collections.Concurrent;
using System.Diagnostics.Metrics;

namespace Wire.Testing.Telemetry;

/// <summary>Keeps the numbers of a meter.</summary>
public sealed class NumberListener : IDisposable
{
    private readonly ConcurrentQueue<Number> _numbers = new();
    private readonly MeterListener _listener = new();

    public NumberListener(string meter)
    {
        _listener.InstrumentPublished = (instrument, listener) =>
        {
            if (instrument.Meter.Name == meter)
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
        [.. Having(_numbers, instrument, tags)];

    /// <summary>What an instrument that is asked says now.</summary>
    public double Now(string instrument, params (string Key, object? Value)[] tags) => Ask(instrument, tags).Sum(number => number.Value);

    /// <summary>Each number that an instrument that is asked says now.</summary>
    public IReadOnlyList<Number> Ask(string instrument, params (string Key, object? Value)[] tags)
    {
        int before = _numbers.Count;
        _listener.RecordObservableInstruments();
        return [.. Having(_numbers.Skip(before), instrument, tags)];
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

    private static IEnumerable<Number> Having(
        IEnumerable<Number> numbers, string instrument, (string Key, object? Value)[] tags) =>
        numbers.Where(number => number.Instrument == instrument
            && tags.All(tag => number.Tags.TryGetValue(tag.Key, out object? value) ? Equals(value, tag.Value) : tag.Value is null));

    private void Add(Instrument instrument, double value, ReadOnlySpan<KeyValuePair<string, object?>> tags) =>
        _numbers.Enqueue(new Number(instrument.Name, instrument.Unit, value, tags.ToArray().ToDictionary()));
}

/// <summary>One measurement.</summary>
public sealed record Number(string Instrument, string? Unit, double Value, Dictionary<string, object?> Tags);
