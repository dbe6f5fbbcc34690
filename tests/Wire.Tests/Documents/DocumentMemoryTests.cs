using System.Globalization;
using Wire.Tests.Testing;
using Xunit;

namespace Wire.Tests.Documents;

/// <summary>
/// What docs/documents.md promises: parsing takes no more memory at any time than <see cref="Limits.MaxAllocation"/>, and a little that a
/// thread keeps. All that is allocated meanwhile is at least what is alive at any time.
/// </summary>
public class DocumentMemoryTests
{
    private const byte References = 0x12;
    private const byte Alone = 0x10;
    private const int Many = 200_000;

    // For the first items of each list.
    private const long OfThread = 256 << 10;

    private static readonly Dictionary<string, byte[]> Payloads = new()
    {
        ["lists inside each other"] = Start(Alone).Many(Many, (payload, _) => payload.Byte(0x05, 0x2F, 0x01)).Byte(0x00).Bytes,
        ["lists inside each other, with numbers"] =
            Start(References).Many(Many, (payload, _) => payload.Byte(0x05, 0x2F, 0x01)).Byte(0x00).Bytes,
        ["lists beside each other"] = Array(Alone, Many).Many(Many, (payload, _) => payload.Byte(0x05, 0x2F, 0x01, 0x00)).Bytes,
        ["sets inside each other"] = Start(References).Byte(0x02, 0x06, 0x02, (byte)'S', 0x01, 0x49, 0x46, 0x00, 0x00, 0x01)
            .Many(Many, (payload, _) => payload.Byte(0x80, 0x00, 0x01)).Byte(0x00).Bytes,
        ["objects"] = Array(References, Many).Many(Many, (payload, _) => payload.Byte(0x2F)).Bytes,
        ["objects, each referred to"] = Array(References, 2 * Many).Many(Many, (payload, _) => payload.Byte(0x2F))
            .Many(Many, (payload, i) => payload.Byte(0x01).Number(i + 1)).Bytes,
        ["chains"] = Array(References, Many / 10)
            .Byte(0x02, 0x05, 0x02, (byte)'N', 0x01, 0x46, 0x00)
            .Many(Many / 10, (payload, i) => payload.Many(9, (inside, _) => inside.Byte(0x80)).Byte(0x00)).Bytes,
        ["one chain"] = Start(References).Byte(0x02, 0x05, 0x02, (byte)'N', 0x01, 0x46, 0x00)
            .Many(Many, (payload, _) => payload.Byte(0x80)).Byte(0x00).Bytes,
        ["a frame of many objects"] = Start(References).Byte(0x02, 0x04, 0x02, (byte)'F', 0x01, 0x47)
            .Number(Many).Number(Many).Byte(new byte[Many]).Bytes,
        ["definitions"] = Array(Alone, 4000).Many(4000, (payload, i) => Define(payload, i).Byte(0, 0, 0, 0)).Bytes,
    };

    public static TheoryData<string> Names() => [.. Payloads.Keys];

    [Theory]
    [MemberData(nameof(Names))]
    public void What_a_document_takes_is_counted(string name)
    {
        byte[] payload = Payloads[name];
        PayloadDocument.Parse(payload);
        long taken = Taken(() => Assert.True(PayloadDocument.Parse(payload).ObjectCount > 0));

        // It is counted: with less, there is no document.
        Refuse(payload, Math.Max(1, taken - OfThread));

        // Nor is more taken before that is known.
        foreach (long limit in new[] { taken / 2, taken / 5, taken / 20 })
        {
            Assert.InRange(Taken(() => Refuse(payload, limit)), 0, limit + OfThread);
        }
    }

    [Theory]
    [InlineData("lists inside each other", 52 + 4)]
    [InlineData("lists beside each other", 12 + 1)]
    [InlineData("objects", 24 + 1)]
    [InlineData("objects, each referred to", 24 + 1)]
    public void No_more_is_counted_than_that(string name, int bytes) =>
        PayloadDocument.Parse(Payloads[name], Limits.Default with { MaxAllocation = (long)bytes * Many });

    private static PayloadWriter Start(byte header) => new PayloadWriter().Byte(header);

    private static PayloadWriter Array(byte header, int count) => Start(header).Byte(0x05, 0x2F).Number(count);

    // With a member of a name of its own.
    private static PayloadWriter Define(PayloadWriter payload, int number)
    {
        byte[] manifest = new PayloadWriter().Byte(0x02, (byte)'D', 0x01, 0x44, 0x01)
            .Name(number.ToString(CultureInfo.InvariantCulture)).Byte(0x15).Bytes;
        return payload.Byte(0x02).Number(manifest.Length).Byte(manifest);
    }

    private static void Refuse(byte[] payload, long limit) => Assert.Equal(
        WireFormatError.Limit,
        Assert.Throws<WireFormatException>(() => PayloadDocument.Parse(payload, Limits.Default with { MaxAllocation = limit })).Error);

    private static long Taken(Action action)
    {
        long before = GC.GetAllocatedBytesForCurrentThread();
        action();
        return GC.GetAllocatedBytesForCurrentThread() - before;
    }
}
