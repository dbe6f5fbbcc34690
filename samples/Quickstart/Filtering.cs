#region usings
using Wire;
#endregion

namespace Quickstart;

internal static class Filtering
{
    /// <summary>Reads messages with a filter, and returns whether the right ones are refused.</summary>
    public static bool RoundTrip()
    {
        var writer = new Serializer();
        byte[] placed = writer.Serialize<object>(new OrderPlaced(Guid.Empty, "Ada", 19.90m));
        byte[] shipped = writer.Serialize<object>(new OrderShipped(Guid.Empty, DateTime.UnixEpoch, 2));
        bool isRefused = false;

        #region filter
        var reader = new Serializer(new SerializerOptions
        {
            TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<Message>().Deny<OrderShipped>(),
            TypeRefused = refused => Console.Error.WriteLine($"refused: {refused.FullName}, {refused.Reason}"),
        });
        object? read = reader.Deserialize<object>(placed); // an OrderPlaced, which is a Message
        try
        {
            reader.Deserialize<object>(shipped);
        }
        catch (TypeRefusedException refused)
        {
            isRefused = refused.TypeName.StartsWith(typeof(OrderShipped).FullName!, StringComparison.Ordinal);
            Console.Error.WriteLine(refused.Remedy); // what to change, if payloads may have the type
        }
        #endregion

        bool isRight = isRefused && read is OrderPlaced { Customer: "Ada" };
        Console.WriteLine($"a filter: {(isRight ? "refuses what it should" : "WRONG")}");
        return isRight;
    }
}
