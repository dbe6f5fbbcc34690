using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using System.Threading.Channels;
using Microsoft.AspNetCore.SignalR;
using Wire.AspNetCore.Tests.Testing;

namespace Wire.AspNetCore.Tests.SignalR;

/// <summary>What clients see of the hub.</summary>
public interface IShopClient
{
    Task Happened(ShopEvent happened);

    Task<ShopEvent> Choose(ShopEvent first, ShopEvent second);

    Task Anything(object value);

    Task<int> Judge(object value);

    Task<byte[]> Size();
}

/// <summary>The hub of the tests: base classes in every position.</summary>
public sealed class ShopHub(ShopHub.Seen seen) : Hub<IShopClient>
{
    public Basket Mirror(Basket basket) => basket;

    public ShopEvent Echo(ShopEvent happened) => happened;

    public object? Any(object? value) => value;

    public int Add(int a, int b) => a + b;

    public void Nothing()
    {
    }

    public ShopEvent Smuggle() => Shop.Intruder;

    public ShopEvent Fail() => throw new HubException("The hub says no.");

    public object Unwritable() => Shop.Unwritable;

    public Task TellAnything(object value) => Clients.All.Anything(value);

    public Task TellUnwritable() => Clients.All.Anything(Shop.Unwritable);

    public async Task<int> AskUnwritable() => await Clients.Caller.Judge(Shop.Unwritable);

    public async Task<int> AskWritable() => await Clients.Caller.Judge(1);

    public async Task<int> Measure() => (await Clients.Caller.Size()).Length;

    public async IAsyncEnumerable<object> WatchOn(bool isWritable, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        yield return 1;
        yield return isWritable ? Shop.Intruder : Shop.Unwritable;
        try
        {
            for (int i = 0; ; i++)
            {
                await Task.Delay(1, cancellationToken);
                yield return i;
            }
        }
        finally
        {
            seen.Watched.Writer.TryWrite(cancellationToken.IsCancellationRequested);
        }
    }

    public async Task<int> Count(IAsyncEnumerable<object> items)
    {
        int count = 0;
        await foreach (object _ in items)
        {
            count++;
        }

        return count;
    }

    public Task Tell(ShopEvent happened) => Clients.All.Happened(happened);

    public async Task<ShopEvent> Ask() => await Clients.Caller.Choose(Shop.Order, Shop.Gift);

    public void Abort() => Context.Abort();

    public async IAsyncEnumerable<ShopEvent> Watch(int count, bool smuggles, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        try
        {
            for (int i = 0; i < count; i++)
            {
                cancellationToken.ThrowIfCancellationRequested();
                yield return i % 2 == 0 ? Shop.Order : Shop.Gift;
                await Task.Yield();
            }

            if (smuggles)
            {
                yield return Shop.Intruder;
            }
        }
        finally
        {
            seen.Watched.Writer.TryWrite(cancellationToken.IsCancellationRequested);
        }
    }

    public async Task<List<ShopEvent>> Collect(IAsyncEnumerable<ShopEvent> events)
    {
        var all = new List<ShopEvent>();
        await foreach (ShopEvent happened in events)
        {
            all.Add(happened);
        }

        return all;
    }

    public override Task OnDisconnectedAsync(Exception? exception)
    {
        seen.Ends[Context.ConnectionId] = exception?.Message;
        return Task.CompletedTask;
    }

    /// <summary>What the hub has seen.</summary>
    public sealed class Seen
    {
        /// <summary>Gets the reasons why connections ended, by their identifiers.</summary>
        public ConcurrentDictionary<string, string?> Ends { get; } = new();

        /// <summary>Gets the ends of streams: whether they were cancelled.</summary>
        public Channel<bool> Watched { get; } = Channel.CreateUnbounded<bool>();
    }
}
