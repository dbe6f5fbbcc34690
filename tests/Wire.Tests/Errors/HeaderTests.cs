using System.Buffers;
using System.IO.Pipelines;
using System.Text;
using Wire.Testing;
using Wire.Tests.ValueSerializers;

namespace Wire.Tests.Errors;

/// <summary>What is no payload of Wire is named, where its first bytes tell what it is.</summary>
public sealed class HeaderTests
{
    private const string Name = "This is a BinaryFormatter payload: read it with the package WireSerializer.Migration: "
        + "new BinaryFormatterReader(serializer).Read<T>(stream). Its Convert makes it a payload of Wire.";

    private static readonly Serializer Serializer = new();

    // As BinaryFormatter writes a string: the header with the numbers of root and header, the string, the end.
    private static readonly byte[] Text = [0, 1, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 1, 0, 0, 0, 0, 0, 0, 0, 6, 1, 0, 0, 0, 1, (byte)'a', 11];

    [Fact]
    public void A_payload_of_BinaryFormatter_is_named()
    {
        AssertNamed(() => Serializer.Deserialize<string>(Text));
        AssertNamed(() => Serializer.Deserialize<object>(Text));
        AssertNamed(() => Serializer.DeserializeTyped<Person>(Text));
        AssertNamed(() => Serializer.Deserialize<Person>(new SeekableStream(Text)));
        Assert.Contains($"not decoded from 0x0 on: {Name}", PayloadDump.Describe(Text), StringComparison.Ordinal);
    }

    [Fact]
    public async Task It_is_named_where_frames_are_expected()
    {
        // Its first bytes pass for a length of 256: enough bytes for that, and too few.
        foreach (byte[] bytes in new byte[][] { [.. Text, .. new byte[300]], Text })
        {
            Check(await Assert.ThrowsAsync<WireFormatException>(
                async () => await Serializer.DeserializeFramedAsync<string>(new MemoryStream(bytes))));
            Check(await Assert.ThrowsAsync<WireFormatException>(
                async () => await Serializer.DeserializeFramedAsync<string>(PipeReader.Create(new MemoryStream(bytes)))));
        }

        byte[] framed = [(byte)Text.Length, 0, 0, 0, .. Text];
        Check(await Assert.ThrowsAsync<WireFormatException>(
            async () => await Serializer.DeserializeFramedAsync<string>(new MemoryStream(framed))));

        static void Check(WireFormatException e) => Assert.Contains("WireSerializer.Migration", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Other_bytes_are_not_called_one()
    {
        foreach (int changed in new[] { 0, 9, 13, 16 })
        {
            byte[] bytes = [.. Text];
            bytes[changed] ^= 0x20;
            WireFormatException e = Assert.Throws<WireFormatException>(() => Serializer.Deserialize<object>(bytes));
            Assert.Equal(WireFormatError.Header, e.Error);
            Assert.DoesNotContain("BinaryFormatter", e.Message, StringComparison.Ordinal);
        }

        for (int length = 2; length < 17; length++)
        {
            Assert.DoesNotContain(
                "BinaryFormatter",
                Assert.Throws<WireFormatException>(() => Serializer.Deserialize<object>(Text.AsSpan(0, length))).Message,
                StringComparison.Ordinal);
        }
    }

    [Fact]
    public void A_stream_that_cannot_seek_is_not_read_ahead_for_it()
    {
        using var pipe = new System.IO.Pipes.AnonymousPipeServerStream(System.IO.Pipes.PipeDirection.Out);
        using var reader = new System.IO.Pipes.AnonymousPipeClientStream(System.IO.Pipes.PipeDirection.In, pipe.ClientSafePipeHandle);
        pipe.Write(Text);

        WireFormatException e = Assert.Throws<WireFormatException>(() => Serializer.Deserialize<string>(reader));

        Assert.Contains(
            "0x00 is not the header of a payload of format version 1. If BinaryFormatter has written it, read it with the package "
                + "WireSerializer.Migration:",
            e.Message,
            StringComparison.Ordinal);
        Assert.Equal(1, reader.ReadByte());
    }

    [Theory]
    [InlineData("{\"Id\": 1}", "0x7B is not the header of a payload of format version 1. It looks like JSON: read it with a "
        + "serializer of JSON.")]
    [InlineData("[1, 2]", "0x5B is not the header of a payload of format version 1. It looks like JSON: read it with a serializer of "
        + "JSON.")]
    [InlineData(
        "\u001F\u008B\u0008", "0x1F is not the header of a payload of format version 1. It is compressed by gzip: decompress it first.")]
    [InlineData("\u001F\u008C", "0x1F is not the header of a payload of format version 1. Pass the bytes that Serialize has written")]
    [InlineData("text", "0x74 is not the header of a payload of format version 1. It looks like text: if it is Base64 or hexadecimal")]
    [InlineData("\u0021", "0x21 is not the header of a payload of format version 1. If a later version of Wire has written it, read it")]
    public void What_is_no_payload_is_told_by_name(string bytes, string text) => Assert.StartsWith(
        text,
        Assert.Throws<WireFormatException>(() => Serializer.Deserialize<object>(Encoding.Latin1.GetBytes(bytes))).Message,
        StringComparison.Ordinal);

    [Fact]
    public void No_input_at_all_is_told_by_name()
    {
        foreach (Action read in new Action[]
        {
            () => Serializer.Deserialize<int>([]), () => Serializer.DeserializeTyped<Person>([]),
            () => Serializer.Deserialize<string>(default(ReadOnlySequence<byte>)),
        })
        {
            WireFormatException e = Assert.Throws<WireFormatException>(read);
            Assert.Equal((WireFormatError.Truncated, 0L), (e.Error, e.Offset));
            Assert.StartsWith("The input is empty. ", e.Message, StringComparison.Ordinal);
            Assert.Contains("set its Position to 0", e.Message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void A_stream_of_which_nothing_is_left_is_told_by_name()
    {
        using var written = new MemoryStream();
        Serializer.Serialize(7, written);
        Serializer.Serialize(8, written);
        AssertAtEnd();
        written.Position = 0;
        Assert.Equal((7, 8), (Serializer.Deserialize<int>(written), Serializer.Deserialize<int>(written)));
        AssertAtEnd();
        written.SetLength(written.Length - 1);
        written.Position = 0;
        Serializer.Deserialize<int>(written);
        Assert.StartsWith(
            "The input ends inside a value",
            Assert.Throws<WireFormatException>(() => Serializer.Deserialize<int>(written)).Message,
            StringComparison.Ordinal);

        void AssertAtEnd()
        {
            WireFormatException e = Assert.Throws<WireFormatException>(() => Serializer.Deserialize<int>(written));
            Assert.Equal((WireFormatError.Truncated, 0L), (e.Error, e.Offset));
            Assert.StartsWith("Nothing is left of the stream from its position on: ", e.Message, StringComparison.Ordinal);
            Assert.DoesNotContain("empty", e.Message, StringComparison.Ordinal);
            Assert.Contains("set its Position to 0", e.Message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task An_empty_frame_is_told_by_name()
    {
        byte[] frame = new byte[sizeof(int)];
        var letters = new List<DeadLetter>();
        await foreach (int value in Serializer.DeserializeAllFramedAsync<int>(new MemoryStream(frame), letter =>
        {
            letters.Add(letter);
            return default;
        }))
        {
            Assert.Fail($"There is no {value}.");
        }

        foreach (Exception error in new[]
        {
            await Assert.ThrowsAsync<WireFormatException>(
                async () => await Serializer.DeserializeFramedAsync<int>(new MemoryStream(frame))),
            await Assert.ThrowsAsync<WireFormatException>(
                async () => await Serializer.TryDeserializeFramedAsync<int>(PipeReader.Create(new MemoryStream(frame)))),
            Assert.Single(letters).Exception,
        })
        {
            WireFormatException e = Assert.IsType<WireFormatException>(error);
            Assert.Equal((WireFormatError.Truncated, 0L), (e.Error, e.Offset));
            Assert.StartsWith("The frame is empty: ", e.Message, StringComparison.Ordinal);
            Assert.DoesNotContain("Position", e.Message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void Frames_are_told_from_payloads()
    {
        var output = new ArrayBufferWriter<byte>();
        new Serializer().SerializeFramed("abcdefghijklmnopqrstuvwxyz", output);
        Assert.Contains("It looks like frames", Message(output.WrittenSpan.ToArray()), StringComparison.Ordinal);
        Assert.DoesNotContain("frames", Message(output.WrittenSpan[..^1].ToArray()), StringComparison.Ordinal);

        static string Message(byte[] bytes) => Assert.Throws<WireFormatException>(() => Serializer.Deserialize<object>(bytes)).Message;
    }

    private static void AssertNamed(Action read)
    {
        WireFormatException e = Assert.Throws<WireFormatException>(read);
        Assert.Equal(WireFormatError.Header, e.Error);
        Assert.Contains(Name, e.Message, StringComparison.Ordinal);
    }
}
