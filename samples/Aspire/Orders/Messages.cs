using Wire.RabbitMQ;

namespace Shop;

#region messages
internal abstract record ShopMessage(Guid Id);

internal sealed record OrderPlaced(Guid Id, string Customer, decimal Total) : ShopMessage(Id);

internal sealed partial class OrderHandler(ILogger<OrderHandler> logger) : IMessageHandler<OrderPlaced>
{
    public Task HandleAsync(OrderPlaced order, MessageContext context)
    {
        Pays(logger, order.Customer, order.Total);
        return Task.CompletedTask;
    }

    [LoggerMessage(1, LogLevel.Information, "{Customer} pays {Total}.")]
    private static partial void Pays(ILogger logger, string customer, decimal total);
}
#endregion
