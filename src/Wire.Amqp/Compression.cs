
namespace Wire.Amqp;

/// <summary>How a body is compressed, and what its content encoding says of it.</summary>
public enum Compression
{
    /// <summary>Not at all: no content encoding.</summary>
    None,

    /// <summary>Brotli (RFC 7932): <c>br</c>.</summary>
    Brotli,

    /// <summary>GZIP (RFC 1952): <c>gzip</c>.</summary>
    GZip,

    /// <summary>zlib (RFC 1950), which goes by the name of <c>deflate</c> as in HTTP (RFC 9110 section 8.4.1).</summary>
    Deflate,
}
