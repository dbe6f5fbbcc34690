using Microsoft.Net.Http.Headers;

namespace Wire.AspNetCore;

/// <summary>The media type of Wire payloads.</summary>
public static class WireMediaType
{
    /// <summary>The media type, as it stands in <c>Content-Type</c> and <c>Accept</c>.</summary>
    public const string Name = "application/x-wire";

    /// <summary>Returns whether a Content-Type is that of Wire payloads, with parameters or without.</summary>
    internal static bool IsIn(string? contentType) =>
        MediaTypeHeaderValue.TryParse(contentType, out MediaTypeHeaderValue? found)
        && found.MediaType.Equals(Name, StringComparison.OrdinalIgnoreCase);
}
