using System.Text;
using MessagePack;
using Newtonsoft.Json;

namespace Migrating.ComingFrom;

/// <summary>Writes messages as the other serializers do, converts them, and compares.</summary>
internal static class Check
{
    /// <summary>Returns whether each message comes back from each format, and what is no message is refused by each.</summary>
    public static bool Run()
    {
        Message[] messages =
            [new OrderPlaced(1, "Ada", 19.90m), new OrderShipped(1, new DateTime(2026, 11, 24, 2, 54, 8, DateTimeKind.Utc))];
        bool isRight = true;
        foreach (Message message in messages)
        {
            foreach (byte[] stored in new[] { AsJson(message), AsMessagePack(message) })
            {
                byte[] converted = Messages.Convert(stored);
                isRight &= Messages.Read(converted) == message;
                Console.WriteLine($"0x{stored[0]:X2}, {stored.Length} bytes -> 0x{converted[0]:X2}, {converted.Length} bytes: {message}");
            }
        }

        return isRight && IsRefused("""{"$type":"System.IO.FileInfo, System.Private.CoreLib","fileName":"x"}"""u8.ToArray());
    }

    private static byte[] AsJson(Message message) => Encoding.UTF8.GetBytes(JsonConvert.SerializeObject(message, OldJson.Settings));

    private static byte[] AsMessagePack(Message message) => MessagePackSerializer.Typeless.Serialize(message, OldMessagePack.Options);

    private static bool IsRefused(byte[] stored)
    {
        try
        {
            return Messages.Read(stored) is null;
        }
        catch (JsonSerializationException refused)
        {
            Console.WriteLine(refused.Message);
            return true;
        }
    }
}
