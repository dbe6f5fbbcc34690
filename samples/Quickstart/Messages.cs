using Wire;

namespace Quickstart;

#region messages
public abstract record Message(Guid Id);
public sealed record OrderPlaced(Guid Id, string Customer, decimal Total) : Message(Id);
public sealed record OrderShipped(Guid Id, DateTime ShippedAt, int Parcels) : Message(Id);
#endregion

internal static class Messages
{
    /// <summary>Sends a batch through Wire and returns whether it came back as it went.</summary>
    public static bool RoundTrip()
    {
        var order = new Guid("6f9619ff-8b86-d011-b42d-00c04fc964ff");
        var shippedAt = new DateTime(2025, 11, 11, 9, 30, 0, DateTimeKind.Utc);

        #region round-trip
        var serializer = new Serializer(new SerializerOptions
        {
            TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<Message>(), // what a payload may name
        });
        object[] batch = [new OrderPlaced(order, "Ada", 19.90m), new OrderShipped(order, shippedAt, 2), 42, 3.14, 'x', "text"];
        byte[] bytes = serializer.Serialize(batch);
        object[] copy = serializer.Deserialize<object[]>(bytes)!;
        #endregion

        bool equal = copy.SequenceEqual(batch);
        Console.WriteLine(PayloadDump.Describe(bytes));
        Console.WriteLine($"{batch.Length} items, {bytes.Length} bytes, {(equal ? "equal" : "NOT EQUAL")} after reading back");
        return equal;
    }
}
