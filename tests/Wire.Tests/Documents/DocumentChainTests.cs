using Wire.Tests.Testing;
using Xunit;

namespace Wire.Tests.Documents;

/// <summary>Many tags in one place: objects that stand for each other.</summary>
public class DocumentChainTests
{
    private const byte Null = 0x00;
    private const byte First = 0x80;
    private const int FirstNumber = 3;
    private const int Long = 5_000;

    public static TheoryData<byte[], PayloadKind, string?> Ends() => new()
    {
        { [Null], PayloadKind.Null, "N" },
        { [0x2F], PayloadKind.Members, "N" },
        { [0x15, 1, 0, 0, 0], PayloadKind.Scalar, "N" },
        { [0x2A, 0x03, (byte)'a'], PayloadKind.Scalar, "N" },
        { [0x05, 0x2F, 0x01, 0x10, 0x01], PayloadKind.Sequence, "N" },
        { [0x81, 7, 0, 0, 0], PayloadKind.Members, "M" },
    };

    [Theory]
    [MemberData(nameof(Ends))]
    public void A_chain_of_any_length_is_one_value(byte[] end, PayloadKind kind, string? type)
    {
        for (int length = 1; length <= 40; length++)
        {
            PayloadDocument document = NodeWalk.Check(Chain(length, end, [0, length / 2, length - 1]));
            PayloadNode chain = document.Root[1];
            Assert.Equal((kind, type), (chain.Kind, chain.TypeName));
            Assert.Equal(FirstNumber, chain.ObjectNumber);
            for (int i = 2; i < 5; i++)
            {
                PayloadNode target = document.Root[i].Target;
                Assert.Equal((chain.Offset, chain.Length), (target.Offset, target.Length));
                Assert.Equal((kind, type, chain.Count), (target.Kind, target.TypeName, target.Count));
            }

            Assert.Equal((byte)9, document.Root[5].GetValue<byte>());
        }
    }

    [Fact]
    public void Nobody_goes_through_the_tags_of_a_long_chain_again()
    {
        byte[] payload = Chain(Long, [0x15, 1, 0, 0, 0], [0, Long / 2, Long - 1]);
        var document = PayloadDocument.Parse(payload);
        PayloadNode before = document.Root[2].Target;
        int last = document.Root[1].Offset + document.Root[1].Length - 6;

        // Whoever read one of these would find null.
        payload.AsSpan((last - Long + 100)..last).Clear();
        for (int i = 1; i < 5; i++)
        {
            PayloadNode target = document.Root[i].Target;
            Assert.Equal(1, target.GetValue<int>());
            Assert.Equal((before.Offset, before.Length, before.TypeName), (target.Offset, target.Length, target.TypeName));
        }

        Assert.True(document.Root.TryGet("[3]", out _));
        Assert.Equal((byte)9, document.Root[5].GetValue<byte>());
    }

    // An array of an M, a chain of objects of the type N, each of which stands for the next one, references to some of these, and a number.
    private static byte[] Chain(int length, byte[] end, int[] referred)
    {
        PayloadWriter payload = new PayloadWriter().Byte(0x12, 0x05, 0x2F).Number(referred.Length + 3)
            .Byte(0x02, 0x05, 0x02, (byte)'N', 0x01, 0x46, 0x00, 0x02, 0x08, 0x02, (byte)'M', 0x01, 0x44, 0x01, 0x01, (byte)'A', 0x15)
            .Byte(3, 0, 0, 0)
            .Many(length, (writer, _) => writer.Byte(First))
            .Byte(end);
        foreach (int one in referred)
        {
            payload.Byte(0x01).Number(FirstNumber + one);
        }

        return payload.Byte(0x12, 9).Bytes;
    }
}
