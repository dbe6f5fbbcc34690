using System.IO.Compression;
using Wire.Tool.Running;

namespace Wire.Tool.Messages;

/// <summary>The content encodings that the library writes.</summary>
internal static class BodyEncoding
{
    /// <summary>Decodes a body.</summary>
    /// <param name="bytes">The bytes of the message.</param>
    /// <param name="encoding">The content encoding; null for none.</param>
    /// <param name="most">The number of bytes that may come out.</param>
    /// <exception cref="InvalidDataException">The encoding is unknown, or the bytes are damaged or too many.</exception>
    public static ReadOnlyMemory<byte> Decode(ReadOnlyMemory<byte> bytes, string? encoding, long most)
    {
        if (string.IsNullOrEmpty(encoding) || encoding == "identity")
        {
            return bytes;
        }

        using var compressed = new MemoryStream(bytes.ToArray(), writable: false);
        using Stream plain = encoding switch
        {
            "br" => new BrotliStream(compressed, CompressionMode.Decompress),
            "gzip" => new GZipStream(compressed, CompressionMode.Decompress),
            "deflate" => new ZLibStream(compressed, CompressionMode.Decompress),
            _ => throw new InvalidDataException($"The content encoding {PlainText.Quote(encoding)} is not one that Wire writes."),
        };
        ReadOnlyMemory<byte>? all;
        try
        {
            all = ReadAll(plain, most);
        }
        catch (Exception exception) when (exception is InvalidDataException or InvalidOperationException or IOException)
        {
            throw new InvalidDataException($"The body is not what its content encoding {encoding} says: {exception.Message}", exception);
        }

        return all ?? throw new InvalidDataException(FormattableString.Invariant(
            $"The body has more than {most} bytes when it is decompressed."));
    }

    // Null where they are too many.
    private static ReadOnlyMemory<byte>? ReadAll(Stream plain, long most)
    {
        using var all = new MemoryStream();
        byte[] some = new byte[1 << 16];
        while (plain.Read(some) is > 0 and var read)
        {
            if (all.Length + read > most)
            {
                return null;
            }

            all.Write(some.AsSpan(0, read));
        }

        return (ReadOnlyMemory<byte>)all.ToArray();
    }
}
