using MassTransit;
using MassTransit.Metadata;

namespace Wire.MassTransit.Envelopes;

/// <summary>The process that sent a message.</summary>
/// <remarks>It is a <see cref="HostInfo"/> because earlier versions put it into members of messages, which may be queued still.</remarks>
[WireName("Wire.MassTransit.Host")]
internal sealed class EnvelopeHost : HostInfo
{
    /// <summary>Gets this process.</summary>
    public static EnvelopeHost Own { get; } = For(HostMetadataCache.Host);

    [WireName("m")]
    public string? MachineName { get; set; }

    [WireName("p")]
    public string? ProcessName { get; set; }

    [WireName("i")]
    public int ProcessId { get; set; }

    [WireName("a")]
    public string? Assembly { get; set; }

    [WireName("v")]
    public string? AssemblyVersion { get; set; }

    [WireName("f")]
    public string? FrameworkVersion { get; set; }

    [WireName("t")]
    public string? MassTransitVersion { get; set; }

    [WireName("o")]
    public string? OperatingSystemVersion { get; set; }

    /// <summary>Makes what MassTransit's own serializers make of it.</summary>
    public BusHostInfo ToBusHostInfo() => new()
    {
        MachineName = MachineName,
        ProcessName = ProcessName,
        ProcessId = ProcessId,
        Assembly = Assembly,
        AssemblyVersion = AssemblyVersion,
        FrameworkVersion = FrameworkVersion,
        MassTransitVersion = MassTransitVersion,
        OperatingSystemVersion = OperatingSystemVersion,
    };

    private static EnvelopeHost For(HostInfo host) => new()
    {
        MachineName = host.MachineName,
        ProcessName = host.ProcessName,
        ProcessId = host.ProcessId,
        Assembly = host.Assembly,
        AssemblyVersion = host.AssemblyVersion,
        FrameworkVersion = host.FrameworkVersion,
        MassTransitVersion = host.MassTransitVersion,
        OperatingSystemVersion = host.OperatingSystemVersion,
    };
}
