using MassTransit;
using MassTransit.Metadata;

namespace Wire.MassTransit.Envelopes;

/// <summary>The process that sent a message.</summary>
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
