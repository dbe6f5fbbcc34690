#region migrate
using Wire;
using Wire.Migration;

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

    private static readonly BinaryFormatterReader Old = new(Serializer);

    public static byte[] Write(Order order) => Serializer.Serialize(order);

    public static Order Read(byte[] stored) => BinaryFormatterReader.IsBinaryFormatter(stored) // 17 bytes that no Wire payload begins with
        ? Old.Read<Order>(stored)!
        : Serializer.Deserialize<Order>(stored)!;

    public static void ConvertFile(string path)
    {
        using (FileStream input = File.OpenRead(path))
        using (FileStream output = File.Create(path + ".new"))
        {
            Old.Convert<Order>(input, output); // a failure leaves the file as it is, and an empty one beside it
        }

        File.Move(path + ".new", path, overwrite: true);
    }
}
#endregion
