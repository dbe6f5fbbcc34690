using Microsoft.Extensions.Caching.Distributed;
using Microsoft.Extensions.Caching.Hybrid;
using Microsoft.Extensions.DependencyInjection;
using Wire;
using Wire.AspNetCore;

namespace Shop;

/// <summary>Values in caches.</summary>
internal static class Caching
{
    public static async Task RunAsync()
    {
        var options = new SerializerOptions { TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<Message>() };
        var services = new ServiceCollection();
        services.AddDistributedMemoryCache(); // Redis, SQL Server, ...

        #region hybrid
        services.AddHybridCache().AddSerializerFactory(new WireHybridCacheSerializerFactory(options));
        #endregion

        #region distributed
        services.AddWireDistributedCache(
            options, unreadable: (key, exception) => Console.Error.WriteLine($"{key} is made anew: {exception.Message}"));
        #endregion
        await using ServiceProvider provider = services.BuildServiceProvider();

        #region replace
        HybridCache cache = provider.GetRequiredService<HybridCache>();
        Message message = await cache.GetOrReplaceAsync("order:1", cancellationToken => LoadAsync(1, cancellationToken));
        #endregion
        Console.WriteLine(message);

        #region typed
        WireDistributedCache typed = provider.GetRequiredService<WireDistributedCache>();
        await typed.SetAsync<Message>(
            "order:2", message, new DistributedCacheEntryOptions { SlidingExpiration = TimeSpan.FromMinutes(5) });
        (bool found, Message? kept) = await typed.TryGetAsync<Message>("order:2");
        #endregion
        Console.WriteLine($"{found} {kept}");

        #region several
        services.AddHybridCache()
            .AddSerializerFactory(new WireHybridCacheSerializerFactory(options) { Covers = type => type.Namespace == "Shop" })
            .AddSerializer(new WireHybridCacheSerializer<OrderShipped>(new Serializer()));
        #endregion
    }

    private static ValueTask<Message> LoadAsync(int id, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        return ValueTask.FromResult<Message>(new OrderPlaced(id, "Ada", 19.90m));
    }
}
