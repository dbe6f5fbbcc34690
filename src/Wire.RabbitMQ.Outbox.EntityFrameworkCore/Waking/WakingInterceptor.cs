using System.Data.Common;
using Microsoft.EntityFrameworkCore.Diagnostics;

namespace Wire.RabbitMQ.Outbox.EntityFrameworkCore.Waking;

/// <summary>
/// Wakes senders after what may be a commit: changes that were saved within a transaction wake them in vain, and its commit once more.
/// </summary>
internal sealed class WakingInterceptor(OutboxStore store) : DbTransactionInterceptor, ISaveChangesInterceptor
{
    public override void TransactionCommitted(DbTransaction transaction, TransactionEndEventData eventData) => store.Wake();

    public override Task TransactionCommittedAsync(
        DbTransaction transaction, TransactionEndEventData eventData, CancellationToken cancellationToken = default)
    {
        store.Wake();
        return Task.CompletedTask;
    }

    public int SavedChanges(SaveChangesCompletedEventData eventData, int result)
    {
        store.Wake();
        return result;
    }

    public ValueTask<int> SavedChangesAsync(
        SaveChangesCompletedEventData eventData, int result, CancellationToken cancellationToken = default)
    {
        store.Wake();
        return ValueTask.FromResult(result);
    }
}
