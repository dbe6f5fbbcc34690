using Wire.RabbitMQ;

namespace Bookshop;

/// <summary>The queues of the service.</summary>
internal static class Queues
{
    public const string Audit = "bookshop-audit";
    public const string Billing = "bookshop-billing";
    public const string Invoices = "bookshop-invoices";
    public const string Prices = "bookshop-prices";

    private static readonly Type[] Types =
        [typeof(ShopEvent), typeof(OrderPlaced), typeof(OrderShipped), typeof(SendInvoice), typeof(PriceOf)];

    // Where retries wait, and what is for a later time, which goes to the queue for the time that is left.
    private static readonly string[] Delays =
    [
        "100ms", "125ms", "150ms", "200ms", "250ms", "300ms", "400ms", "500ms", "600ms", "800ms", "1s", "1250ms", "1500ms", "2s", "4s",
    ];

    /// <summary>Deletes them with all that belongs to them, as a program that is only tried leaves nothing at the broker.</summary>
    public static async Task DeleteAsync(Uri uri)
    {
        await using WireConnection connection = await WireConnection.ConnectAsync(uri.ToString());
        foreach (string queue in (string[])[Audit, Billing, Invoices, Prices])
        {
            foreach (string each in (string[])[queue, $"{queue}.error", .. Delays.Select(delay => $"{queue}.delay.{delay}")])
            {
                await connection.Topology.DeleteQueueAsync(each);
            }
        }

        foreach (Type type in Types)
        {
            await connection.Topology.DeleteExchangeAsync(WireConventions.WithBases.ExchangeOf(type));
        }
    }
}
