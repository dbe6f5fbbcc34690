using System.Text.Json;
using System.Text.Json.Serialization;

namespace Shop;

[JsonDerivedType(typeof(OrderPlaced), "OrderPlaced")]
[JsonDerivedType(typeof(OrderPaid), "OrderPaid")]
[JsonDerivedType(typeof(OrderShipped), "OrderShipped")]
[JsonDerivedType(typeof(OrderCancelled), "OrderCancelled")]
[JsonDerivedType(typeof(StateChanged), "StateChanged")]
[JsonDerivedType(typeof(CustomerCreated), "CustomerCreated")]
[JsonDerivedType(typeof(CustomerMoved), "CustomerMoved")]
[JsonDerivedType(typeof(StockChanged), "StockChanged")]
[JsonDerivedType(typeof(PriceChanged), "PriceChanged")]
[JsonDerivedType(typeof(Reminder), "Reminder")]
[JsonDerivedType(typeof(Tagged), "Tagged")]
[JsonDerivedType(typeof(Batch), "Batch")]
[JsonDerivedType(typeof(Raw), "Raw")]
[JsonDerivedType(typeof(Flags), "Flags")]
[JsonDerivedType(typeof(Failed), "Failed")]
[JsonDerivedType(typeof(Anything), "Anything")]
[JsonDerivedType(typeof(Cart), "Cart")]
[JsonDerivedType(typeof(Node), "Node")]
[JsonDerivedType(typeof(Carts), "Carts")]
[JsonDerivedType(typeof(Ping), "Ping")]
public partial interface IMessage;

[JsonSerializable(typeof(IMessage))]
[JsonSerializable(typeof(int))]
[JsonSerializable(typeof(double))]
[JsonSerializable(typeof(string))]
internal sealed partial class Context : JsonSerializerContext;

// The messages of NativeMessages by the source generator of System.Text.Json.
// first: writes and reads one of them. empty: nothing at all.
internal static class Program
{
    private static void Main(string[] args)
    {
        if (args is not ["empty"])
        {
            byte[] payload = JsonSerializer.SerializeToUtf8Bytes(Examples.All()[0], Context.Default.IMessage);
            Console.WriteLine(JsonSerializer.Deserialize(payload, Context.Default.IMessage)!.GetType().Name);
        }
    }
}
