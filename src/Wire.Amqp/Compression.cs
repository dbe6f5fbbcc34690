
namespace Wire.Amqp;

/// <summary>The compression of a body, and its content encoding.</summary>
public enum Compression
{
    /// <summary>No compression, and no content encoding.</summary>
    None,

    /// <summary>Brotli (RFC 7932): <c>br</c>.</summary>
    Brotli,

    /// <summary>GZIP (RFC 1952): <c>gzip</c>.</summary>
    GZip,

    /// <summary>zlib (RFC 1950), named <c>deflate</c> as in HTTP (RFC 9110 section 8.4.1).</summary>
    Deflate,
}
