using System.Collections;
using System.Data.SqlTypes;
using System.Drawing;
using System.Globalization;
using System.Net;
using System.Net.Mail;
using System.Numerics;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using System.Xml.Linq;

namespace Wire.Comparing;

/// <summary>Compares what is a value as a whole: bit by bit, or by all that its public face tells where fields hold caches.</summary>
internal static class ScalarAssert
{
    /// <summary>Null when the type is none of these.</summary>
    public static bool? Same(object expected, object actual) => Bits(expected, actual) ?? Face(expected, actual);

    /// <summary>All of it: the fourth kind, local in the first of two equal hours, shows in no property.</summary>
    public static ulong Bits(DateTime value) => Unsafe.As<DateTime, ulong>(ref value);

    /// <summary>Whether two arrays of primitives have the same bits.</summary>
    public static bool SameBytes(Array expected, Array actual) => BytesOf(expected).SequenceEqual(BytesOf(actual));

    private static ReadOnlySpan<byte> BytesOf(Array array) =>
        MemoryMarshal.CreateReadOnlySpan(ref MemoryMarshal.GetArrayDataReference(array), Buffer.ByteLength(array));

    private static bool? Bits(object expected, object actual) => expected switch
    {
        double value => BitConverter.DoubleToInt64Bits(value) == BitConverter.DoubleToInt64Bits((double)actual),
        float value => BitConverter.SingleToInt32Bits(value) == BitConverter.SingleToInt32Bits((float)actual),
        Half value => BitConverter.HalfToInt16Bits(value) == BitConverter.HalfToInt16Bits((Half)actual),
        Complex value => Bits(value.Real, ((Complex)actual).Real) & Bits(value.Imaginary, ((Complex)actual).Imaginary),
        decimal value => decimal.GetBits(value).AsSpan().SequenceEqual(decimal.GetBits((decimal)actual)),
        DateTime value => Bits(value) == Bits((DateTime)actual),
        DateTimeOffset value => value.EqualsExact((DateTimeOffset)actual),
        string value => string.Equals(value, (string)actual, StringComparison.Ordinal),
        byte[] value => value.AsSpan().SequenceEqual((byte[])actual),
        Uri value => value.OriginalString == ((Uri)actual).OriginalString && value.IsAbsoluteUri == ((Uri)actual).IsAbsoluteUri
            && value == (Uri)actual && IsVerbatim(value) == IsVerbatim((Uri)actual),
        _ when expected.GetType() == typeof(object) => true,
        _ when expected.GetType() is { Namespace: "System" or "System.Text", IsValueType: true, IsGenericType: false } =>
            expected.Equals(actual),
        _ when expected.GetType().IsEnum => expected.Equals(actual),
        _ => null,
    };

    private static bool? Face(object expected, object actual) => expected switch
    {
        Type or Version or BigInteger or CompareInfo or StringComparer => expected.Equals(actual),
        System.Diagnostics.ActivityTraceId or System.Diagnostics.ActivitySpanId or System.Diagnostics.ActivityContext
            or System.Security.Cryptography.HashAlgorithmName => expected.Equals(actual),
        Comparer or CaseInsensitiveComparer => CultureOf(expected).Equals(CultureOf(actual)),
        SqlBinary left => left.IsNull == ((SqlBinary)actual).IsNull
            && (left.IsNull || left.Value.AsSpan().SequenceEqual(((SqlBinary)actual).Value)),
        SqlXml left => left.IsNull == ((SqlXml)actual).IsNull && (left.IsNull || left.Value == ((SqlXml)actual).Value),
        SqlBytes left => left.IsNull == ((SqlBytes)actual).IsNull
            && (left.IsNull || left.Value.AsSpan().SequenceEqual(((SqlBytes)actual).Value)),
        SqlChars left => left.IsNull == ((SqlChars)actual).IsNull
            && (left.IsNull || left.Value.AsSpan().SequenceEqual(((SqlChars)actual).Value)),
        TextInfo or RegionInfo or NumberFormatInfo or DateTimeFormatInfo or UriBuilder or AssemblyName => PublicFace.Same(expected, actual),
        MemoryStream left when left.GetType() == typeof(MemoryStream) => PublicFace.Same(left, actual)
            && left.ToArray().AsSpan().SequenceEqual(((MemoryStream)actual).ToArray()),
        EventArgs left when left.GetType() == typeof(EventArgs) =>
            ReferenceEquals(left, EventArgs.Empty) == ReferenceEquals(actual, EventArgs.Empty),
        Index or Range or Color or CancellationToken => expected.Equals(actual),
        // Of which there is one.
        DBNull or Missing or XName or XNamespace => ReferenceEquals(expected, actual),
        MemberInfo => expected.Equals(actual),
        ParameterInfo left => left.Member.Equals(((ParameterInfo)actual).Member) && left.Position == ((ParameterInfo)actual).Position,
        CultureInfo left => left.Equals(actual) && left.Name == ((CultureInfo)actual).Name,
        TimeZoneInfo left => left.Equals(actual) && Faces(left).SequenceEqual(Faces((TimeZoneInfo)actual)),
        Encoding left => left.Equals(actual) && left.Preamble.SequenceEqual(((Encoding)actual).Preamble),
        StringBuilder left => left.Equals((StringBuilder)actual) && left.MaxCapacity == ((StringBuilder)actual).MaxCapacity,
        Regex left => Faces(left).SequenceEqual(Faces((Regex)actual)),
        BitArray left => left.Cast<bool>().SequenceEqual(((BitArray)actual).Cast<bool>()),
        IPAddress left => left.Equals(actual),
        EndPoint or System.Net.IPNetwork or System.Net.NetworkInformation.PhysicalAddress => expected.Equals(actual),
        System.Net.Http.HttpMethod left => left.Method == ((System.Net.Http.HttpMethod)actual).Method,
        MailAddress left => left.Address == ((MailAddress)actual).Address && left.DisplayName == ((MailAddress)actual).DisplayName,
        Cookie left => Faces(left).SequenceEqual(Faces((Cookie)actual)),
        JsonElement left => Text(left) == Text((JsonElement)actual),
        JsonDocument left => Text(left.RootElement) == Text(((JsonDocument)actual).RootElement),
        JsonNode left => left.ToJsonString() == ((JsonNode)actual).ToJsonString() && Faces(left).SequenceEqual(Faces((JsonNode)actual)),
        XDocument left => XNode.DeepEquals(left, (XDocument)actual)
            && left.Declaration?.ToString() == ((XDocument)actual).Declaration?.ToString(),
        XAttribute left => left.Name == ((XAttribute)actual).Name && left.Value == ((XAttribute)actual).Value,
        XElement left => XNode.DeepEquals(left, (XElement)actual)
            && left.ToString(SaveOptions.DisableFormatting) == ((XElement)actual).ToString(SaveOptions.DisableFormatting),
        _ => null,
    };

    // Such a value does not give its path in another form.
    private static bool IsVerbatim(Uri uri)
    {
        try
        {
            return uri.IsAbsoluteUri && uri.GetComponents(UriComponents.Path, UriFormat.Unescaped) is null;
        }
        catch (InvalidOperationException)
        {
            return true;
        }
    }

    private static object?[] Faces(TimeZoneInfo zone) =>
        [zone.Id, zone.DisplayName, zone.StandardName, zone.DaylightName, zone.BaseUtcOffset, zone.SupportsDaylightSavingTime];

    private static object?[] Faces(Regex regex) => [regex.ToString(), regex.Options, regex.MatchTimeout, .. regex.GetGroupNames()];

    private static object?[] Faces(Cookie cookie) =>
    [
        cookie.Name, cookie.Value, cookie.Path, cookie.Domain, cookie.Port, cookie.Comment, cookie.CommentUri, cookie.Expires,
        cookie.Version, cookie.Discard, cookie.HttpOnly, cookie.Secure, cookie.Expired, cookie.ToString(),
    ];

    // Where a node has a parent, that is another object in each graph.
    private static object?[] Faces(JsonNode node) =>
        [node.Options?.PropertyNameCaseInsensitive ?? false, node.GetValueKind(), node.Parent is null];

    private static object CultureOf(object comparer) =>
        comparer.GetType().GetField("_compareInfo", BindingFlags.Instance | BindingFlags.NonPublic)!.GetValue(comparer)!;

    private static string? Text(JsonElement element) => element.ValueKind == JsonValueKind.Undefined ? null : element.GetRawText();
}
