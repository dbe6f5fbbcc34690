using Microsoft.Extensions.Caching.Distributed;
using Microsoft.Extensions.DependencyInjection;
using Wire.AspNetCore.Tests.Testing;
using Wire.Comparing;
using Wire.Testing;

namespace Wire.AspNetCore.Tests.Caching;

/// <summary>The typed face of distributed caches, of both kinds.</summary>
public sealed class WireDistributedCacheTests
{
    public static TheoryData<bool> Kinds => [true, false];

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task A_graph_comes_back_whichever_way_it_was_written(bool takesBuffers)
    {
        WireDistributedCache cache = NewCache(takesBuffers);
        Basket basket = Shop.NewBasket();

        cache.Set("sync", basket);
        await cache.SetAsync("async", basket);

        GraphAssert.Same(basket, cache.Get<Basket>("sync"));
        GraphAssert.Same(basket, await cache.GetAsync<Basket>("sync"));
        GraphAssert.Same(basket, cache.Get<object>("async"));
        GraphAssert.Same(basket, await cache.GetAsync<Basket>("async"));
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task What_is_not_there_is_not_found_and_null_is(bool takesBuffers)
    {
        WireDistributedCache cache = NewCache(takesBuffers);
        cache.Set<ShopEvent?>("null", null);

        Assert.Equal((true, null), cache.TryGet<ShopEvent>("null"));
        Assert.Equal((true, null), await cache.TryGetAsync<ShopEvent>("null"));
        Assert.Equal((false, 0), cache.TryGet<int>("nothing"));
        Assert.Equal((false, null), await cache.TryGetAsync<ShopEvent>("nothing"));
        Assert.Null(cache.Get<ShopEvent>("nothing"));
        Assert.Equal(0, await cache.GetAsync<int>("nothing"));
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Entries_of_any_size_come_back(bool takesBuffers)
    {
        WireDistributedCache cache = NewCache(takesBuffers);
        foreach (int size in new[] { 0, 1, 511, 512, 65_535, 65_536, 3_000_000 })
        {
            byte[] bytes = new byte[size];
            new Random(size).NextBytes(bytes);
            await cache.SetAsync("bytes", bytes);
            cache.Set("small", size);

            Assert.Equal(bytes, cache.Get<byte[]>("bytes"));
            Assert.Equal(bytes, await cache.GetAsync<byte[]>("bytes"));
            Assert.Equal(size, cache.Get<int>("small"));
        }
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task A_refused_type_is_one_clear_exception_and_the_next_entry_is_read(bool takesBuffers)
    {
        WireDistributedCache cache = NewCache(takesBuffers);
        cache.Set<ShopEvent>("intruder", Shop.Intruder);
        cache.Set<ShopEvent>("order", Shop.Order);

        TypeRefusedException refused = Assert.Throws<TypeRefusedException>(() => cache.Get<ShopEvent>("intruder"));
        await Assert.ThrowsAsync<TypeRefusedException>(async () => await cache.GetAsync<ShopEvent>("intruder"));

        Assert.Contains("Intruder", refused.TypeName, StringComparison.Ordinal);
        Assert.Equal(Shop.Order, cache.Get<ShopEvent>("order"));
        Assert.Equal(Shop.Intruder, cache.Get<Intruder>("intruder")); // asked for by name
    }

    [Fact]
    public async Task A_damaged_entry_is_one_clear_exception_wherever_it_is_cut()
    {
        var entries = new BufferCache();
        var cache = new WireDistributedCache(entries, Shop.Serializer);
        cache.Set("basket", Shop.NewBasket());
        byte[] whole = entries.Entries["basket"];
        for (int length = 0; length < whole.Length; length++)
        {
            entries.Entries["basket"] = whole[..length];
            Assert.Throws<WireFormatException>(() => cache.Get<Basket>("basket"));
        }

        entries.Entries["basket"] = [.. whole, 0];
        Assert.Equal(
            WireFormatError.TrailingBytes,
            (await Assert.ThrowsAsync<WireFormatException>(async () => await cache.GetAsync<Basket>("basket"))).Error);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task With_a_callback_an_entry_that_cannot_be_read_is_not_there(bool takesBuffers)
    {
        var reported = new List<(string Key, WireFormatError Error)>();
        WireDistributedCache cache = NewCache(takesBuffers, (key, exception) => reported.Add((key, exception.Error)));
        cache.Set<ShopEvent>("intruder", Shop.Intruder);

        Assert.Equal((false, null), cache.TryGet<ShopEvent>("intruder"));
        Assert.Null(await cache.GetAsync<ShopEvent>("intruder"));
        cache.Set<ShopEvent>("intruder", Shop.Order);

        Assert.Equal(Shop.Order, cache.Get<ShopEvent>("intruder"));
        Assert.Equal([("intruder", WireFormatError.TypeRefused), ("intruder", WireFormatError.TypeRefused)], reported);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task What_cannot_be_written_leaves_the_entry_as_it_was(bool takesBuffers)
    {
        WireDistributedCache cache = NewCache(takesBuffers);
        cache.Set("key", 1);

        Assert.Throws<UnsupportedTypeException>(() => cache.Set<object>("key", Shop.Unwritable));
        await Assert.ThrowsAsync<UnsupportedTypeException>(async () => await cache.SetAsync<object>("key", Shop.Unwritable));

        Assert.Equal(1, cache.Get<int>("key"));
    }

    [Fact]
    public async Task A_cancelled_call_ends_and_the_next_works()
    {
        WireDistributedCache cache = NewCache(takesBuffers: true);
        using var cancelled = new CancellationTokenSource();
        await cancelled.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await cache.SetAsync("key", 1, null, cancelled.Token));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await cache.GetAsync<int>("key", cancelled.Token));

        await cache.SetAsync("key", 2);
        Assert.Equal(2, await cache.GetAsync<int>("key"));
    }

    [Fact]
    public void Options_of_an_entry_reach_the_cache()
    {
        var entries = new BufferCache();
        var options = new DistributedCacheEntryOptions { SlidingExpiration = TimeSpan.FromMinutes(1) };

        new WireDistributedCache(entries, Shop.Serializer).Set("key", 1, options);

        Assert.Same(options, entries.LastOptions);
    }

    [Fact]
    public void Writing_to_a_cache_of_buffers_allocates_nothing()
    {
        WireDistributedCache cache = NewCache(takesBuffers: true);
        GiftPlaced gift = Shop.Gift;

        Allocations.AssertNone(() => cache.Set<ShopEvent>("key", gift));
    }

    [Fact]
    public void Several_caches_have_faces_with_filters_of_their_own()
    {
        ServiceProvider services = new ServiceCollection()
            .AddDistributedMemoryCache()
            .AddKeyedSingleton<IDistributedCache>("orders", new BufferCache())
            .AddWireDistributedCache(SerializerOptions.Default)
            .AddKeyedWireDistributedCache("orders", Shop.Options)
            .BuildServiceProvider();
        WireDistributedCache closed = services.GetRequiredService<WireDistributedCache>();
        WireDistributedCache orders = services.GetRequiredKeyedService<WireDistributedCache>("orders");

        closed.Set<ShopEvent>("key", Shop.Order);
        orders.Set<ShopEvent>("key", Shop.Order);

        Assert.Throws<TypeRefusedException>(() => closed.Get<ShopEvent>("key"));
        Assert.Equal(Shop.Order, orders.Get<ShopEvent>("key"));
        Assert.IsType<BufferCache>(orders.Cache);
    }

    private static WireDistributedCache NewCache(bool takesBuffers, Action<string, WireFormatException>? unreadable = null) =>
        new(takesBuffers ? new BufferCache() : new ArrayCache(), Shop.Serializer, unreadable);
}
