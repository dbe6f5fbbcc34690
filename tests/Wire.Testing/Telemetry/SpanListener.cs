using System.Collections.Concurrent;
using System.Diagnostics;

namespace Wire.Testing.Telemetry;

/// <summary>Keeps the spans of some sources.</summary>
public sealed class SpanListener : IDisposable
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

    /// <summary>Waits until there are so many of a name.</summary>
    public async Task<Activity[]> SpansAsync(string name, int count)
    {
        await Until.HoldsAsync(() => Count(span => span.DisplayName == name) >= count, $"{count} spans '{name}'");
        return [.. _stopped.Where(span => span.DisplayName == name)];
    }

    public int Count(Func<Activity, bool> wanted) => _stopped.Count(wanted);

    public void Dispose() => _listener.Dispose();
}
