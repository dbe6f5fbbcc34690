namespace Wire.RabbitMQ.Tests.Diagnostics;

/// <summary>Tests that listen, or need that nobody does: alone in the process, one after the other.</summary>
[CollectionDefinition(Name, DisableParallelization = true)]
public static class TelemetryTests
{
    public const string Name = "Telemetry";
}
