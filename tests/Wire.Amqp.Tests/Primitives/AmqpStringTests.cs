using System.Text;
using FsCheck;
using FsCheck.Fluent;

namespace Wire.Amqp.Tests.Primitives;

public sealed class AmqpStringTests
{
    [Fact]
    public void A_text_and_its_bytes_are_the_same() => Prop.ForAll<NonNull<string>>(any =>
    {
        string text = string.Concat(any.Get.EnumerateRunes().Where(rune => rune != Rune.ReplacementChar));
        AmqpString written = text;
        var read = new AmqpString(Encoding.UTF8.GetBytes(text));
        Assert.Equal(text, written.ToString());
        Assert.Equal(text, read.ToString());
        Assert.Equal(read.ByteCount, written.ByteCount);
        Assert.Equal(read.Utf8.ToArray(), written.Utf8.ToArray());
        Assert.True(written == read && read == written && read.Equals(text) && written.Equals(text));
        Assert.Equal(read.GetHashCode(), written.GetHashCode());
        Assert.False(read.Equals(text + "x") || written == text + "x" || new AmqpString(Encoding.UTF8.GetBytes(text + "ß")) == read);
        byte[] copied = new byte[read.ByteCount];
        Assert.Equal(read.ByteCount, written.CopyTo(copied));
        Assert.Equal(read.Utf8.ToArray(), copied);
    }).QuickCheckThrowOnFailure();

    [Fact]
    public void No_text_is_not_the_empty_text()
    {
        AmqpString none = null;
        AmqpString empty = "";
        Assert.True(none.IsNull && none.IsEmpty && !empty.IsNull && empty.IsEmpty);
        Assert.True(none != empty && none == default && empty == new AmqpString(default(ReadOnlyMemory<byte>)));
        Assert.Equal(0, none.ByteCount);
        Assert.Equal("", none.ToString());
    }

    [Fact]
    public void An_unpaired_surrogate_is_an_error_and_not_replaced()
    {
        AmqpString text = "half \ud83d a pair";
        Assert.Throws<ArgumentException>(() => text.ByteCount);
        Assert.Throws<ArgumentException>(() => text.CopyTo(new byte[64]));
    }

    [Theory]
    [InlineData("c3a9")] // One letter.
    [InlineData("efbfbd")] // What unpaired surrogates are replaced by where they are.
    [InlineData("eda080")] // What they would be if UTF-8 had them.
    public void An_unpaired_surrogate_equals_no_bytes(string hex)
    {
        var read = new AmqpString(Convert.FromHexString(hex));
        AmqpString text = "\ud800";
        Assert.False(read.Equals("\ud800") || read == text || text == read);
        Assert.Equal(hex == "efbfbd", read.Equals("\ufffd"));
    }
}
