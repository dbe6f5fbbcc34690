namespace Buses.Bookshop;

/// <summary>What has happened: an interface, since MassTransit makes no object of an abstract class from its JSON.</summary>
public interface IShopEvent
{
    Guid OrderId { get; }
}

public sealed record OrderPlaced(Guid OrderId, string Customer, decimal Total) : IShopEvent;

public sealed record OrderShipped(Guid OrderId, int Parcels) : IShopEvent;

public sealed record SendInvoice(Guid OrderId, decimal Total);

public sealed record PriceOf(string Title);

public sealed record Price(decimal Amount, string Currency);

/// <summary>A service of the scope of a handler. It is away the first time.</summary>
internal sealed class Bank(Notes notes)
{
    public Task ChargeAsync(OrderPlaced order) =>
        notes.Add($"charge {order.Customer}") == 1 ? throw new TimeoutException("The bank does not answer.") : Task.CompletedTask;
}

/// <summary>What has happened, and how often. Thread-safe.</summary>
internal sealed class Notes
{
    private readonly Dictionary<string, int> _counts = [];

    /// <summary>Adds a note, and returns how often it was added.</summary>
    public int Add(string note)
    {
        lock (_counts)
        {
            return _counts[note] = _counts.GetValueOrDefault(note) + 1;
        }
    }

    /// <summary>Waits until there is such a note for so many times.</summary>
    /// <exception cref="TimeoutException">There is none after 30 seconds; the message has those that there are.</exception>
    public async Task WaitForAsync(string note, int count)
    {
        for (int i = 0; i < 1500; i++)
        {
            lock (_counts)
            {
                if (_counts.GetValueOrDefault(note) >= count)
                {
                    return;
                }
            }

            await Task.Delay(20);
        }

        throw new TimeoutException($"'{note}' has not happened {count} times, but: {string.Join(", ", _counts)}.");
    }
}
