using System.Net;
using System.Net.Mail;
using System.Net.NetworkInformation;
using System.Net.Sockets;

namespace Wire.ValueSerializers.Scalars;

/// <summary>An IPAddress: its 4 or 16 bytes, and the scope of one with 16. The read-only ones come back as others do.</summary>
internal sealed class IPAddressConversion : IConversion<IPAddress, IPAddressConversion.Parts>
{
    public static Parts To(IPAddress value) =>
        new(value.GetAddressBytes(), value.AddressFamily == AddressFamily.InterNetworkV6 ? value.ScopeId : 0);

    public static IPAddress From(Parts written) =>
        written.Scope == 0 ? new IPAddress(written.Address.Span)
        : written.Address.Length == 16 ? new IPAddress(written.Address.Span, written.Scope)
        : throw new FormatException("Only an address of 16 bytes has a scope.");

    internal readonly record struct Parts(ReadOnlyMemory<byte> Address, long Scope);
}

internal sealed class IPEndPointConversion : IConversion<IPEndPoint, IPEndPointConversion.Parts>
{
    public static Parts To(IPEndPoint value) => new(value.Address, value.Port);

    public static IPEndPoint From(Parts written) => new(written.Address, written.Port);

    internal readonly record struct Parts(IPAddress Address, int Port);
}

internal sealed class DnsEndPointConversion : IConversion<DnsEndPoint, DnsEndPointConversion.Parts>
{
    public static Parts To(DnsEndPoint value) => new(value.Host, value.Port, value.AddressFamily);

    public static DnsEndPoint From(Parts written) => new(written.Host, written.Port, written.Family);

    internal readonly record struct Parts(string Host, int Port, AddressFamily Family);
}

internal sealed class IPNetworkConversion : IConversion<IPNetwork, IPNetworkConversion.Parts>
{
    public static Parts To(IPNetwork value) => new(value.BaseAddress, value.PrefixLength);

    public static IPNetwork From(Parts written) => new(written.BaseAddress, written.PrefixLength);

    internal readonly record struct Parts(IPAddress BaseAddress, int PrefixLength);
}

internal sealed class PhysicalAddressConversion : IConversion<PhysicalAddress, ReadOnlyMemory<byte>>
{
    public static ReadOnlyMemory<byte> To(PhysicalAddress value) => value.GetAddressBytes();

    public static PhysicalAddress From(ReadOnlyMemory<byte> written) => new(written.ToArray());
}

internal sealed class HttpMethodConversion : IConversion<HttpMethod, string>
{
    public static string To(HttpMethod value) => value.Method;

    public static HttpMethod From(string written) => HttpMethod.Parse(written) is { } known && known.Method == written ? known : new HttpMethod(written);
}

/// <summary>A MailAddress: the address and the name. The encoding of the name in mail headers is lost.</summary>
internal sealed class MailAddressConversion : IConversion<MailAddress, MailAddressConversion.Parts>
{
    public static Parts To(MailAddress value) => new(value.Address, value.DisplayName);

    public static MailAddress From(Parts written) => new(written.Address, written.DisplayName);

    internal readonly record struct Parts(string Address, string DisplayName);
}
