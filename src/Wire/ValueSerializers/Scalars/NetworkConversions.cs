using System.Net;
using System.Net.Sockets;

namespace Wire.ValueSerializers.Scalars;

/// <summary>An IPAddress: its 4 or 16 bytes, and the scope of one with 16. Read-only ones are restored as ordinary ones.</summary>
internal static class IPAddressConversion
{
    public static Parts To(IPAddress value) =>
        new(value.GetAddressBytes(), value.AddressFamily == AddressFamily.InterNetworkV6 ? value.ScopeId : 0);

    public static IPAddress From(Parts written) =>
        written.Scope == 0 ? new IPAddress(written.Address.Span)
        : written.Address.Length == 16 ? new IPAddress(written.Address.Span, written.Scope)
        : throw new FormatException("Only an address of 16 bytes has a scope.");

    internal readonly record struct Parts(ReadOnlyMemory<byte> Address, long Scope);
}

internal readonly record struct IPEndPointParts(IPAddress Address, int Port);

internal readonly record struct DnsEndPointParts(string Host, int Port, AddressFamily Family);

internal readonly record struct IPNetworkParts(IPAddress BaseAddress, int PrefixLength);

internal readonly record struct MailAddressParts(string Address, string DisplayName);
