using System.Diagnostics.Metrics;

namespace Wire.Transport.Diagnostics;

/// <summary>Creates the instruments that the semantic conventions of OpenTelemetry name for messaging, and others like them.</summary>
internal static class Instruments
{
    /// <summary>The version that sources of spans and meters of a library have.</summary>
    public static string VersionOf(Type type) => type.Assembly.GetName().Version?.ToString(3) ?? "";

    /// <summary>Creates the counter of messages handed to the broker, which are counted when their outcome is known.</summary>
    public static Counter<long> Sent(Meter meter) =>
        Messages(meter, "messaging.client.sent.messages", "Number of messages producer attempted to send to the broker.");

    /// <summary>Creates the counter of messages handed to the program, each once, however often it is tried.</summary>
    public static Counter<long> Consumed(Meter meter) =>
        Messages(meter, "messaging.client.consumed.messages", "Number of messages that were delivered to the application.");

    /// <summary>Creates the times of what the program calls, as from a publish to the broker's answer.</summary>
    public static Histogram<double> OperationDuration(Meter meter) => Seconds(
        meter, "messaging.client.operation.duration", "Duration of messaging operation initiated by a producer or consumer client.");

    /// <summary>Creates the times of what handlers do with a message, to the end of the last attempt.</summary>
    public static Histogram<double> ProcessDuration(Meter meter) =>
        Seconds(meter, "messaging.process.duration", "Duration of processing operation.");

    /// <summary>Creates a counter of messages.</summary>
    public static Counter<long> Messages(Meter meter, string name, string description) =>
        meter.CreateCounter<long>(name, "{message}", description);

    // The boundaries that the conventions require.
    private static Histogram<double> Seconds(Meter meter, string name, string description) => meter.CreateHistogram(
        name,
        "s",
        description,
        tags: null,
        new InstrumentAdvice<double>
        {
            HistogramBucketBoundaries = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
        });
}
