using System.Collections;
using System.Collections.Specialized;
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
using Wire.ValueSerializers.Scalars;

namespace Wire.SerializerFactories;

/// <content>Scalars that are less common than those with a tag.</content>
internal static partial class Families
{
    private static Family[] Scalars() =>
    [
        Family.Converted("System.Index", () => typeof(Index), () => typeof(IndexConversion)),
        Family.Members("System.Range", () => typeof(Range)),
        Family.Converted("System.TimeZoneInfo", () => typeof(TimeZoneInfo), () => typeof(TimeZoneConversion)),
        Family.Converted<CultureInfo, string>("System.Globalization.CultureInfo", CultureConversion.To, CultureConversion.From),
        Family.Converted<CompareInfo, string>("System.Globalization.CompareInfo", CompareInfoConversion.To, CompareInfoConversion.From),
        Family.Converted<TextInfo, TextInfoConversion.Parts>(
            "System.Globalization.TextInfo", TextInfoConversion.To, TextInfoConversion.From),
        Family.Converted<RegionInfo, string>("System.Globalization.RegionInfo", RegionConversion.To, RegionConversion.From),
        Family.Converted("System.Globalization.NumberFormatInfo", () => typeof(NumberFormatInfo), () => typeof(NumberFormatConversion)),
        Family.Converted<DateTimeFormatInfo, DateTimeFormatConversion.Parts>(
            "System.Globalization.DateTimeFormatInfo", DateTimeFormatConversion.To, DateTimeFormatConversion.From),
        Family.Converted("System.EventArgs", () => typeof(EventArgs), () => typeof(EventArgsConversion)),
        Family.Converted("System.UriBuilder", () => typeof(UriBuilder), () => typeof(UriBuilderConversion)),
        Family.Converted<AssemblyName, AssemblyNameConversion.Parts>(
            "System.Reflection.AssemblyName", AssemblyNameConversion.To, AssemblyNameConversion.From),
        Family.Converted("System.IO.MemoryStream", () => typeof(MemoryStream), () => typeof(MemoryStreamConversion)),
        Family.Converted(
            "System.Security.Cryptography.HashAlgorithmName", () => typeof(HashAlgorithmName), () => typeof(HashAlgorithmNameConversion)),
        Family.Converted("System.Diagnostics.ActivityTraceId", () => typeof(ActivityTraceId), () => typeof(ActivityTraceIdConversion)),
        Family.Converted("System.Diagnostics.ActivitySpanId", () => typeof(ActivitySpanId), () => typeof(ActivitySpanIdConversion)),
        Family.Converted("System.Diagnostics.ActivityContext", () => typeof(ActivityContext), () => typeof(ActivityContextConversion)),
        Family.Converted("System.Text.Encoding", () => typeof(Encoding), () => typeof(EncodingConversion)) with { CoversDerived = true },
        Family.Converted("System.Text.StringBuilder", () => typeof(StringBuilder), () => typeof(StringBuilderConversion)),
        Family.Converted("System.Text.RegularExpressions.Regex", () => typeof(Regex), () => typeof(RegexConversion)) with { CoversDerived = true },
        Family.Converted("System.Collections.BitArray", () => typeof(BitArray), () => typeof(BitArrayConversion)),
        Family.Converted("System.Collections.Specialized.BitVector32", () => typeof(BitVector32), () => typeof(BitVector32Conversion)),

        Family.Members("System.Numerics.Vector2", () => typeof(Vector2)),
        Family.Members("System.Numerics.Vector3", () => typeof(Vector3)),
        Family.Members("System.Numerics.Vector4", () => typeof(Vector4)),
        Family.Members("System.Numerics.Quaternion", () => typeof(Quaternion)),
        Family.Members("System.Numerics.Plane", () => typeof(Plane)),
        Family.Members("System.Numerics.Matrix3x2", () => typeof(Matrix3x2)),
        Family.Members("System.Numerics.Matrix4x4", () => typeof(Matrix4x4)),
        Family.Vector("System.Runtime.Intrinsics.Vector64`1", () => typeof(Vector64<>)),
        Family.Vector("System.Runtime.Intrinsics.Vector128`1", () => typeof(Vector128<>)),
        Family.Vector("System.Runtime.Intrinsics.Vector256`1", () => typeof(Vector256<>)),
        Family.Vector("System.Runtime.Intrinsics.Vector512`1", () => typeof(Vector512<>)),

        Family.Converted("System.Drawing.Color", () => typeof(Color), () => typeof(ColorConversion)),
        Family.Members("System.Drawing.Point", () => typeof(Point)),
        Family.Members("System.Drawing.PointF", () => typeof(PointF)),
        Family.Members("System.Drawing.Size", () => typeof(Size)),
        Family.Members("System.Drawing.SizeF", () => typeof(SizeF)),
        Family.Members("System.Drawing.Rectangle", () => typeof(Rectangle)),
        Family.Members("System.Drawing.RectangleF", () => typeof(RectangleF)),

        Family.Converted("System.Net.IPAddress", () => typeof(IPAddress), () => typeof(IPAddressConversion)) with { CoversDerived = true },
        Family.Converted("System.Net.IPEndPoint", () => typeof(IPEndPoint), () => typeof(IPEndPointConversion)),
        Family.Converted("System.Net.DnsEndPoint", () => typeof(DnsEndPoint), () => typeof(DnsEndPointConversion)),
        Family.Converted("System.Net.IPNetwork", () => typeof(System.Net.IPNetwork), () => typeof(IPNetworkConversion)),
        Family.Converted("System.Net.NetworkInformation.PhysicalAddress", () => typeof(PhysicalAddress), () => typeof(PhysicalAddressConversion)),
        Family.Converted("System.Net.Cookie", () => typeof(Cookie), () => typeof(CookieConversion)),
        Family.Converted("System.Net.Http.HttpMethod", () => typeof(HttpMethod), () => typeof(HttpMethodConversion)),
        Family.Converted("System.Net.Mail.MailAddress", () => typeof(MailAddress), () => typeof(MailAddressConversion)),

        Family.Converted("System.Text.Json.JsonElement", () => typeof(JsonElement), () => typeof(JsonElementConversion)),
        Family.Converted("System.Text.Json.JsonDocument", () => typeof(JsonDocument), () => typeof(JsonDocumentConversion)),
        Family.Converted("System.Text.Json.Nodes.JsonNode", () => typeof(JsonNode), () => typeof(JsonNodeConversion<JsonNode>)),
        Family.Converted("System.Text.Json.Nodes.JsonObject", () => typeof(JsonObject), () => typeof(JsonNodeConversion<JsonObject>)),
        Family.Converted("System.Text.Json.Nodes.JsonArray", () => typeof(JsonArray), () => typeof(JsonNodeConversion<JsonArray>)),
        Family.Converted("System.Text.Json.Nodes.JsonValue", () => typeof(JsonValue), () => typeof(JsonNodeConversion<JsonValue>)) with { CoversDerived = true },
        Family.Converted("System.Xml.Linq.XName", () => typeof(XName), () => typeof(XNameConversion)),
        Family.Converted("System.Xml.Linq.XNamespace", () => typeof(XNamespace), () => typeof(XNamespaceConversion)),
        Family.Converted("System.Xml.Linq.XAttribute", () => typeof(XAttribute), () => typeof(XAttributeConversion)),
        Family.Converted("System.Xml.Linq.XElement", () => typeof(XElement), () => typeof(XElementConversion)),
        Family.Converted("System.Xml.Linq.XDocument", () => typeof(XDocument), () => typeof(XDocumentConversion)),
    ];
}
