using System.Text.Json;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using RabbitMQ.Client;
using Wire.RabbitMQ;

namespace Bookshop;

/// <summary>Those who use the service: they publish a few messages.</summary>
internal sealed class Customers(
    WirePublisher publisher,
    WireRequester requester,
    Ledger ledger,
    Customers.Settings settings,
    IHostApplicationLifetime host,
    ILogger<Customers> logger) : BackgroundService
{
    private const int Invoices = 3;
    private const int Events = 5;

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        try
        {
            await PublishAsync(stoppingToken);
            await PublishJsonAsync(stoppingToken);
            await ledger.WaitForAsync(Entry.Invoice, Invoices, stoppingToken);
            await ledger.WaitForAsync(Entry.Event, Events, stoppingToken);
            ledger.IsComplete = true;
            Log.AllHandled(logger, Invoices, Events);
        }
        catch (OperationCanceledException) when (stoppingToken.IsCancellationRequested)
        {
            Log.Stopped(logger);
        }

        if (settings.EndsByItself)
        {
            host.StopApplication();
        }
    }

    private async Task PublishAsync(CancellationToken stoppingToken)
    {
        Caller.Current = new Caller("north", Guid.NewGuid().ToString());

        #region publish
        Price price = await requester.RequestAsync<PriceOf, Price>(
            "", Queues.Prices, new PriceOf("Emma"), TimeSpan.FromSeconds(30), stoppingToken);
        var order = new OrderPlaced(Guid.NewGuid(), "Ada", price.Amount);
        await publisher.PublishAsync(order, cancellationToken: stoppingToken); // to all who handle it, or a base of it

        var later = new PublishOptions { NotBefore = DateTimeOffset.UtcNow.AddSeconds(2) };
        await publisher.PublishAsync(new OrderShipped(order.OrderId, 1), later, stoppingToken);
        #endregion

        await publisher.PublishAsync(new OrderPlaced(Guid.NewGuid(), "Bob", price.Amount), cancellationToken: stoppingToken);
        await publisher.PublishAsync(new OrderPlaced(Guid.NewGuid(), "Cleo", -1m), cancellationToken: stoppingToken);
    }

    // The web shop, which has never heard of Wire.
    private async Task PublishJsonAsync(CancellationToken stoppingToken)
    {
        await using IConnection shop = await new ConnectionFactory { Uri = settings.Uri }.CreateConnectionAsync(stoppingToken);
        await using IChannel channel = await shop.CreateChannelAsync(cancellationToken: stoppingToken);
        var properties = new BasicProperties
        {
            ContentType = "application/json",
            Type = typeof(OrderPlaced).FullName,
            Headers = new Dictionary<string, object?> { ["tenant"] = "west" },
        };
        await channel.BasicPublishAsync(
            WireConventions.WithBases.ExchangeOf(typeof(OrderPlaced)),
            "",
            mandatory: true,
            properties,
            JsonSerializer.SerializeToUtf8Bytes(new OrderPlaced(Guid.NewGuid(), "Dora", 5m), ShopJson.Default.OrderPlaced),
            stoppingToken);
    }

    /// <summary>What they are told.</summary>
    /// <param name="Uri">The broker.</param>
    /// <param name="EndsByItself">Whether the program ends when all is handled.</param>
    internal sealed record Settings(Uri Uri, bool EndsByItself);
}
