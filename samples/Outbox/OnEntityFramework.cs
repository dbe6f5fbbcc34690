using Microsoft.EntityFrameworkCore;
using Wire;
using Wire.RabbitMQ;
using Wire.RabbitMQ.Outbox;
using Wire.RabbitMQ.Outbox.EntityFrameworkCore;

namespace Shop;

/// <summary>The outbox in a context of Entity Framework Core.</summary>
internal static class OnEntityFramework
{
    public static async Task RunAsync(string file)
    {
        var serializer = new WireBodySerializer(new SerializerOptions());
        var store = new OutboxStore(OutboxDatabase.Sqlite, () => new Microsoft.Data.Sqlite.SqliteConnection($"Data Source={file}"));
        var outbox = new WireOutbox(store, serializer);
        DbContextOptions options = new DbContextOptionsBuilder()
            .UseSqlite($"Data Source={file}")
            .UseWireOutbox(store) // wakes the sender after each commit
            .Options;
        await using var context = new ShopContext(options);
        await context.Database.EnsureCreatedAsync();

        #region entity framework
        context.Add(new Order { Customer = "Ada" });
        context.AddToOutbox(outbox, "", "orders", new OrderPlaced(1, "Ada"));
        await context.SaveChangesAsync(); // both, or neither
        #endregion

        Console.WriteLine($"{await store.CountAsync()} message waits in the outbox of a context.");
    }

    /// <summary>Handles a message in a context.</summary>
    public static async Task HandleAsync(
        WireInbox inbox, WireOutbox outbox, ShopContext database, OrderPlaced order, MessageContext context)
    {
        #region entity framework handler
        await inbox.HandleAsync(database, context, () =>
        {
            database.Add(new Order { Customer = order.Customer });
            database.AddToOutbox(outbox, new OrderBilled(order.Number));
            return Task.CompletedTask; // now the changes are saved, and all of it is committed
        });
        #endregion
    }

    internal sealed class Order
    {
        public int Id { get; init; }

        public required string Customer { get; init; }
    }

    #region context
    internal sealed class ShopContext(DbContextOptions options) : DbContext(options)
    {
        public DbSet<Order> Orders => Set<Order>();

        protected override void OnModelCreating(ModelBuilder modelBuilder) => modelBuilder.UseWireOutbox(); // wire_outbox, wire_inbox
    }
    #endregion
}
