using System.ComponentModel;
using System.Globalization;
using System.IO.Compression;
using System.Net;
using System.Net.Http;
using System.Net.Mail;
using System.Net.Security;
using System.Net.Sockets;
using System.Numerics;
using System.Reflection;
using System.Runtime.InteropServices;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using System.Text.Json;
using System.Text.RegularExpressions;
using System.Xml;
using System.Xml.Linq;
using System.Xml.Schema;
using System.Xml.XPath;

namespace Wire.Tests.ValueSerializers;

/// <summary>Exceptions as .NET throws them, some of classes that it shows nobody.</summary>
public sealed class ThrownExceptionTests
{
    private static readonly Serializer WithReferences = new(new SerializerOptions { PreserveObjectReferences = true });

    private static readonly (string What, Action Throw)[] Throwing =
    [
        ("division", () => _ = 1 / Zero()),
        ("overflow", () => _ = checked((byte)(256 + Zero()))),
        ("cast", () => _ = (string)(object)Zero()),
        ("null", () => _ = ((string)null!).Length),
        ("index", () => _ = Argument(new int[1], Zero() + 1)),
        ("array store", () => ((object[])new string[1])[0] = 5),
        ("rank", () => Array.Copy(new int[1], new int[1, 1], 1)),
        ("parse", () => int.Parse("x", CultureInfo.InvariantCulture)),
        ("argument", () => _ = new string('x', -1)),
        ("key", () => _ = new Dictionary<string, int>()["a"]),
        ("sequence", () => Array.Empty<int>().First()),
        ("guid", () => Guid.Parse("x")),
        ("file", () => File.ReadAllText("/no/such/file")),
        ("directory", () => Directory.GetFiles("/no/such/directory")),
        ("path", () => File.OpenRead("a\0b")),
        ("disposed", () => { var stream = new MemoryStream(); stream.Dispose(); stream.ReadByte(); }),
        ("end of stream", () => new BinaryReader(new MemoryStream()).ReadInt32()),
        ("gzip", () => new GZipStream(new MemoryStream([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]), CompressionMode.Decompress).ReadByte()),
        ("zip", () => _ = new ZipArchive(new MemoryStream([1, 2, 3]))),
        ("decoding", () => new UTF8Encoding(false, true).GetString([0xFF])),
        ("encoding", () => new UTF8Encoding(false, true).GetBytes("\uD800")),
        ("culture", () => _ = CultureInfo.GetCultureInfo("not a culture!")),
        ("zone", () => TimeZoneInfo.FindSystemTimeZoneById("Nowhere/Else")),
        ("json", () => JsonDocument.Parse("{")),
        ("json type", () => JsonSerializer.Deserialize<int[]>("{}")),
        ("xml", () => XDocument.Parse("<a>")),
        ("xpath", () => XPathExpression.Compile("//[")),
        ("schema", () => XmlSchema.Read(XmlReader.Create(new StringReader("<x/>")), null)),
        ("regex", () => _ = new Regex("(")),
        ("regex time", () => _ = Regex.IsMatch(new string('a', 40), "^(a+)+$b", RegexOptions.None, TimeSpan.FromMilliseconds(1))),
        ("mail", () => _ = new MailAddress("none")),
        ("cookie", () => new Cookie { Name = "" }),
        ("uri", () => _ = new Uri("::")),
        ("address", () => IPAddress.Parse("x")),
        ("socket", () => new TcpClient().Connect(IPAddress.Loopback, 1)),
        ("http", () => new HttpClient().Send(new HttpRequestMessage(HttpMethod.Get, "http://127.0.0.1:1/"))),
        ("rsa", () => RSA.Create(1024).Decrypt(new byte[128], RSAEncryptionPadding.OaepSHA256)),
        ("rsa key", () => RSA.Create().ImportFromPem("-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----")),
        ("ec", () => ECDsa.Create().ImportSubjectPublicKeyInfo([1, 2], out _)),
        ("aes", () => Aes.Create().DecryptCbc(new byte[15], new byte[16])),
        ("gcm", () => new AesGcm(new byte[16], 16).Decrypt(new byte[12], new byte[4], new byte[16], new byte[4])),
        ("certificate", () => X509CertificateLoader.LoadCertificate([1, 2, 3])),
        ("pkcs12", () => X509CertificateLoader.LoadPkcs12(new byte[] { 1, 2, 3 }, "x")),
        ("tls", FailTls),
        ("reflection", () => typeof(string).GetMethod("Concat")),
        ("target", () => ((Action)Fail).Method.Invoke(null, null)),
        ("parameters", () => typeof(object).GetMethod("ToString")!.Invoke(new object(), [1])),
        ("assembly", () => Assembly.Load("No.Such.Assembly")),
        ("image", () => Assembly.Load([1, 2, 3])),
        ("type", () => Type.GetType("No.Such.Type", throwOnError: true)),
        ("activator", () => Activator.CreateInstance(typeof(Stream), 1)),
        ("constructor", () => Activator.CreateInstance(typeof(Uri), 1.5)),
        ("library", () => NativeLibrary.Load("no-such-library")),
        ("marshal", () => Marshal.ThrowExceptionForHR(unchecked((int)0x80004005))),
        ("win32", () => throw new Win32Exception(2)),
        ("process", () => System.Diagnostics.Process.Start("/no/such/program")),
        ("converter", () => TypeDescriptor.GetConverter(typeof(int)).ConvertFromInvariantString("x")),
        ("enum", () => Enum.Parse<DayOfWeek>("Someday")),
        ("big", () => BigInteger.Parse("x", CultureInfo.InvariantCulture)),
        ("cancelled", () => Task.Delay(-1, new CancellationToken(true)).Wait()),
        ("token", () => new CancellationToken(true).ThrowIfCancellationRequested()),
        ("semaphore", () => new SemaphoreSlim(1, 1).Release()),
        ("lock", () => Monitor.Exit(new object())),
        ("parallel", () => Parallel.For(0, 2, _ => throw new InvalidOperationException("inside"))),
        ("channel", () => { var c = System.Threading.Channels.Channel.CreateUnbounded<int>(); c.Writer.Complete(); c.Writer.Complete(); }),
        ("dataset", () => _ = new System.Data.DataTable().Rows.Add(1)),
        ("constraint", () => new System.Data.DataTable { Columns = { { "a", typeof(int), "b +" } } }.ToString()),
        ("sql", () => _ = new System.Data.SqlTypes.SqlInt32().Value),
        ("dynamic", () => { dynamic value = 5; value.Missing(); }),
    ];

    public static TheoryData<string> Kinds => [.. Throwing.Select(kind => kind.What)];

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Each_is_written_beside_whatever_else_is_loaded(string what)
    {
        // Two assemblies of .NET have a class of the same name for failures of OpenSSL.
        Assert.NotEmpty(typeof(SslStream).Assembly.GetTypes());
        Exception thrown = Assert.ThrowsAny<Exception>(Throwing.Single(kind => kind.What == what).Throw);
        var job = new InvalidOperationException("job failed", thrown);
        Exception copy = WithReferences.Deserialize<Exception>(WithReferences.Serialize<Exception>(job))!;
        Same(thrown, copy.InnerException);
        Same(thrown, WithReferences.Clone(job).InnerException);
    }

    [Fact]
    public void A_class_that_nobody_sees_comes_back_as_the_nearest_public_one()
    {
        Exception thrown = Assert.ThrowsAny<CryptographicException>(
            () => RSA.Create(1024).Decrypt(new byte[128], RSAEncryptionPadding.OaepSHA256));
        Assert.False(thrown.GetType().IsVisible);
        var serializer = new Serializer();
        var copy = Assert.IsType<CryptographicException>(serializer.Deserialize<Exception>(serializer.Serialize(thrown)));
        Assert.Equal(thrown.Message, copy.Message);
        Assert.Equal($"--- {thrown.GetType()}, which is internal to .NET ---{Environment.NewLine}{thrown.StackTrace}", copy.StackTrace);
        Assert.Equal(copy.StackTrace, serializer.Deserialize<CryptographicException>(serializer.Serialize(copy))!.StackTrace);
    }

    private static void Same(Exception? thrown, Exception? copy)
    {
        if (thrown is null)
        {
            Assert.Null(copy);
            return;
        }

        Assert.NotNull(copy);
        if (thrown.GetType().IsVisible)
        {
            Assert.Equal(thrown.GetType(), copy.GetType());
            Assert.Equal(thrown.StackTrace, copy.StackTrace);
        }
        else
        {
            Assert.True(copy.GetType().IsVisible);
            Assert.IsType(copy.GetType(), thrown, exactMatch: false);
            Assert.StartsWith($"--- {thrown.GetType()}, ", copy.StackTrace, StringComparison.Ordinal);
            Assert.EndsWith(thrown.StackTrace ?? "", copy.StackTrace, StringComparison.Ordinal);
        }

        Assert.Equal(thrown.Message, copy.Message);
        Assert.Equal(thrown.HResult, copy.HResult);
        Same(thrown.InnerException, copy.InnerException);
    }

    // A peer that answers a greeting with the alert of a failed handshake.
    private static void FailTls()
    {
        using var server = new TcpListener(IPAddress.Loopback, 0);
        server.Start();
        using var client = new TcpClient();
        client.Connect((IPEndPoint)server.LocalEndpoint);
        using TcpClient peer = server.AcceptTcpClient();
        peer.GetStream().Write([0x15, 3, 3, 0, 2, 2, 0x28]);
        using var tls = new SslStream(client.GetStream());
        tls.AuthenticateAsClient("localhost");
    }

    private static int Argument(int[] array, int index) => array[index];

    private static int Zero() => Environment.GetCommandLineArgs().Length > int.MaxValue - 1 ? 1 : 0;

    private static void Fail() => throw new InvalidOperationException("inside");
}
