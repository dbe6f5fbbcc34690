using System.Text;

namespace Wire.Amqp.Bodies;

/// <summary>The name in a media type. Specification: RFC 9110, section 8.3.1.</summary>
internal static class MediaTypeName
{
    private const int LongestUsual = 255;

    /// <summary>Returns whether a media type has a name, in any case and with any parameters.</summary>
    public static bool Matches(AmqpString mediaType, string name)
    {
        if (mediaType.Equals(name))
        {
            return true;
        }

        if (mediaType.ByteCount < name.Length)
        {
            return false;
        }

        Span<byte> bytes = stackalloc byte[LongestUsual];
        if (!mediaType.TryCopyTo(bytes, out int length))
        {
            bytes = Encoding.UTF8.GetBytes(mediaType.ToString());
            length = bytes.Length;
        }

        int end = bytes[..length].IndexOf((byte)';');
        return Ascii.EqualsIgnoreCase(bytes[..(end < 0 ? length : end)].Trim(" \t"u8), name);
    }
}
