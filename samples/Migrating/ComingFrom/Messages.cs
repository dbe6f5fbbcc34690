using Wire;

namespace Migrating.ComingFrom;

#region messages
public abstract record Message(int Id);
public sealed record OrderPlaced(int Id, string Customer, decimal Total) : Message(Id);
public sealed record OrderShipped(int Id, DateTime ShippedAt) : Message(Id);

internal static class Messages
{
    public static Serializer Serializer { get; } = new(new SerializerOptions
    {
        TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<Message>(), // what [KnownType] or a binder said
    });

    public static Message Read(byte[] stored) => stored[0] switch
    {
        (byte)'{' => OldJson.Read(stored),
        >= 0xC7 and <= 0xC9 => OldMessagePack.Read(stored), // where a type's name goes in front
        _ => Serializer.Deserialize<Message>(stored)!,
    };

    public static byte[] Convert(byte[] stored)
    {
        Message message = Read(stored);
        byte[] converted = Serializer.Serialize(message);
        GraphDifference? difference = new GraphEquality(Serializer).FindDifference(message, Serializer.Deserialize<Message>(converted));
        return difference is null ? converted : throw new InvalidDataException($"It does not come back: {difference}");
    }
}
#endregion
