#region migrate
using System.Formats.Nrbf;
using Wire;

namespace Shop;

[Serializable] // BinaryFormatter needed it; Wire does not
public sealed class Order
{
    public int Number { get; set; }
    public string Customer { get; set; } = "";
    public string[] Articles { get; set; } = [];

    [field: NonSerialized] // left out by Wire too
    public bool IsShown { get; set; }
}

internal static class Orders
{
    private static readonly Serializer Serializer = new(new SerializerOptions { PreserveObjectReferences = true });

    public static byte[] Write(Order order) => Serializer.Serialize(order);

    public static Order Read(byte[] stored)
    {
        using var stream = new MemoryStream(stored);
        return NrbfDecoder.StartsWithPayloadHeader(stream) // 17 bytes that no Wire payload begins with
            ? FromBinaryFormatter(NrbfDecoder.DecodeClassRecord(stream))
            : Serializer.Deserialize<Order>(stored)!;
    }

    private static Order FromBinaryFormatter(ClassRecord record) => record.TypeNameMatches(typeof(Order))
        ? new Order
        {
            Number = record.GetInt32(Field(nameof(Order.Number))),
            Customer = record.GetString(Field(nameof(Order.Customer))) ?? "",
            Articles = [.. ((SZArrayRecord<string>)record.GetArrayRecord(Field(nameof(Order.Articles)))!).GetArray().OfType<string>()],
        }
        : throw new InvalidDataException($"Expected an order, found {record.TypeName.FullName}.");

    // BinaryFormatter stored fields. The compiler names the field of a property like this.
    public static string Field(string property) => $"<{property}>k__BackingField";
}
#endregion
