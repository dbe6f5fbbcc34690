using System.Collections;
using System.Collections.Specialized;
using System.Data.SqlTypes;
using System.Diagnostics;
using System.Drawing;
using System.Globalization;
using System.Net;
using System.Net.Mail;
using System.Net.NetworkInformation;
using System.Numerics;
using System.Reflection;
using System.Runtime.Intrinsics;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using System.Xml.Linq;

namespace Wire.Tests.Golden;

/// <summary>The golden samples of the scalars without a tag.</summary>
internal static class GoldenScalars
{
    public static IEnumerable<GoldenSample> All { get; } =
    [
        Of<Index>(^2), Of(1..^2), Of(new BitVector32(5)), Of(new BitArray([true, false, true])),
        Of(new StringBuilder("ab", 0, 2, 16)), Of(new StringBuilder(1, 8).Append("ab"), "StringBuilder-limited"),
        Of(Encoding.UTF8), Of(
            Encoding.GetEncoding("us-ascii", new EncoderReplacementFallback("!"), DecoderFallback.ExceptionFallback), "Encoding-fallbacks"),
        Of(CultureInfo.GetCultureInfo("de-CH")), Of(CultureInfo.InvariantCulture, "CultureInfo-invariant"),
        Of(TimeZoneInfo.CreateCustomTimeZone("Ours", TimeSpan.FromMinutes(90), "Ours (1:30)", "Ours")),
        Of(new Regex("a(?<n>b+)", RegexOptions.IgnoreCase, TimeSpan.FromSeconds(1))),

        Of(CultureInfo.GetCultureInfo("de-CH").CompareInfo), Of(TextInfo.ReadOnly(Separated(";"))), Of(new RegionInfo("es-US")),
        Of(ValueSerializers.Scalars.NumberFormatInfoTests.Changed()), Of(ValueSerializers.Scalars.DateTimeFormatInfoTests.Changed()),
        Of(EventArgs.Empty), Of(new EventArgs(), "EventArgs-other"),
        Of(new UriBuilder("https", "a.example", 81, "/b", "?c#d") { UserName = "e", Password = "f" }),
        Of(new AssemblyName("A, Version=1.2.3.4, Culture=de-CH, PublicKeyToken=0011223344556677")), Of(HashAlgorithmName.SHA256),
        Of(new MemoryStream([1, 2, 3], 1, 2, writable: true) { Position = 1 }), Of(Growing([1, 2, 3]), "MemoryStream-growing"),
        Of(ActivityTraceId.CreateFromString("0123456789abcdef0123456789abcdef")), Of(ActivitySpanId.CreateFromString("0123456789abcdef")),
        Of(new ActivityContext(
            ActivityTraceId.CreateFromString("0123456789abcdef0123456789abcdef"),
            ActivitySpanId.CreateFromString("0123456789abcdef"),
            ActivityTraceFlags.Recorded,
            "a=b",
            isRemote: true)),

        Of(new SortVersion(1, new Guid(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11))), Of(new OperatingSystem(PlatformID.Unix, new(6, 1))),
        Of(TimeZoneInfo.TransitionTime.CreateFloatingDateRule(new(1, 1, 1, 2, 0, 0), 3, 5, DayOfWeek.Sunday)),
        Of(TimeZoneInfo.AdjustmentRule.CreateAdjustmentRule(
            new(2000, 1, 1),
            new(2001, 1, 1),
            TimeSpan.FromHours(1),
            TimeZoneInfo.TransitionTime.CreateFixedDateRule(new(1, 1, 1, 2, 0, 0), 3, 31),
            TimeZoneInfo.TransitionTime.CreateFixedDateRule(new(1, 1, 1, 3, 0, 0), 10, 31))),

        Of(SqlBoolean.True), Of(new SqlByte(1)), Of(new SqlInt16(2)), Of(new SqlInt32(3)), Of(SqlInt32.Null, "SqlInt32-null"),
        Of(new SqlInt64(4)), Of(new SqlSingle(1.5f)), Of(new SqlDouble(2.5)), Of(new SqlGuid(new byte[16])), Of(new SqlMoney(12.3456m)),
        Of(new SqlDecimal(-1.50m)), Of(new SqlDateTime(2026, 11, 27)), Of(new SqlString("a", 0x407, SqlCompareOptions.IgnoreCase)),
        Of(new SqlBinary([1, 2])), Of(new SqlBytes([1, 2])), Of(new SqlChars(['a', 'b'])), Of(SqlXml.Null),

        Of(new Vector2(1, 2)), Of(
            new Vector3(1, 2, 3)), Of(new Vector4(1, 2, 3, 4)), Of(new Quaternion(1, 2, 3, 4)), Of(new Plane(1, 2, 3, 4)),
        Of(new Matrix3x2(1, 2, 3, 4, 5, 6)), Of(new Matrix4x4(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)),
        Of(Vector64.Create(1, 2), "Vector64"), Of(
            Vector128.Create(1, 2L), "Vector128"), Of(Vector256.Create(1.5, 2, 3, 4), "Vector256"), Of(Vector512.Create(1.5), "Vector512"),

        Of(Color.Red), Of(
            Color.FromArgb(1, 2, 3, 4), "Color-argb"), Of(Color.FromName("ours"), "Color-named"), Of(Color.Empty, "Color-empty"),
        Of(new Point(1, 2)), Of(
            new PointF(1, 2)), Of(new Size(1, 2)), Of(new SizeF(1, 2)), Of(new Rectangle(1, 2, 3, 4)), Of(new RectangleF(1, 2, 3, 4)),

        Of(new IPAddress([127, 0, 0, 1])), Of(IPAddress.Parse("fe80::1%7"), "IPAddress-6"), Of(
            new IPEndPoint(new IPAddress([10, 0, 0, 1]), 80)), Of(new DnsEndPoint("a.example", 80)),
        Of(System.Net.IPNetwork.Parse("10.0.0.0/8")), Of(
            PhysicalAddress.Parse("00-11-22-33-44-55")), Of(HttpMethod.Get), Of(new MailAddress("a@example.com", "A")),
        Of(new Cookie("a", "b", "/", "example.com") { Secure = true }),

        Of(JsonElement.Parse("[1, null]")), Of(
            default(JsonElement), "JsonElement-undefined"), Of(JsonDocument.Parse("{\"a\": 1}")), Of(new JsonObject { ["a"] = 1 }),
        Of(new JsonArray(1, "b")), Of(JsonNode.Parse("1.50")!.AsValue(), "JsonValue"), Of<JsonNode>(JsonNode.Parse("true")!),
        Of<XName>("{urn:a}b"), Of<XNamespace>("urn:a"), Of(new XAttribute("{urn:a}b", "c")),
        Of(new XElement("{urn:a}b", new XElement("c")), "XElement-namespaces"),
        Of(new XElement("a", new XAttribute("b", 1), "c")), Of(
            new XDocument(new XDeclaration("1.0", "utf-8", null), new XComment("c"), new XElement("a"))),
    ];

    private static TextInfo Separated(string separator)
    {
        TextInfo text = new CultureInfo("tr").TextInfo;
        text.ListSeparator = separator;
        return text;
    }

    private static MemoryStream Growing(byte[] bytes)
    {
        var stream = new MemoryStream();
        stream.Write(bytes);
        return stream;
    }

    private static GoldenSample Of<T>(T value, string? name = null)
        where T : notnull => new(name ?? typeof(T).Name, value, typeof(T));
}
