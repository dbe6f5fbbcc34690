namespace Bookshop;

/// <summary>A service of the scope of a handler, as a database context is one. It is away the first time.</summary>
internal sealed class Bank(Ledger ledger)
{
    public Task ChargeAsync(OrderPlaced order) =>
        order.Customer == "Bob" && ledger.Add(Entry.Refusal) <= 2
            ? throw new TimeoutException("The bank does not answer.")
            : Task.CompletedTask;
}
