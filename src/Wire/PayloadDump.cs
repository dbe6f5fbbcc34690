using Wire.Diagnostics;

namespace Wire;

/// <summary>Explains payloads, for logs, bug reports and the curious.</summary>
public static class PayloadDump
{
    /// <summary>
    /// Describes a payload line by line: offset, bytes, and what they mean, indented by nesting. It needs only the bytes: names and layouts
    /// come from the payload's manifests, and no type is looked up or loaded.
    /// </summary>
    /// <param name="payload">
    /// Any bytes. The description ends, with the offset and the reason, where the bytes cannot be decoded: damaged bytes, a manifest
    /// without a schema, a payload of <c>SerializeTyped</c>, or a manifest defined in an earlier message of a session.
    /// </param>
    /// <returns>
    /// The description, of at most a few thousand lines. Long values and collections are shortened, and values nested deeper than 100
    /// levels are skipped, with a line that says how many bytes they take.
    /// </returns>
    public static string Describe(ReadOnlySpan<byte> payload)
    {
        var page = new DumpPage();
        var decoder = new PayloadDecoder(payload, page);
        try
        {
            decoder.Payload();
        }
        catch (WireFormatException e)
        {
            ReadOnlySpan<byte> rest = payload[decoder.Offset..];
            page.Stop(decoder.Offset, rest, e.Error == WireFormatError.Limit ? $"{e.Message} {rest.Length} byte(s) are left." : e.Message);
        }

        return page.ToString();
    }
}
