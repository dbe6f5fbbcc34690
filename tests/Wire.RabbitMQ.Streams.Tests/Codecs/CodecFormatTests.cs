using System.Text;

namespace Wire.RabbitMQ.Streams.Tests.Codecs;

/// <summary>The formats are those of other clients: what their libraries have written is read.</summary>
/// <remarks>
/// Recorded with the libraries that the Java client uses for LZ4 and Snappy, and with the programs of the projects of LZ4 and Zstandard. In
/// the other direction they have read what the codecs write: 200 to 5,000,000 bytes of lines, and of noise.
/// </remarks>
public sealed class CodecFormatTests
{
    public static TheoryData<string, StreamCompression, int, string> Recorded => new()
    {
        {
            "LZ4 Java 1.8.0, as the Java client has it",
            StreamCompression.Lz4,
            70_000,
            "BCJNGGBAglMBAAD/GHRlbXBlcmF0dXJlIG9mIHNlbnNvciAwOiAyMS41IGRlZ3JlZXM7ICcAAx8xJwATHzInABMfMycAEx80JwATHzUnABMfNi"
            + "cAEw8RAf//////////////////////////////////////////////////////////////////////////////////////////////////////"
            + "//////////////////////////////////////////////////////////////////////////////////////////////////////////////"
            + "//////////////////////////////////////////////////////////////////////////////////////////////////////////////"
            + "/////////////////8BQIG9mIHNjAAAA8hhlbnNvciAwOiAyMS41IGRlZ3JlZXM7IHRlbXBlcmF0dXJlIG9mIHMnAB8xJwATHzInABMfMycAEx"
            + "80JwATHzUnABMfNicAEw8RAf////////////////////9RUCBkZWdyAAAAAA=="
        },
        {
            "Commons Compress 1.22: with a checksum",
            StreamCompression.Lz4,
            70_000,
            "BCJNGGRwuW8BAAD/GHRlbXBlcmF0dXJlIG9mIHNlbnNvciAwOiAyMS41IGRlZ3JlZXM7ICcAAx8xJwATHzInABMfMycAEx80JwATHzUnABMfNi"
            + "cAEw8RAf//////////////////////////////////////////////////////////////////////////////////////////////////////"
            + "//////////////////////////////////////////////////////////////////////////////////////////////////////////////"
            + "//////////////////////////////////////////////////////////////////////////////////////////////////////////////"
            + "/////////////////8UPEQH//////////////////////2LAMjogMjEuNSBkZWdyAAAAAOeeIYw="
        },
        {
            "lz4 1.9.4: blocks that refer to earlier ones, their checksums, a content size",
            StreamCompression.Lz4,
            70_000,
            "BCJNGFxAcBEBAAAAAADjUwEAAP8YdGVtcGVyYXR1cmUgb2Ygc2Vuc29yIDA6IDIxLjUgZGVncmVlczsgJwADHzEnABMfMicAEx8zJwATHzQnAB"
            + "MfNScAEx82JwATDxEB////////////////////////////////////////////////////////////////////////////////////////////"
            + "//////////////////////////////////////////////////////////////////////////////////////////////////////////////"
            + "//////////////////////////////////////////////////////////////////////////////////////////////////////////////"
            + "////////////////////////////wFAgb2Ygc3vW/DYbAAAAD/D///////////////////////9pUCBkZWdyx0P6AAAAAADnniGM"
        },
        {
            "snappy-java 1.1.8.3, as the Java client has it",
            StreamCompression.Snappy,
            200,
            "/wYAAHNOYVBwWQBFAAAstxRSyAGYdGVtcGVyYXR1cmUgb2Ygc2Vuc29yIDA6IDIxLjUgZGVncmVlczsgVicAADGWJwAAMpYnAAAzlicAADRSJw"
            + "A="
        },
        {
            "Commons Compress 1.22",
            StreamCompression.Snappy,
            200,
            "/wYAAHNOYVBwWQBFAAAstxRSyAGYdGVtcGVyYXR1cmUgb2Ygc2Vuc29yIDA6IDIxLjUgZGVncmVlczsgVicAADGWJwAAMpYnAAAzlicAADRSJw"
            + "A="
        },
        {
            "zstd 1.5.4: without a content size, with a checksum",
            StreamCompression.Zstd,
            70_000,
            "KLUv/QRYPR8AmnKACxaQNckYjXBs3u1v5P8AzGdmZgal/4MYvQCtAK0AucspdznlLqfc5ZS7nHKXU+5yyl1OucspdznlLqfc5ZS7nHKXU+5yyl"
            + "1OucspdznlLqfc5ZS7nHKXU+5yyl1OucspdznlLqfc5ZS7nHKXU+5yyl1OucspdznlLqfc5ZS7nHKXU+5yyl1OucspdznlLqfc5ZS7nHKXU+5y"
            + "yl1OucspdznlLqfc5ZS7nHKXU+5yyl1OucspdznlLqfc5UQMGMYoDkYB4QCNEAhRFAwJw0AYFIhRBDgQFAMAwjgE5ZS7nHKXU+5yyl1Oucspdz"
            + "nlLqfc5ZS7nHKXU+5yyl1OucspdznlLqfc5ZS7nHKXU+5yyl1OucspdznlLqfc5ZS7nHKXU+5yyl1OucspdznlLqfc5ZS7nHKXU+5yyl1Oucsp"
            + "dznlLqfc5ZS7nHKXU+5yyl1OucspdznlLqfc5ZS7nHKXU+5yyl1OucspdznlLqfc5ZS7nHKXU+5yyl1OucspdznlLqfc5ZS7nALKXU65yyl3Oe"
            + "Uup9zllLuccpdT7nLKXU65yyl3OeUup9zllLuccpdT7nLKXU65yyl3OeUup9zllLuccpdT7nLKXU65yyl3OeUup9zllLuccpdT7nLKXU65yyl3"
            + "OeUup9zllLuccpdT7nLKXU65yyl3OeUup9zllLuccpdT7nLKXU65yyl3OeUup9zllLuccpdT7nLKXU65yyl3OeUup9zllLuccpdT7nLKXU65A1"
            + "PucspdTrnLKXc55S6n3OWUu5xyl1PucspdTrnLKXc55S6n3OWUu5xyl1PucspdTrnLKXc55S6n3OWUu5xyl1PucspdTrnLKXc55S6n3OWUu5xy"
            + "l1PucspdTrnLKXc55S6n3OWUu5xyl1PucspdTrnLKXc55S6n3OWUu5xyl1PucspdTrnLKXc55S6n3OWUu5xyl1PucspdTrnLKXc55S6n3OWUu5"
            + "xyl1PucgGHA6gTgP/+vwHjvxkT8AkE/AgE/PMP////////////3///////////////f/7////////3/////////////f/////5//////3/////"
            + "/////3//////////5/9/////////////3////////////zf////////////3/////////////f///P////////3//////////3////////P///"
            + "9/////////////3//////////P/9/////////////3////////////ff7///////////3//////////3/////5//////9/////////////3///"
            + "////5////9///18DVHM12tUVZRfwjA=="
        },
        {
            "zstd 1.5.4: with a content size",
            StreamCompression.Zstd,
            200,
            "KLUv/SDI3QEAtAJ0ZW1wZXJhdHVyZSBvZiBzZW5zb3IgMDogMjEuNSBkZWdyZWVzOyAxMjM0BQDgk+C54GHBI64U9QQ="
        },
    };

    [Theory]
    [MemberData(nameof(Recorded))]
    public void Reads_what_others_have_written(string writer, StreamCompression compression, int length, string recorded)
    {
        byte[] plain = TestCodecs.Of(compression).Decompress(Convert.FromBase64String(recorded), length);
        Assert.True(plain.AsSpan().SequenceEqual(Lines(length)), writer);
    }

    // Frames may follow each other, and some are passed over.
    [Fact]
    public void Reads_several_frames()
    {
        byte[] plain = Lines(1_000);
        foreach (StreamCompression compression in (StreamCompression[])
            [StreamCompression.Lz4, StreamCompression.Snappy, StreamCompression.Zstd])
        {
            IStreamCompressionCodec codec = TestCodecs.Of(compression);
            byte[] skipped = compression == StreamCompression.Snappy
                ? [0x80, 3, 0, 0, 1, 2, 3]
                : [0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3];
            byte[] frames = [.. codec.Compress(plain[..400]), .. skipped, .. codec.Compress(plain[400..]), .. skipped];
            Assert.Equal(plain, codec.Decompress(frames, 1_000));
        }
    }

    private static byte[] Lines(int length)
    {
        var lines = new StringBuilder();
        for (int i = 0; lines.Length < length; i++)
        {
            lines.Append("temperature of sensor ").Append(i % 7).Append(": 21.5 degrees; ");
        }

        return Encoding.ASCII.GetBytes(lines.ToString(0, length));
    }
}
