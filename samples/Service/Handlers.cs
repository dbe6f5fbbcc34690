using Microsoft.Extensions.Logging;
using Wire.RabbitMQ;

namespace Bookshop;

#region handler
/// <summary>Charges for orders.</summary>
internal sealed class BillingHandler(Bank bank, WirePublisher publisher) : IMessageHandler<OrderPlaced>
{
    public async Task HandleAsync(OrderPlaced order, MessageContext context)
    {
        if (order.Total < 0)
        {
            context.Outcome = MessageOutcome.Fail("The total is negative."); // to bookshop-billing.error, without another attempt
            return;
        }

        await bank.ChargeAsync(order); // throws where the bank is away: the message waits at the broker, and comes again
        await publisher.PublishAsync("", Queues.Invoices, new SendInvoice(order.OrderId, order.Total)); // a command, to its queue
    }
}
#endregion

/// <summary>Writes down each kind of event.</summary>
internal sealed class AuditHandler(Ledger ledger, ILogger<AuditHandler> logger) : IMessageHandler<ShopEvent>
{
    public Task HandleAsync(ShopEvent message, MessageContext context)
    {
        Log.WrittenDown(logger, message, context.ContentType);
        ledger.Add(Entry.Event);
        return Task.CompletedTask;
    }
}

/// <summary>Sends invoices.</summary>
internal sealed class InvoiceHandler(Ledger ledger, ILogger<InvoiceHandler> logger) : IMessageHandler<SendInvoice>
{
    public Task HandleAsync(SendInvoice command, MessageContext context)
    {
        string tenant = Caller.Current.Tenant;
        Log.Invoiced(logger, command.Total, tenant);
        ledger.Add(Entry.Invoice);
        return Task.CompletedTask;
    }
}
