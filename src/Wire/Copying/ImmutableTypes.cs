using System.Runtime.CompilerServices;

namespace Wire.Copying;

/// <summary>The types of .NET, without a tag, whose values cannot change, so that a value and its copy may be one object.</summary>
internal static class ImmutableTypes
{
    // By name: to ask for a type does not load the assembly of another.
    private static readonly HashSet<string> Names = new(StringComparer.Ordinal)
    {
        "System.Globalization.CompareInfo",
        "System.Globalization.RegionInfo",
        "System.Diagnostics.ActivityTraceId",
        "System.Diagnostics.ActivitySpanId",
        "System.Diagnostics.ActivityContext",
        "System.Net.DnsEndPoint",
        "System.Net.Http.HttpMethod",
        "System.Net.Mail.MailAddress",
        "System.Net.NetworkInformation.PhysicalAddress",
        "System.Security.Cryptography.HashAlgorithmName",
        "System.Xml.Linq.XName",
        "System.Xml.Linq.XNamespace",
    };

    /// <summary>Returns whether values of a type that is written as another one cannot change.</summary>
    public static bool Contains<T>() =>
        !RuntimeHelpers.IsReferenceOrContainsReferences<T>() || (typeof(T).FullName is { } name && Names.Contains(name));
}
