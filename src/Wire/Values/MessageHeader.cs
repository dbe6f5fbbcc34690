using Wire.Errors;
using Wire.Format;

namespace Wire.Values;

/// <summary>The byte that begins a message, which tells the session how to read it.</summary>
internal static class MessageHeader
{
    /// <summary>Reads the header of a payload with a typed or untyped root.</summary>
    public static void Read(ref WireReader reader, bool isTyped)
    {
        if (Read(ref reader) != isTyped)
        {
            ThrowHelper.Format(WireFormatError.Header, isTyped
                ? "The payload carries its own root type: read it with Deserialize, not DeserializeTyped."
                : "The payload was written by SerializeTyped: read it with DeserializeTyped.");
        }
    }

    /// <summary>Reads the header of a payload.</summary>
    /// <returns>True if its root is typed.</returns>
    public static bool Read(ref WireReader reader)
    {
        byte header = reader.ReadByte();
        if (!PayloadHeader.IsKnown(header))
        {
            PayloadHeader.Refuse(header, reader.Window);
        }

        reader.Session.BeginMessage(header);
        return (header & PayloadHeader.Typed) != 0;
    }
}
