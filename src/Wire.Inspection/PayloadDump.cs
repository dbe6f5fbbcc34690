using System.Globalization;
using Wire.Diagnostics;
using Wire.Format;

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
    /// levels are passed over, with a line that says how many bytes they take; what follows them is shown.
    /// </returns>
    /// <example>
    /// <code>
    /// Console.WriteLine(PayloadDump.Describe(payload)); // offsets, bytes, and what they mean
    /// </code>
    /// </example>
    public static string Describe(ReadOnlySpan<byte> payload)
    {
        var page = new DumpPage();
        if (payload.Length > 0 && PayloadHeader.IsKnown(payload[0]))
        {
            page.Line(0, payload[..1], $"header: {PayloadHeader.Describe(payload[0])}");
        }

        var document = PayloadDocument.ParseTolerantly(payload.ToArray(), out WireFormatException? failure, out int end);
        try
        {
            new DumpView(document, end, page).Show();
        }
        catch (WireFormatException e) when (page.IsFull)
        {
            (failure, end) = (e, page.End);
        }
        catch (WireFormatException e)
        {
            // The last value was not whole.
            failure ??= e;
        }

        if (failure is not null)
        {
            string left = page.IsFull ? string.Create(CultureInfo.InvariantCulture, $" {payload.Length - end} byte(s) are left.") : "";
            string reason = failure.Error == WireFormatError.TrailingBytes
                ? string.Create(CultureInfo.InvariantCulture, $"{payload.Length - end} byte(s) follow the end of the value.")
                : failure.Message;
            page.Stop(end, payload[end..], reason + left);
        }

        return page.ToString();
    }
}
