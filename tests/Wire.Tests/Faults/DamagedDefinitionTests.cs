using System.Text.Json;
using Wire.Comparing;
using Wire.Tests.Behaviour;

namespace Wire.Tests.Faults;

/// <summary>
/// Messages of a session mean what earlier ones have defined: damage to a definition is seen there, and never changes a whole message.
/// </summary>
public sealed class DamagedDefinitionTests
{
    public static TheoryData<bool, bool> Twins => new() { { true, true }, { false, true }, { true, false }, { false, false } };

    [Theory]
    [MemberData(nameof(Twins))]
    public void A_message_with_any_bit_changed_changes_no_later_one(bool dynamicCode, bool references)
    {
        Serializer serializer = Setup.Serializer(dynamicCode, o => o with { PreserveObjectReferences = references });
        (byte[][] messages, object[] values) = Messages(serializer);
        int accepted = 0;
        for (int bit = 0; bit < messages[0].Length * 8; bit++)
        {
            using DeserializerSession session = serializer.GetDeserializerSession();
            accepted += Read(() => serializer.Deserialize<object>(Flipped(messages[0], bit), session)) is null ? 0 : 1;
            for (int i = 1; i < messages.Length; i++)
            {
                if (Read(() => serializer.Deserialize<object>(messages[i], session)) is { } read)
                {
                    GraphAssert.Same(values[i], read, sharing: references);
                }
            }
        }

        // Damage to a value is not seen: the bytes of a message are not checked.
        Assert.InRange(accepted, 1, messages[0].Length * 4);
    }

    [Fact]
    public void Nor_does_it_in_a_document()
    {
        (byte[][] messages, _) = Messages(Setup.Serializer(dynamicCode: true));
        var whole = new PayloadDocumentSession();
        string[] shown = [.. messages.Select(message => Json(message, whole))];
        for (int bit = 0; bit < messages[0].Length * 8; bit++)
        {
            var session = new PayloadDocumentSession();
            Read(() => Json(Flipped(messages[0], bit), session));
            for (int i = 1; i < messages.Length; i++)
            {
                if (Read(() => Json(messages[i], session)) is { } read)
                {
                    Assert.Equal(shown[i], read);
                }
            }
        }
    }

    [Fact]
    public void Two_bits_are_seen_too()
    {
        Serializer serializer = Setup.Serializer(dynamicCode: true);
        (byte[][] messages, _) = Messages(serializer);
        int end = messages[0].AsSpan().LastIndexOf("Note"u8) + "Note".Length;
        for (int first = 16; first < end * 8; first++)
        {
            for (int second = first + 1; second < end * 8; second += 7)
            {
                using DeserializerSession session = serializer.GetDeserializerSession();
                byte[] damaged = Flipped(Flipped(messages[0], first), second);
                Assert.Throws<WireFormatException>(() => serializer.Deserialize<object>(damaged, session));
            }
        }
    }

    private static (byte[][] Messages, object[] Values) Messages(Serializer serializer)
    {
        using SerializerSession session = serializer.GetSerializerSession();
        object[] values = [new Order { Id = 1, Note = "one" }, new Order { Id = 2, Note = "two" }, new List<Order> { new() { Id = 3 } }];
        return ([.. values.Select(value => serializer.Serialize(value, session))], values);
    }

    private static byte[] Flipped(byte[] message, int bit)
    {
        byte[] damaged = [.. message];
        damaged[bit / 8] ^= (byte)(1 << (bit % 8));
        return damaged;
    }

    private static string Json(byte[] message, PayloadDocumentSession session)
    {
        using var output = new MemoryStream();
        using (var writer = new Utf8JsonWriter(output))
        {
            PayloadDocument.Parse(message, session: session).Root.WriteTo(writer);
        }

        return System.Text.Encoding.UTF8.GetString(output.ToArray());
    }

    private static T? Read<T>(Func<T?> read)
        where T : class
    {
        try
        {
            return read();
        }
        catch (Exception e) when (e is WireFormatException or InvalidOperationException)
        {
            return null;
        }
    }

    public sealed class Order
    {
        public int Id;
        public string? Note;
        public Order? Next;
    }
}
