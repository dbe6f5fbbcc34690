using System.Collections;
using System.Drawing;
using System.Globalization;
using System.Net;
using System.Net.Mail;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using System.Xml.Linq;

namespace Wire.Tests.Testing;

/// <summary>Compares values of .NET whose fields hold caches, or say more than the value: by everything that their public face tells.</summary>
internal static class ScalarAssert
{
    /// <summary>Null when the type is none of these.</summary>
    public static bool? Same(object expected, object actual) => expected switch
    {
        Index or Range or Color or DBNull or System.Reflection.Missing or CancellationToken => expected.Equals(actual),
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
        XDocument left => XNode.DeepEquals(left, (XDocument)actual) && left.Declaration?.ToString() == ((XDocument)actual).Declaration?.ToString(),
        XElement left => XNode.DeepEquals(left, (XElement)actual) && left.ToString(SaveOptions.DisableFormatting) == ((XElement)actual).ToString(SaveOptions.DisableFormatting),
        _ => null,
    };

    private static object?[] Faces(TimeZoneInfo zone) => [zone.Id, zone.DisplayName, zone.StandardName, zone.DaylightName, zone.BaseUtcOffset, zone.SupportsDaylightSavingTime];

    private static object?[] Faces(Regex regex) => [regex.ToString(), regex.Options, regex.MatchTimeout, .. regex.GetGroupNames()];

    private static object?[] Faces(Cookie cookie) =>
    [
        cookie.Name, cookie.Value, cookie.Path, cookie.Domain, cookie.Port, cookie.Comment, cookie.CommentUri, cookie.Expires, cookie.Version,
        cookie.Discard, cookie.HttpOnly, cookie.Secure, cookie.Expired, cookie.ToString(),
    ];

    private static object?[] Faces(JsonNode node) => [node.Options?.PropertyNameCaseInsensitive ?? false, node.GetValueKind(), node.Parent];

    private static string? Text(JsonElement element) => element.ValueKind == JsonValueKind.Undefined ? null : element.GetRawText();
}
