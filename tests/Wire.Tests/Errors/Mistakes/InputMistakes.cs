using System.Buffers;
using System.IO.Compression;
using System.Text;
using static Wire.Tests.Errors.Mistakes.Mistake;

namespace Wire.Tests.Errors.Mistakes;

/// <summary>Bytes that are no payload, not whole, or read by another method than the one they were written for.</summary>
internal static class InputMistakes
{
    private static readonly byte[] Placed = Default.Serialize(new Placed(1, "Ann"));
    private static readonly byte[] Typed = Default.SerializeTyped(new Placed(1, "Ann"));

    public static Mistake[] All =>
    [
        new("a payload that is cut", () => Default.Deserialize<Placed>(Placed[..^2]), "at byte", "Stream.ReadExactly"),
        new("a payload that is cut in its first bytes", () => Default.Deserialize<Placed>(Placed[..3]), "at byte", "Pass all of its bytes"),
        new("no bytes", () => Default.Deserialize<Placed>([]), "The input is empty", "set its Position to 0"),
        new("a stream at its end", () => Default.Deserialize<Placed>(AtEnd()), "Nothing is left of the stream", "set its Position to 0"),
        new(
            "a frame without a payload",
            () => Wait(Default.DeserializeFramedAsync<Placed>(new MemoryStream(new byte[4])).AsTask()),
            "The frame is empty",
            "Its writer"),
        new(
            "JSON",
            () => Default.Deserialize<Placed>(Encoding.UTF8.GetBytes("{\"Number\":1}")),
            "0x7B is not the header",
            "read it with a serializer of JSON"),
        new("compressed bytes", () => Default.Deserialize<Placed>(Compressed()), "0x1F is not the header", "decompress it first"),
        new("text", () => Default.Deserialize<Placed>("hello"u8.ToArray()), "0x68 is not the header", "decode it first"),
        new(
            "a payload as Base64",
            () => Default.Deserialize<Placed>(Encoding.ASCII.GetBytes(Convert.ToBase64String(Placed))),
            "0x45 is not the header",
            "if it is Base64 or hexadecimal, decode it first"),
        new("other bytes", () => Default.Deserialize<Placed>([0xEE, 1]), "0xEE is not the header", "Pass the bytes that Serialize"),
        new(
            "bytes of BinaryFormatter",
            () => Default.Deserialize<string>(OfBinaryFormatter()),
            "BinaryFormatter payload",
            "WireSerializer.Migration"),
        new("frames, read as a payload", () => Default.Deserialize<Placed>(Framed()), "It looks like frames", "DeserializeAllFramedAsync"),
        new(
            "a payload, read as a frame",
            () => Wait(Default.DeserializeFramedAsync<Placed>(new MemoryStream(Placed)).AsTask()),
            "A frame of",
            "read it with Deserialize"),
        new(
            "a frame that is cut",
            () => Wait(Default.DeserializeFramedAsync<Placed>(new MemoryStream(Framed()[..^1])).AsTask()),
            "after 77 of 78 bytes",
            "sent again"),
        new(
            "the end of frames",
            () => Wait(Default.DeserializeFramedAsync<Placed>(new MemoryStream()).AsTask()),
            "end",
            "TryDeserializeFramedAsync"),
        new(
            "a frame that is too large",
            () => Wait(
                With(new() { Limits = new() { MaxFrameBytes = 10 } }).DeserializeFramedAsync<Placed>(new MemoryStream(Framed())).AsTask()),
            "MaxFrameBytes = 10",
            "Raise the limit"),
        new(
            "a whole buffer with zeros behind the payload",
            () => Default.Deserialize<Placed>([.. Placed, 0, 0, 0]),
            "3 byte(s) follow",
            "the end of the value"),
        new(
            "a typed payload, read without its type",
            () => Default.Deserialize<Placed>(Typed),
            "SerializeTyped",
            "read it with DeserializeTyped"),
        new(
            "a payload, read as a typed one",
            () => Default.DeserializeTyped<Placed>(Placed),
            "its own root type",
            "read it with Deserialize"),
        new("a typed payload, read as another type", () => Default.DeserializeTyped<Other>(Typed), "Other", "type"),
        new(
            "another class than the payload has",
            () => Trusting.Deserialize<Cancelled>(Placed),
            "holds one of type Wire.Tests.Errors.Mistakes.Placed",
            "Ask for Wire.Tests.Errors.Mistakes.Placed"),
        new(
            "a number, read as a Guid",
            () => Default.Deserialize<Guid>(Default.Serialize(1)),
            "System.Guid",
            "Ask for System.Int32, or for object"),
        new(
            "a number that does not fit",
            () => Default.Deserialize<byte>(Default.Serialize(1000)),
            "Int32 1000",
            "Declare a type that holds it"),
        new("null, read as a number", () => Default.Deserialize<int>(Default.Serialize<string?>(null)), "at byte", "ask for int?"),
        new("a format of the future", () => Default.Deserialize<Placed>([0x20, .. Placed[1..]]), "0x20", "a later version of Wire"),
        new("a path to what is not there", () => Default.Read<int>(Placed, "Numer"), "'Numer'", "PayloadDump.Describe"),
        new("a path that is none", () => Default.Read<int>(Placed, "Number["), "Number[", "path"),
        new(
            "more elements than a limit",
            () => With(new() { Limits = new() { MaxElements = 2 } }).Deserialize<int[]>(Default.Serialize(new[] { 1, 2, 3 })),
            "Limits.MaxElements = 2",
            "Raise the limit only for input that you trust"),
        new(
            "a text longer than a limit",
            () => With(new() { Limits = new() { MaxStringLength = 64 } }).Deserialize<string>(Default.Serialize(new string('a', 100))),
            "Limits.MaxStringLength = 64",
            "Raise the limit only for input that you trust"),
    ];

    private static MemoryStream AtEnd()
    {
        var stream = new MemoryStream();
        Default.Serialize(new Placed(1, "Ann"), stream);
        return stream;
    }

    private static byte[] Compressed()
    {
        using var output = new MemoryStream();
        using (var zip = new GZipStream(output, CompressionMode.Compress))
        {
            zip.Write(Placed);
        }

        return output.ToArray();
    }

    private static byte[] Framed()
    {
        var output = new ArrayBufferWriter<byte>();
        Default.SerializeFramed(new Placed(1, "Ann"), output);
        return output.WrittenSpan.ToArray();
    }

    private static byte[] OfBinaryFormatter() =>
        [0, 1, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 1, 0, 0, 0, 0, 0, 0, 0, 6, 1, 0, 0, 0, 1, (byte)'a', 11];
}
