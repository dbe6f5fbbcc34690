using System.ComponentModel;
using System.Data;
using System.Globalization;
using System.Net;
using System.Net.Http.Headers;
using System.Security;
using System.Security.Claims;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Security.Principal;
using System.Xml;
using Wire.Comparing;

namespace Wire.Tests.Behaviour.Surrogates;

/// <summary>The ready surrogates: each keeps what it says, and refuses what it would lose.</summary>
public sealed class FrameworkSurrogateTests
{
    private static readonly Serializer Serializer = new(new SerializerOptions
    {
        PreserveObjectReferences = true,
        Surrogates = [.. FrameworkSurrogates.All],
        TypeFilter = WireTypeFilter.Default.Allow<PlainIdentity>(),
    });

    [Fact]
    public void Without_them_the_types_are_refused() => Assert.All(
        FrameworkSurrogates.All,
        surrogate => Assert.Contains(
            "FrameworkSurrogates.All",
            Assert.Throws<UnsupportedTypeException>(() => new Serializer().Serialize(Samples[surrogate.SourceType]())).Message,
            StringComparison.Ordinal));

    [Fact]
    public void Each_has_a_sample_that_is_shared_and_read_again() => Assert.All(FrameworkSurrogates.All, surrogate =>
    {
        object value = Samples[surrogate.SourceType]();

        object?[] back = Serializer.Deserialize<object?[]>(Serializer.Serialize(new[] { value, value, null }))!;

        Assert.IsType(surrogate.SourceType, back[0]);
        Assert.Same(back[0], back[1]);
        Assert.Null(back[2]);
    });

    [Fact]
    public void Damaged_bytes_end_in_errors_of_Wire() => Assert.All(FrameworkSurrogates.All, surrogate =>
    {
        byte[] bytes = Serializer.Serialize(Samples[surrogate.SourceType]());
        for (int i = 0; i < bytes.Length; i++)
        {
            Assert.ThrowsAny<WireFormatException>(() => Serializer.Deserialize<object>(bytes.AsSpan(0, i)));
            byte[] damaged = [.. bytes];
            damaged[i] ^= 0x15;
            try
            {
                Serializer.Deserialize<object>(damaged);
            }
            catch (WireFormatException)
            {
                // What damage does not change is read.
            }
        }
    });

    [Fact]
    public void Texts_names_and_paths_are_kept()
    {
        const string Text = "<?xml version=\"1.0\"?><a xmlns:x=\"u\" b=\"&#xD;&lt;\"> <x:c />\r\n<!--d--><?e f?></a>";
        XmlDocument document = Back(Document(Text, keep: true));
        Assert.Equal(Text, document.OuterXml);
        Assert.True(document.PreserveWhitespace);
        Assert.Empty(Back(new XmlDocument()).ChildNodes);

        Assert.Equal(new XmlQualifiedName("n", "ns"), Back(new XmlQualifiedName("n", "ns")));
        Assert.True(Back(XmlQualifiedName.Empty).IsEmpty);
        Assert.Equal("p", Back(new PropertyChangedEventArgs("p")).PropertyName);
        Assert.Null(Back(new PropertyChangedEventArgs(null)).PropertyName);
        Assert.Equal("q", Back(new PropertyChangingEventArgs("q")).PropertyName);
        Assert.Equal("sub/file.txt", Back(new FileInfo("sub/file.txt")).ToString());
        Assert.Equal("/a/b/", Back(new DirectoryInfo("/a/b/")).ToString());
        Assert.Equal(("1.2.3", "mine"), (Back(new Oid("1.2.3", "mine")).Value, Back(new Oid("1.2.3", "mine")).FriendlyName));
        Assert.Equal("text/plain; charset=utf-8", Back(new MediaTypeHeaderValue("text/plain", "utf-8")).ToString());
    }

    [Fact]
    public void Cookies_are_kept_in_their_order()
    {
        var cookies = new CookieCollection { new Cookie("b", "1", "/p", "x.org") { Secure = true }, new Cookie("a", "2") };

        Cookie[] back = [.. Back(cookies).Cast<Cookie>()];

        Assert.Equal(["b=1", "a=2"], back.Select(cookie => $"{cookie.Name}={cookie.Value}"));
        Assert.Equal(("/p", "x.org", true), (back[0].Path, back[0].Domain, back[0].Secure));
    }

    [Fact]
    public void A_container_sends_its_cookies_to_whom_the_original_would()
    {
        var container = new CookieContainer(capacity: 50, perDomainCapacity: 7, maxCookieSize: 999);
        Uri from = new("http://shop.example.org/a/b");
        container.SetCookies(from, "host=1; Max-Age=1000, whole=2; Domain=example.org, deep=3; Path=/a/b; Secure; HttpOnly");
        container.SetCookies(new("http://10.0.0.1/"), "address=4");
        container.SetCookies(new("http://shop.example.org:81/"), "port=5; Port; Version=1");
        container.Add(new Cookie("own", "6", "/c/d", ".example.org") { Comment = "c", CommentUri = from, Discard = true });
        container.Add(new Cookie("late", "7", "/", "example.org") { Expires = DateTime.UtcNow.AddDays(1) });

        CookieContainer back = Back(container);

        Assert.Equal((50, 7, 999, container.Count), (back.Capacity, back.PerDomainCapacity, back.MaxCookieSize, back.Count));
        foreach (string address in new[]
        {
            "http://shop.example.org/a/b/c", "https://shop.example.org/a/b/c", "http://example.org/a/", "http://example.org/c/d/e",
            "http://other.example.org/a", "http://deeper.shop.example.org/a", "http://10.0.0.1/", "http://shop.example.org:81/",
            "http://shop.example.org/", "http://org/",
        })
        {
            Assert.Equal(container.GetCookieHeader(new(address)), back.GetCookieHeader(new(address)));
        }

        foreach (Cookie cookie in container.GetAllCookies())
        {
            GraphAssert.Same(cookie, back.GetAllCookies().Single(other => other.Name == cookie.Name), sharing: true);
        }

        container.Add(new Cookie("gone", "8", "/", "example.org") { Expires = DateTime.UtcNow.AddMilliseconds(50) });
        Thread.Sleep(100);
        Assert.DoesNotContain(Back(container).GetAllCookies(), cookie => cookie.Name == "gone");
        Assert.Empty(Back(new CookieContainer()).GetAllCookies());
        Assert.Equal((1, 20), (Back(new CookieContainer(1)).Capacity, Back(new CookieContainer(1)).PerDomainCapacity));
    }

    [Fact]
    public void Identities_with_names_and_principals_with_roles_are_kept()
    {
        var identity = new GenericIdentity("ada", "test") { Label = "label", Actor = new ClaimsIdentity("inner") };
        identity.AddClaim(new Claim("t", "v"));
        var principal = new GenericPrincipal(identity, ["admin", "user"]);
        principal.AddIdentity(new ClaimsIdentity([new Claim(ClaimTypes.Role, "guest")], "other"));

        (GenericPrincipal back, GenericIdentity name) = Assert.IsType<(GenericPrincipal, GenericIdentity)>(
            Serializer.Deserialize<object>(Serializer.Serialize<object>((principal, identity))));

        Assert.Same(name, back.Identity);
        Assert.Equal(("ada", "test", true, "label"), (name.Name, name.AuthenticationType, name.IsAuthenticated, name.Label));
        Assert.Equal([(ClaimTypes.Name, "ada"), ("t", "v")], name.Claims.Select(claim => (claim.Type, claim.Value)));
        Assert.All(name.Claims, claim => Assert.Same(name, claim.Subject));
        Assert.Equal("inner", name.Actor!.AuthenticationType);
        Assert.Equal(principal.Claims.Select(claim => claim.ToString()), back.Claims.Select(claim => claim.ToString()));
        Assert.Equal((true, true, true, false), (In("admin"), In("user"), In("guest"), In("root")));

        var bare = new GenericIdentity("");
        bare.RemoveClaim(bare.Claims.Single());
        GenericIdentity nameless = Back(bare);
        Assert.Equal(("", "", false, 0), (nameless.Name, nameless.AuthenticationType, nameless.IsAuthenticated, nameless.Claims.Count()));
        Assert.Null(Back(new GenericPrincipal(bare, null)).FindFirst(_ => true));
        Assert.Equal("own", Assert.IsType<PlainIdentity>(Back(new GenericPrincipal(new PlainIdentity(), ["r"])).Identity).Name);

        bool In(string role) => back.IsInRole(role);
    }

    [Fact]
    public void Advice_to_use_them_stands_where_they_help() => Assert.All(
        new object[] { new OwnIdentity("ada"), new MediaTypeWithQualityHeaderValue("a/b", 0.5), new DerivedTable() },
        value => Assert.DoesNotContain(
            "FrameworkSurrogates",
            Assert.Throws<UnsupportedTypeException>(() => new Serializer().Serialize(value)).Message,
            StringComparison.Ordinal));

    [Fact]
    public void Identities_keep_their_claims_and_actors()
    {
        var actor = new ClaimsIdentity("inner");
        var claim = new Claim("role", "admin", ClaimValueTypes.String, "issuer", "first issuer");
        claim.Properties["k"] = "v";
        var identity = new ClaimsIdentity([claim], "test", "name", "role") { Label = "label", Actor = actor };
        var principal = new ClaimsPrincipal([identity, actor]);

        ClaimsPrincipal back = Back(principal);

        ClaimsIdentity first = back.Identities.First();
        Assert.Equal(("test", "name", "role", "label"), (first.AuthenticationType, first.NameClaimType, first.RoleClaimType, first.Label));
        Assert.Same(back.Identities.Last(), first.Actor);
        Claim read = Assert.Single(first.Claims);
        Assert.Same(first, read.Subject);
        Assert.Equal(("role", "admin", "issuer", "first issuer"), (read.Type, read.Value, read.Issuer, read.OriginalIssuer));
        Assert.Equal(("v", ClaimValueTypes.String), (read.Properties["k"], read.ValueType));
        Assert.True(back.IsInRole("admin"));
        Assert.Equal("x", Back(new Claim("t", "x")).Value);
        Assert.False(Back(new ClaimsIdentity()).IsAuthenticated);
    }

    [Fact]
    public void A_certificate_keeps_its_bytes_and_never_a_key()
    {
        using X509Certificate2 withKey = Certificate();
        using X509Certificate2 alone = X509CertificateLoader.LoadCertificate(withKey.RawData);

        using X509Certificate2 back = Back(alone);

        Assert.Equal(alone.RawData, back.RawData);
        Assert.Equal(alone.Thumbprint, back.Thumbprint);
        Refused(withKey, "private key");
    }

    [Fact]
    public void Tables_come_back_to_the_last_bit_or_not_at_all()
    {
        var table = new DataTable("t") { CaseSensitive = true, Namespace = "urn:a" };
        table.Columns.Add("text", typeof(string));
        table.Columns.Add("number", typeof(double)).DefaultValue = 5.0;
        table.Rows.Add("a\r\nb", double.NaN);
        table.Rows.Add("  ", 0.1 + 0.2);
        table.AcceptChanges();
        table.Rows[0].SetColumnError(1, "no number");

        DataTable back = Back(table);

        Assert.Equal(("a\r\nb", "  "), (back.Rows[0][0], back.Rows[1][0]));
        Assert.Equal(0.1 + 0.2, back.Rows[1][1]);
        Assert.True(double.IsNaN((double)back.Rows[0][1]));
        Assert.Equal("no number", back.Rows[0].GetColumnError(1));
        Assert.Equal((true, "urn:a", 5.0), (back.CaseSensitive, back.Namespace, back.NewRow()[1]));

        table.Rows.Add("\0", 1.0);
        Refused(table, "");
        var set = new DataSet();
        set.Tables.Add(new DataTable("x"));
        Refused(set.Tables[0], "belongs to a DataSet");
    }

    [Fact]
    public void A_table_has_from_a_set_what_it_had_before()
    {
        DataTable[] tables =
        [
            new("t"), new(), new("t") { CaseSensitive = false }, new("t") { CaseSensitive = true }, new("t") { Namespace = "" },
            new("t") { Namespace = "urn:a" }, new("t") { Locale = new CultureInfo("de-DE") },
            new("") { Locale = CultureInfo.CurrentCulture },
        ];
        foreach (DataTable table in tables)
        {
            table.Columns.Add("a", typeof(string));
            table.Rows.Add("b");

            DataTable back = Back(table);

            Assert.Equal("b", Assert.Single(back.Rows.Cast<DataRow>())[0]);
            Assert.Equal(
                (table.TableName, table.CaseSensitive, table.Locale, table.Namespace),
                (back.TableName, back.CaseSensitive, back.Locale, back.Namespace));
            Assert.Equal(Serializer.Serialize(table), Serializer.Serialize(back));
            foreach (Func<DataSet> set in new Func<DataSet>[]
            {
                () => new DataSet(), () => new DataSet { CaseSensitive = true }, () => new DataSet { Namespace = "urn:b" },
                () => new DataSet { Locale = new CultureInfo("sv-SE") },
            })
            {
                Assert.Equal(Inside(set(), table), Inside(set(), back));
            }
        }

        Assert.Equal("", Serializer.Clone(tables[1]).TableName);
    }

    [Fact]
    public void What_would_be_lost_is_refused()
    {
        Refused(new OwnIdentity("ada"), "would lose what this class adds");
        Refused(new GenericIdentity("ada") { BootstrapContext = "token" }, "BootstrapContext");
        var principal = new GenericPrincipal(new GenericIdentity("ada"), ["admin"]);
        principal.Identities.First().AddClaim(new Claim("t", "v"));
        Refused(principal, "its first identity is another one");
        var cookies = new CookieContainer(1);
        cookies.Add(new Cookie("a", "b", "/", "x.org"));
        Assert.Single(cookies.GetAllCookies()).Value = new string('v', CookieContainer.DefaultCookieLengthLimit + 1);
        Refused(cookies, "would not take as they are");
        Refused(new ClaimsIdentity { BootstrapContext = "token" }, "BootstrapContext");
        Refused(new ClaimsIdentity([new Claim("t", "v")]).Claims.First(), "belongs to an identity");
        Refused(new MediaTypeWithQualityHeaderValue("a/b", 0.5), "would lose what this class adds");
        Refused(new DerivedTable(), "would lose what this class adds");
        Refused(Document("<!DOCTYPE a [<!ENTITY b \"c\">]><a/>", keep: false), "document type");
    }

    [Fact]
    public void Secrets_are_refused_with_the_reason()
    {
        using var secure = new SecureString();
        Refused(secure, "it holds a secret");
        Refused(new NetworkCredential("user", "word"), "it holds a secret");
    }

    private static readonly Dictionary<Type, Func<object>> Samples = new()
    {
        [typeof(DataTable)] = () =>
        {
            var table = new DataTable("t");
            table.Columns.Add("n", typeof(int));
            table.Rows.Add(1);
            return table;
        },
        [typeof(DataSet)] = () => new DataSet("s"),
        [typeof(XmlDocument)] = () => Document("<a/>", keep: false),
        [typeof(XmlQualifiedName)] = () => new XmlQualifiedName("n"),
        [typeof(X509Certificate2)] = () => X509CertificateLoader.LoadCertificate(Certificate().RawData),
        [typeof(Oid)] = () => new Oid("1.2"),
        [typeof(Claim)] = () => new Claim("t", "v"),
        [typeof(ClaimsIdentity)] = () => new ClaimsIdentity("a"),
        [typeof(ClaimsPrincipal)] = () => new ClaimsPrincipal(new ClaimsIdentity("a")),
        [typeof(GenericIdentity)] = () => new GenericIdentity("a"),
        [typeof(GenericPrincipal)] = () => new GenericPrincipal(new GenericIdentity("a"), ["b"]),
        [typeof(CookieContainer)] = () =>
        {
            var container = new CookieContainer();
            container.Add(new Cookie("a", "b", "/", "x.org"));
            return container;
        },
        [typeof(CookieCollection)] = () => new CookieCollection { new Cookie("a", "b") },
        [typeof(PropertyChangedEventArgs)] = () => new PropertyChangedEventArgs("p"),
        [typeof(PropertyChangingEventArgs)] = () => new PropertyChangingEventArgs("p"),
        [typeof(FileInfo)] = () => new FileInfo("f"),
        [typeof(DirectoryInfo)] = () => new DirectoryInfo("d"),
        [typeof(MediaTypeHeaderValue)] = () => new MediaTypeHeaderValue("a/b"),
    };

    private static (string Name, bool IsCaseSensitive, CultureInfo Locale, string Namespace) Inside(DataSet set, DataTable table)
    {
        DataTable inside = table.Copy();
        set.Tables.Add(inside);
        return (inside.TableName, inside.CaseSensitive, inside.Locale, inside.Namespace);
    }

    private static T Back<T>(T value)
        where T : class => Assert.IsType<T>(Serializer.Deserialize<object>(Serializer.Serialize<object>(value)));

    private static void Refused(object value, string reason) => Assert.Contains(
        reason, Assert.Throws<UnsupportedTypeException>(() => Serializer.Serialize(value)).Message, StringComparison.Ordinal);

    private static XmlDocument Document(string text, bool keep)
    {
        var document = new XmlDocument { PreserveWhitespace = keep };
        document.LoadXml(text);
        return document;
    }

    private static X509Certificate2 Certificate()
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        return new CertificateRequest("CN=test", key, HashAlgorithmName.SHA256)
            .CreateSelfSigned(DateTimeOffset.UnixEpoch, DateTimeOffset.UnixEpoch.AddYears(100));
    }

    private sealed class DerivedTable : DataTable;

    private sealed class OwnIdentity(string name) : GenericIdentity(name);

    private sealed class PlainIdentity : IIdentity
    {
        public string Name => "own";

        public string AuthenticationType => "test";

        public bool IsAuthenticated => true;
    }
}
