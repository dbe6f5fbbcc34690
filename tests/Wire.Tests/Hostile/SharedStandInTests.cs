using System.Net;
using System.Security.Claims;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Security.Principal;

namespace Wire.Tests.Hostile;

/// <summary>
/// Stand-ins of the ready surrogates that share what each value has a copy of: a few bytes for each must not make much memory or work.
/// </summary>
public sealed class SharedStandInTests
{
    private const int Many = 10_000;

    private static readonly SerializerOptions Options = new() { PreserveObjectReferences = true };

    private static readonly Serializer Reader = new(Options with
    {
        Surrogates = [.. FrameworkSurrogates.All],
        Limits = new Limits { MaxAllocation = 20_000_000 },
    });

    private static readonly string[] Roles = [.. Enumerable.Repeat("r", Many)];

    private static readonly StandInOfClaim[] Claims =
        [.. Enumerable.Range(0, Many).Select(_ => new StandInOfClaim { Type = "t", Value = "v", ValueType = "s" })];

    private static readonly KeyValuePair<string, string>[] Properties =
        [.. Enumerable.Range(0, Many).Select(i => new KeyValuePair<string, string>($"k{i}", "v"))];

    private static readonly GenericIdentity Named = new("n");

    private static readonly GenericIdentity WithClaims = Filled(new("n"));

    private static readonly ClaimsIdentity[] Identities = [.. Enumerable.Repeat(Named, Many)];

    private static readonly Cookie[] Cookies = [.. Enumerable.Range(0, 2000).Select(i => new Cookie($"n{i}", ""))];

    private static readonly StandInOfCookie[] Received =
        [.. Cookies.Select(cookie => new StandInOfCookie { From = new("http://a.b/"), Cookie = cookie })];

    private static readonly StandInOfCookie[] ReceivedFromFar =
        [new() { From = new($"http://a.b/{new string('p', 50_000)}/"), Cookie = new Cookie("n", "") }];

    private static readonly byte[] Certificate = NewCertificate();

    [Fact]
    public void Roles_are_counted_for_each_principal() => Refuses(
        nameof(Limits.MaxAllocation),
        30,
        () => new GenericPrincipal(Named, []),
        (GenericPrincipal _) => new StandInOfGenericPrincipal { Identity = Named, Roles = Roles, Others = [] });

    [Fact]
    public void Claims_are_counted_for_each_principal_that_copies_its_identity() => Refuses(
        nameof(Limits.MaxAllocation),
        30,
        () => new GenericPrincipal(Named, []),
        (GenericPrincipal _) => new StandInOfGenericPrincipal { Identity = WithClaims, Others = [] });

    [Fact]
    public void Identities_are_counted_for_each_principal() => Refuses(
        nameof(Limits.MaxAllocation), 200, () => new ClaimsPrincipal(), (ClaimsPrincipal _) => Identities);

    [Fact]
    public void Claims_are_counted_for_each_identity() => Refuses(
        nameof(Limits.MaxAllocation),
        30,
        () => new ClaimsIdentity(),
        (ClaimsIdentity _) => new StandInOfIdentity { NameClaimType = "n", RoleClaimType = "r", Claims = Claims });

    [Fact]
    public void Claims_are_counted_for_each_identity_with_a_name() => Refuses(
        nameof(Limits.MaxAllocation),
        30,
        () => new GenericIdentity("n"),
        (GenericIdentity _) => new StandInOfGenericIdentity
        {
            Name = "n",
            Claims = new() { AuthenticationType = "", NameClaimType = "n", RoleClaimType = "r", Claims = Claims },
        });

    [Fact]
    public void Properties_are_counted_for_each_claim() => Refuses(
        nameof(Limits.MaxAllocation),
        100,
        () => new Claim("t", "v"),
        (Claim _) => new StandInOfClaim { Type = "t", Value = "v", ValueType = "s", Properties = Properties });

    [Fact]
    public void Bytes_are_counted_for_each_certificate() => Refuses(
        nameof(Limits.MaxAllocation),
        3000,
        () => X509CertificateLoader.LoadCertificate(Certificate),
        (X509Certificate2 _) => Certificate);

    [Fact]
    public void Comparisons_of_cookies_are_counted_for_each_collection() => Refuses(
        nameof(Limits.MaxCollisions), 10, () => new CookieCollection(), (CookieCollection _) => Cookies);

    [Fact]
    public void Comparisons_of_cookies_are_counted_for_each_container() => Refuses(
        nameof(Limits.MaxCollisions), 10, () => new CookieContainer(), (CookieContainer _) => Container(Received));

    [Fact]
    public void Paths_of_cookies_are_counted_for_each_container() => Refuses(
        nameof(Limits.MaxAllocation), 200, () => new CookieContainer(), (CookieContainer _) => Container(ReceivedFromFar));

    [Fact]
    public void A_container_that_has_no_room_for_its_cookies_is_refused()
    {
        byte[] bytes = Forged(
            1, () => new CookieContainer(), (CookieContainer _) => Container(Received) with { Capacity = 1500, PerDomainCapacity = 1500 });

        Assert.Equal(WireFormatError.InvalidValue, Assert.Throws<WireFormatException>(() => Reader.Deserialize<object>(bytes)).Error);
    }

    [Fact]
    public void Actors_of_actors_are_bounded_where_no_depth_bounds_them()
    {
        ClaimsIdentity[] chain = new ClaimsIdentity[1002];
        chain[0] = new ClaimsIdentity();
        for (int i = 1; i < chain.Length; i++)
        {
            chain[i] = new ClaimsIdentity { Actor = chain[i - 1] };
        }

        Assert.Contains(
            "more than 1000 actors",
            Assert.Throws<UnsupportedTypeException>(() => Reader.Serialize(chain)).Message,
            StringComparison.Ordinal);
        byte[] bytes = new Serializer(Options with
        {
            Surrogates =
            [
                Surrogate.Create<ClaimsIdentity, StandInOfIdentity>(
                    value => new() { NameClaimType = "n", RoleClaimType = "r", Actor = value.Actor, Claims = [] }, _ => null!),
            ],
        }).Serialize(chain);
        Assert.Contains(
            "more than 1000 actors",
            Assert.Throws<WireFormatException>(() => Reader.Deserialize<object>(bytes)).ToString(),
            StringComparison.Ordinal);
        Assert.Equal(1001, Reader.Deserialize<ClaimsIdentity[]>(Reader.Serialize(chain[..1001]))!.Length);
    }

    [Fact]
    public void A_writer_counts_the_same()
    {
        var principal = new GenericPrincipal(Named, Roles);
        object[] many = [.. Enumerable.Range(0, 10).Select(_ => new GenericPrincipal(Named, Roles))];

        Assert.True(Reader.Deserialize<GenericPrincipal>(Reader.Serialize(principal))!.IsInRole("r"));
        Assert.Contains(
            nameof(Limits.MaxAllocation),
            Assert.Throws<ObjectGraphException>(() => Reader.Serialize(many)).Message,
            StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(4096, true)]
    [InlineData(4097, false)]
    public void As_many_cookies_as_the_docs_say_fit_into_the_default_limits(int count, bool fit)
    {
        var serializer = new Serializer(new() { Surrogates = [.. FrameworkSurrogates.All] });
        var larger = new Serializer(new() { Surrogates = [.. FrameworkSurrogates.All], Limits = new() { MaxCollisions = 1 << 21 } });
        var container = new CookieContainer(5000, 5000, 4096);
        var collection = new CookieCollection();
        for (int i = 0; i < count; i++)
        {
            container.Add(new Cookie($"n{i}", "v", "/", "x.org"));
            collection.Add(new Cookie($"n{i}", "v", "/", "x.org"));
        }

        Assert.Equal(count, Assert.IsType<CookieContainer>(larger.Deserialize<object>(larger.Serialize(container))).Count);
        Assert.Equal(count, Assert.IsType<CookieCollection>(larger.Deserialize<object>(larger.Serialize(collection))).Count);
        foreach (object value in new object[] { container, collection })
        {
            if (fit)
            {
                Assert.IsType(value.GetType(), serializer.Deserialize<object>(serializer.Serialize(value)));
            }
            else
            {
                Assert.Contains(
                    $"{nameof(Limits.MaxCollisions)} = 1048576",
                    Assert.Throws<ObjectGraphException>(() => serializer.Serialize(value)).Message,
                    StringComparison.Ordinal);
                Assert.Equal(
                    WireFormatError.Limit,
                    Assert.Throws<WireFormatException>(() => serializer.Deserialize<object>(larger.Serialize(value))).Error);
            }
        }
    }

    // One is read, and many that share the same are refused, though each takes a few bytes.
    private static void Refuses<T, TStandIn>(string limit, int many, Func<T> make, Func<T, TStandIn> standIn)
        where T : class
    {
        byte[] one = Forged(1, make, standIn);
        byte[] shared = Forged(many, make, standIn);

        Assert.InRange(shared.Length, 0, one.Length + (32 * many));
        Assert.IsType<T>(Assert.Single(Reader.Deserialize<T[]>(one)!));
        WireFormatException error = Assert.Throws<WireFormatException>(() => Reader.Deserialize<object>(shared));
        Assert.Equal(WireFormatError.Limit, error.Error);
        Assert.Contains(limit, error.Message, StringComparison.Ordinal);
    }

    private static byte[] Forged<T, TStandIn>(int count, Func<T> make, Func<T, TStandIn> standIn)
    {
        Surrogate forged = Surrogate.Create(standIn, _ => default!);
        return new Serializer(Options with
        {
            Surrogates = [forged, .. FrameworkSurrogates.All.Where(surrogate => surrogate.SourceType != typeof(T))],
        }).Serialize(Enumerable.Range(0, count).Select(_ => make()).ToArray());
    }

    private static StandInOfContainer Container(StandInOfCookie[] cookies) => new()
    {
        Capacity = 5000,
        PerDomainCapacity = 5000,
        MaxCookieSize = 4096,
        Cookies = cookies,
    };

    private static GenericIdentity Filled(GenericIdentity identity)
    {
        identity.AddClaims(Enumerable.Range(0, Many).Select(_ => new Claim("t", "v")));
        return identity;
    }

    private static byte[] NewCertificate()
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        using X509Certificate2 certificate = new CertificateRequest("CN=test", key, HashAlgorithmName.SHA256)
            .CreateSelfSigned(DateTimeOffset.UnixEpoch, DateTimeOffset.UnixEpoch.AddYears(100));
        return certificate.RawData;
    }

    private struct StandInOfGenericPrincipal
    {
        public IIdentity Identity { get; set; }

        public string[]? Roles { get; set; }

        public ClaimsIdentity[] Others { get; set; }
    }

    private struct StandInOfIdentity
    {
        public string? AuthenticationType { get; set; }

        public string NameClaimType { get; set; }

        public string RoleClaimType { get; set; }

        public string? Label { get; set; }

        public ClaimsIdentity? Actor { get; set; }

        public StandInOfClaim[] Claims { get; set; }
    }

    private struct StandInOfGenericIdentity
    {
        public string Name { get; set; }

        public StandInOfIdentity Claims { get; set; }
    }

    private struct StandInOfClaim
    {
        public string Type { get; set; }

        public string Value { get; set; }

        public string ValueType { get; set; }

        public string Issuer { get; set; }

        public string OriginalIssuer { get; set; }

        public KeyValuePair<string, string>[]? Properties { get; set; }
    }

    private struct StandInOfContainer
    {
        public int Capacity { get; set; }

        public int PerDomainCapacity { get; set; }

        public int MaxCookieSize { get; set; }

        public StandInOfCookie[] Cookies { get; set; }
    }

    private struct StandInOfCookie
    {
        public Uri From { get; set; }

        public Cookie Cookie { get; set; }
    }
}
