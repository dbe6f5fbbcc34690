using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Metadata.Builders;
using Wire.RabbitMQ.Outbox.EntityFrameworkCore.Waking;

namespace Wire.RabbitMQ.Outbox.EntityFrameworkCore;

/// <summary>The tables of outbox and inbox as part of a context.</summary>
public static class OutboxModel
{
    /// <summary>
    /// Maps <see cref="OutboxMessage"/> and <see cref="InboxMessage"/> to the tables of the store, so that migrations create them and <see
    /// cref="OutboxContext"/> adds to them. To be called in OnModelCreating.
    /// </summary>
    /// <param name="model">The model.</param>
    /// <param name="tables">The names of the tables, those of the store; <see cref="OutboxTables.Default"/> when left out.</param>
    public static ModelBuilder UseWireOutbox(this ModelBuilder model, OutboxTables? tables = null)
    {
        ArgumentNullException.ThrowIfNull(model);
        tables ??= OutboxTables.Default;
        model.Entity<OutboxMessage>(outbox =>
        {
            outbox.ToTable(tables.Outbox, tables.Schema);
            outbox.HasKey(message => message.Id);
            Column(outbox.Property(message => message.Id), "id").ValueGeneratedOnAdd();
            Column(outbox.Property(message => message.MessageId), "message_id");
            Column(outbox.Property(message => message.Exchange), "exchange");
            Column(outbox.Property(message => message.RoutingKey), "routing_key");
            Column(outbox.Property(message => message.OrderingKey), "ordering_key");
            Column(outbox.Property(message => message.MessageType), "message_type");
            Column(outbox.Property(message => message.Properties), "properties");
            Column(outbox.Property(message => message.Body), "body");
            Column(outbox.Property(message => message.CreatedAt), "created_at");
            Column(outbox.Property(message => message.DueAt), "due_at");
            Column(outbox.Property(message => message.Claim), "claim");
            Column(outbox.Property(message => message.Attempts), "attempts");
            Column(outbox.Property(message => message.LastError), "last_error");
            outbox.HasIndex(message => new { message.OrderingKey, message.Id }, $"ix_{tables.Outbox}_ordering_key");
        });
        model.Entity<InboxMessage>(inbox =>
        {
            inbox.ToTable(tables.Inbox, tables.Schema);
            inbox.HasKey(message => new { message.Consumer, message.MessageId });
            Column(inbox.Property(message => message.Consumer), "consumer");
            Column(inbox.Property(message => message.MessageId), "message_id");
            Column(inbox.Property(message => message.HandledAt), "handled_at");
            inbox.HasIndex(message => message.HandledAt, $"ix_{tables.Inbox}_handled_at");
        });
        return model;
    }

    /// <summary>
    /// Wakes the senders on a store when a context has saved changes or committed a transaction: without it they find the messages at
    /// their next <see cref="OutboxSenderOptions.PollInterval"/>.
    /// </summary>
    /// <param name="options">The options of the context.</param>
    /// <param name="store">The store.</param>
    public static DbContextOptionsBuilder UseWireOutbox(this DbContextOptionsBuilder options, OutboxStore store)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(store);
        return options.AddInterceptors(new WakingInterceptor(store));
    }

    // The statements of the store name the columns, whatever the conventions of the context are.
    private static PropertyBuilder<T> Column<T>(PropertyBuilder<T> property, string name) => property.HasColumnName(name);
}
