using System.Text;
using Wire.Amqp;

namespace Wire.RabbitMQ.Connections;

/// <summary>The media type of a body, with the character set that it may name. Specification: RFC 9110, section 8.3.1.</summary>
internal readonly struct MediaType(AmqpString text)
{
    /// <summary>UTF-8 without a mark, which throws where texts or bytes are none.</summary>
    public static readonly Encoding Utf8 = new UTF8Encoding(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    private readonly string _text = text.ToString();

    /// <summary>Returns whether it is one of some, whatever its parameters.</summary>
    public bool Is(params ReadOnlySpan<string> names)
    {
        int end = _text.IndexOf(';', StringComparison.Ordinal);
        ReadOnlySpan<char> name = (end < 0 ? _text : _text.AsSpan(0, end)).Trim();
        foreach (string each in names)
        {
            if (name.Equals(each, StringComparison.OrdinalIgnoreCase))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Returns the encoding of its texts: UTF-8 where it names none. It throws where bytes are none of its characters.</summary>
    /// <exception cref="FormatException">There is no such encoding.</exception>
    public Encoding Encoding()
    {
        string charset = Parameter("charset") ?? Utf8.WebName;
        if (charset.Equals(Utf8.WebName, StringComparison.OrdinalIgnoreCase))
        {
            return Utf8;
        }

        try
        {
            return System.Text.Encoding.GetEncoding(charset, EncoderFallback.ExceptionFallback, DecoderFallback.ExceptionFallback);
        }
        catch (ArgumentException e)
        {
            throw new FormatException(
                $"The content type is '{_text}', and the character set '{charset}' is not known: UTF-8 is understood everywhere.", e);
        }
    }

    private string? Parameter(string name)
    {
        foreach (string parameter in _text.Split(';').Skip(1))
        {
            int equals = parameter.IndexOf('=', StringComparison.Ordinal);
            if (equals > 0 && parameter.AsSpan(0, equals).Trim().Equals(name, StringComparison.OrdinalIgnoreCase))
            {
                return parameter[(equals + 1)..].Trim().Trim('"');
            }
        }

        return null;
    }
}
