using System.Net;
using System.Net.Mail;
using System.Net.NetworkInformation;
using System.Net.Sockets;
using Wire.Tests.Testing;

namespace Wire.Tests.ValueSerializers.Scalars;

[TypeNotes("read-only ones come back as plain ones")]
public sealed class IPAddressTests : ValueTests<IPAddress?>
{
    protected override IEnumerable<IPAddress?> Samples =>
        [
            null,
            new([10, 0, 0, 1]),
            IPAddress.Parse("2001:db8::1"),
            IPAddress.Parse("fe80::1%7"),
            IPAddress.Parse("::ffff:1.2.3.4"),
            new(new byte[16], uint.MaxValue),
        ];

    [Fact]
    public void The_read_only_ones_come_back_as_addresses()
    {
        foreach (IPAddress address
            in new[] { IPAddress.Loopback, IPAddress.Any, IPAddress.Broadcast, IPAddress.None, IPAddress.IPv6Any, IPAddress.IPv6Loopback })
        {
            var holder = new Serializer().CopyBothWays(new Holder<IPAddress> { Declared = address, Any = address });
            Assert.Equal(address, holder.Declared);
            Assert.Equal(address, Assert.IsType<IPAddress>(holder.Any));
        }
    }

    [Fact]
    public void A_class_of_the_programs_own_is_unsupported() =>
        Assert.Throws<UnsupportedTypeException>(() => new Serializer().Serialize(new OwnAddress()));

    private sealed class OwnAddress() : IPAddress(1);
}

public sealed class IPEndPointTests : ValueTests<IPEndPoint?>
{
    protected override IEnumerable<IPEndPoint?> Samples => [null, new(IPAddress.Loopback, 0), new(IPAddress.Parse("fe80::1%7"), 65535)];
}

public sealed class DnsEndPointTests : ValueTests<DnsEndPoint?>
{
    protected override IEnumerable<DnsEndPoint?> Samples =>
        [null, new("example.com", 443), new("example.com", 0, AddressFamily.InterNetworkV6)];
}

public sealed class IPNetworkTests : ValueTests<System.Net.IPNetwork>
{
    protected override IEnumerable<System.Net.IPNetwork> Samples =>
        [default, System.Net.IPNetwork.Parse("10.1.0.0/16"), System.Net.IPNetwork.Parse("2001:db8::/32")];
}

public sealed class PhysicalAddressTests : ValueTests<PhysicalAddress?>
{
    protected override IEnumerable<PhysicalAddress?> Samples => [null, PhysicalAddress.None, PhysicalAddress.Parse("00-11-22-33-44-55")];
}

public sealed class HttpMethodTests : ValueTests<HttpMethod?>
{
    protected override IEnumerable<HttpMethod?> Samples => [null, HttpMethod.Get, HttpMethod.Patch, new("PROPFIND"), new("get")];
}

[TypeNotes("its encoding is lost")]
public sealed class MailAddressTests : ValueTests<MailAddress?>
{
    protected override IEnumerable<MailAddress?> Samples =>
        [null, new("a@example.com"), new("\"a b\"@example.com", "Ä, B"), new("A B <c@[10.0.0.1]>")];
}

public sealed class CookieTests : ValueTests<Cookie?>
{
    protected override IEnumerable<Cookie?> Samples =>
    [
        null, new(), new("a", "b"), new("name", "\"v, w\"", "/path", ".example.com"),
        new("n", "v")
        {
            Comment = "c", CommentUri = new Uri(
                "http://a/"), Discard = true, Domain = "example.com", HttpOnly = true, Port = "\"80,8080\"", Secure = true, Version = 1,
            Expires = new DateTime(2000, 1, 2, 3, 4, 5, DateTimeKind.Utc),
        },
    ];
}
