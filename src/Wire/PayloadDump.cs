using Wire.Diagnostics;

namespace Wire;

/// <summary>Explains payloads, for logs, bug reports and the curious.</summary>
public static class PayloadDump
{
    /// <summary>
    /// Describes a payload line by line: offset, bytes, and what they mean, indented by nesting. It needs nothing but the bytes: names and
    /// layouts come from the payload's manifests, and no type is looked for or loaded.
    /// </summary>
    /// <param name="payload">
    /// Any bytes. What cannot be decoded ends the description with the offset and the reason: damaged bytes, a manifest
    /// without schema, a payload of <c>SerializeTyped</c>, or a manifest that an earlier message of a session has carried.
    /// </param>
    /// <returns>
    /// The description, of at most a few thousand lines. Long values and collections are shortened, and what is nested deeper than
    /// 100 levels is passed over, with a line that says how much it is.
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
