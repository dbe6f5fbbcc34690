using Xunit;
using static Wire.Tests.Paths.PathSamples;

namespace Wire.Tests.Paths;

/// <summary>Text and bytes that are read where they lie.</summary>
public class PayloadTextTests
{
    [Fact]
    public void Text_is_read_where_it_lies()
    {
        PayloadPath<string> name = Copies.Path<string>("Name"), wide = Copies.Path<string>("Wide");
        Span<char> characters = stackalloc char[8];
        Span<byte> utf8 = stackalloc byte[16];
        for (int i = 0; i < 3; i++)
        {
            byte[] payload = Copies.Serialize(new Sample { Name = "Adé", Wide = "1€😀" });
            Assert.True(name.TryReadText(payload, out PayloadText text));
            Assert.Equal("Adé", text.ToString());
            Assert.Equal(3, text.Length);
            Assert.Equal('é', text[2]);
            Assert.True(text.Equals("Adé") && !text.Equals("Ade") && !text.Equals("Adéé"));
            Assert.True(text.StartsWith("Ad") && !text.StartsWith("d"));
            Assert.True(text.TryFormat(characters, out int written) && characters[..written].SequenceEqual("Adé"));
            Assert.True(text.TryFormat(utf8, out written) && utf8[..written].SequenceEqual("Adé"u8));
            Assert.False(text.TryFormat(characters[..2], out written) || written != 0);
            Assert.False(text.TryFormat(utf8[..3], out written) || written != 0);

            Assert.True(text.IsLatin1 && text.Bytes.SequenceEqual(new byte[] { 0x41, 0x64, 0xE9 }));
            Assert.True(wide.TryReadText(payload, out text));
            Assert.Equal("1€😀", text.ToString());
            Assert.False(text.IsLatin1);
            Assert.True(text.Equals("1€😀") && text.StartsWith("1€") && text[1] == '€');
            Assert.True(text.TryFormat(utf8, out written) && utf8[..written].SequenceEqual("1€😀"u8));

            Assert.True(name.TryReadText(Copies.Serialize(new Sample()), out text));
            Assert.True(text.IsNull && text.ToString() is null && text.Length == 0 && !text.Equals("") && !text.StartsWith(""));
            Assert.False(name.TryReadText(Copies.Serialize(new Lone(1)), out text));
            Assert.True(text.IsNull);
        }

        string longer = string.Concat(Enumerable.Repeat("a😀", 400));
        byte[] far = Copies.Serialize(new Sample { Wide = longer });
        Assert.True(wide.TryReadText(far, out PayloadText all));
        byte[] whole = new byte[4 * longer.Length];
        Assert.True(all.TryFormat(whole, out int count));
        Assert.Equal(longer, System.Text.Encoding.UTF8.GetString(whole.AsSpan(0, count)));
    }

    [Fact]
    public void Bytes_are_read_where_they_lie()
    {
        PayloadPath<byte[]> path = Copies.Path<byte[]>("Bytes"), list = Copies.Path<byte[]>("List");
        for (int i = 0; i < 3; i++)
        {
            byte[] payload = Copies.Serialize(new Sample { Bytes = [1, 2, 3], List = [4, 5] });
            Assert.True(path.TryReadBytes(payload, out ReadOnlySpan<byte> bytes));
            Assert.Equal([1, 2, 3], bytes.ToArray());
            Assert.Equal(i > 0, payload.AsSpan().Overlaps(bytes));
            Assert.Equal([1, 2, 3], path.Read(payload));
            Assert.True(list.TryReadBytes(payload, out bytes));
            Assert.Equal([4, 5], bytes.ToArray());
            Assert.False(path.TryReadBytes(Copies.Serialize(new Sample()), out bytes) || bytes.Length > 0);
            Assert.False(path.TryReadBytes(Copies.Serialize(new Lone(1)), out bytes) || bytes.Length > 0);
        }
    }
}
