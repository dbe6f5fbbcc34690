namespace Wire;

/// <summary>Explains payloads, for logs, bug reports and the curious.</summary>
public static class PayloadDump
{
    /// <summary>
    /// Describes a payload line by line: offset, bytes, and what they mean, indented by nesting. It needs nothing but the
    /// bytes: names and layouts come from the payload's manifests, and no type is looked for or loaded.
    /// </summary>
    /// <param name="payload">
    /// Any bytes. What cannot be decoded ends the description with the offset and the reason: damaged bytes, a manifest
    /// without schema, a payload of <c>SerializeTyped</c>, or a manifest that an earlier message of a session has carried.
    /// </param>
    /// <returns>The description, of at most a few thousand lines. Long values and collections are shortened.</returns>
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
            page.Stop(decoder.Offset, payload[decoder.Offset..], e.Message);
        }

        return page.ToString();
    }
}
