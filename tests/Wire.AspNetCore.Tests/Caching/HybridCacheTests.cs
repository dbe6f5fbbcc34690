using System.Text.Json;
using Microsoft.Extensions.Caching.Distributed;
using Microsoft.Extensions.Caching.Hybrid;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Wire.AspNetCore.Tests.Testing;
using Wire.Comparing;

namespace Wire.AspNetCore.Tests.Caching;

/// <summary>HybridCache itself, with Wire's serializers: two programs share a distributed cache, of either kind.</summary>
public sealed class HybridCacheTests
{
    public static TheoryData<bool> Kinds => [true, false];

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task A_graph_of_one_program_is_found_by_another(bool takesBuffers)
    {
        IDistributedCache shared = NewShared(takesBuffers);
        Basket basket = Shop.NewBasket();

        Basket made = await NewProgram(shared).Cache.GetOrCreateAsync("basket", _ => ValueTask.FromResult(basket));
        Basket found = await NewProgram(shared).Cache.GetOrCreateAsync<Basket>("basket", _ => throw new InvalidOperationException("made"));

        GraphAssert.Same(basket, made);
        GraphAssert.Same(basket, found);
        Assert.NotSame(basket, found);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task A_value_of_a_base_class_keeps_its_type(bool takesBuffers)
    {
        IDistributedCache shared = NewShared(takesBuffers);

        await NewProgram(shared).Cache.SetAsync<ShopEvent>("event", Shop.Gift);

        HybridCache other = NewProgram(shared).Cache;
        Assert.Equal(Shop.Gift, await other.GetOrCreateAsync<ShopEvent>("event", _ => throw new InvalidOperationException("made")));
        Assert.Equal(Shop.Gift, await other.GetOrCreateAsync<ShopEvent>("event", _ => throw new InvalidOperationException("made")));
    }

    // What HybridCache does with an exception of a serializer: it logs and throws it, each time, and keeps the entry.
    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task A_refused_entry_is_an_exception_each_time_and_leaves_the_others(bool takesBuffers)
    {
        IDistributedCache shared = NewShared(takesBuffers);
        await NewProgram(shared, all: true).Cache.SetAsync<ShopEvent>("event", Shop.Intruder);
        await NewProgram(shared).Cache.SetAsync<ShopEvent>("other", Shop.Order);
        (HybridCache cache, LogLines lines) = NewProgram(shared);

        for (int i = 0; i < 2; i++)
        {
            TypeRefusedException refused = await Assert.ThrowsAsync<TypeRefusedException>(
                async () => await cache.GetOrCreateAsync<ShopEvent>("event", _ => ValueTask.FromResult<ShopEvent>(Shop.Order)));
            Assert.Contains("Intruder", refused.TypeName, StringComparison.Ordinal);
        }

        Assert.Contains(lines.All, line => line.Contains("deserialization", StringComparison.OrdinalIgnoreCase)
            && line.Contains(nameof(TypeRefusedException), StringComparison.Ordinal));
        Assert.Equal(
            Shop.Order, await cache.GetOrCreateAsync<ShopEvent>("other", _ => throw new InvalidOperationException("not found")));

        await cache.RemoveAsync("event");
        Assert.Equal(Shop.Gift, await cache.GetOrCreateAsync<ShopEvent>("event", _ => ValueTask.FromResult<ShopEvent>(Shop.Gift)));
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task GetOrReplace_makes_a_refused_entry_anew_once_for_all_programs(bool takesBuffers)
    {
        IDistributedCache shared = NewShared(takesBuffers);
        await NewProgram(shared, all: true).Cache.SetAsync<ShopEvent>("event", Shop.Intruder);
        HybridCache cache = NewProgram(shared).Cache;
        int made = 0;

        for (int i = 0; i < 3; i++)
        {
            Assert.Equal(Shop.Gift, await cache.GetOrReplaceAsync<ShopEvent>("event", _ =>
            {
                made++;
                return ValueTask.FromResult<ShopEvent>(Shop.Gift);
            }));
        }

        Assert.Equal(1, made);
        Assert.Equal(
            Shop.Gift,
            await NewProgram(shared).Cache.GetOrCreateAsync<ShopEvent>("event", _ => throw new InvalidOperationException("made")));
    }

    [Fact]
    public async Task GetOrReplace_makes_one_value_for_all_callers_at_once()
    {
        for (int round = 0; round < 20; round++)
        {
            var shared = new BufferCache();
            await NewProgram(shared, all: true).Cache.SetAsync<ShopEvent>("event", Shop.Intruder);
            HybridCache cache = NewProgram(shared).Cache;
            int made = 0;

            ShopEvent[] found = await Task.WhenAll(Enumerable.Range(0, 50).Select(_ => Task.Run(async () =>
                await cache.GetOrReplaceAsync("event", async _ =>
                {
                    Interlocked.Increment(ref made);
                    await Task.Yield();
                    return (ShopEvent)Shop.Gift;
                }))));

            Assert.All(found, value => Assert.Equal(Shop.Gift, value));
            Assert.Equal(1, made);
        }
    }

    // Each may make a value, and none takes the others' away.
    [Fact]
    public async Task GetOrReplace_of_many_programs_at_once_removes_nothing()
    {
        var shared = new BufferCache();
        await NewProgram(shared, all: true).Cache.SetAsync<ShopEvent>("event", Shop.Intruder);

        ShopEvent[] found = await Task.WhenAll(Enumerable.Range(0, 20).Select(_ => Task.Run(async () =>
            await NewProgram(shared).Cache.GetOrReplaceAsync("event", _ => ValueTask.FromResult<ShopEvent>(Shop.Gift)))));

        Assert.All(found, value => Assert.Equal(Shop.Gift, value));
        Assert.Equal(0, shared.Removals);
        Assert.Equal(
            Shop.Gift,
            await NewProgram(shared).Cache.GetOrCreateAsync<ShopEvent>("event", _ => throw new InvalidOperationException("made")));
    }

    [Fact]
    public async Task GetOrReplace_that_may_make_nothing_finds_nothing_and_leaves_the_entry()
    {
        var shared = new BufferCache();
        await NewProgram(shared, all: true).Cache.SetAsync<ShopEvent>("event", Shop.Intruder);

        ShopEvent? probed = await NewProgram(shared).Cache.GetOrReplaceAsync<ShopEvent?>(
            "event",
            _ => throw new InvalidOperationException("made"),
            new HybridCacheEntryOptions { Flags = HybridCacheEntryFlags.DisableUnderlyingData });

        Assert.Null(probed);
        Assert.Equal(
            Shop.Intruder,
            await NewProgram(shared, all: true).Cache.GetOrCreateAsync<ShopEvent>(
                "event", _ => throw new InvalidOperationException("made")));
    }

    // A value that its own program cannot read: the entry of another, which was not read, stays.
    [Fact]
    public async Task GetOrReplace_that_reads_nothing_leaves_the_entry()
    {
        var shared = new BufferCache();
        await NewProgram(shared).Cache.SetAsync<ShopEvent>("event", Shop.Gift);
        int calls = 0;

        await Assert.ThrowsAsync<TypeRefusedException>(async () => await NewProgram(shared).Cache.GetOrReplaceAsync<ShopEvent>(
            "event",
            _ =>
            {
                calls++;
                return ValueTask.FromResult<ShopEvent>(Shop.Intruder);
            },
            new HybridCacheEntryOptions
            {
                Flags = HybridCacheEntryFlags.DisableLocalCache | HybridCacheEntryFlags.DisableDistributedCache,
            }));

        Assert.Equal(1, calls);
        Assert.Equal(
            Shop.Gift,
            await NewProgram(shared).Cache.GetOrCreateAsync<ShopEvent>("event", _ => throw new InvalidOperationException("made")));
    }

    // The entry that cannot be read is another one, and its exception the factory's.
    [Fact]
    public async Task GetOrReplace_passes_the_exception_of_an_entry_that_the_factory_reads_on()
    {
        var shared = new BufferCache();
        await NewProgram(shared, all: true).Cache.SetAsync<ShopEvent>("inner", Shop.Intruder);
        HybridCache cache = NewProgram(shared).Cache;
        int calls = 0;

        for (int i = 1; i < 3; i++)
        {
            await Assert.ThrowsAsync<TypeRefusedException>(async () => await cache.GetOrReplaceAsync("outer", async cancellationToken =>
            {
                calls++;
                return await cache.GetOrCreateAsync<ShopEvent>(
                    "inner", _ => throw new InvalidOperationException("made"), cancellationToken: cancellationToken);
            }));
            Assert.Equal(i, calls);
        }

        Assert.Equal(Shop.Gift, await cache.GetOrReplaceAsync("outer", async cancellationToken =>
            await cache.GetOrReplaceAsync(
                "inner", _ => ValueTask.FromResult<ShopEvent>(Shop.Gift), cancellationToken: cancellationToken)));
    }

    // HybridCache has no types of entries: what was written as one type and is asked for as another is such an entry too.
    [Fact]
    public async Task GetOrReplace_of_another_type_replaces_the_entry()
    {
        var shared = new BufferCache();
        await NewProgram(shared).Cache.SetAsync("key", new Basket());

        Assert.Equal(
            Shop.Gift, await NewProgram(shared).Cache.GetOrReplaceAsync("key", _ => ValueTask.FromResult<ShopEvent>(Shop.Gift)));
        Assert.Equal(
            Shop.Gift, await NewProgram(shared).Cache.GetOrCreateAsync<ShopEvent>("key", _ => throw new InvalidOperationException("made")));
    }

    // A release whose class has another member of the same name, and entries that another serializer wrote.
    [Fact]
    public async Task GetOrReplace_makes_entries_of_another_release_or_serializer_anew()
    {
        var shared = new BufferCache();
        await NewProgram(shared, aliases: TypeAliases.None.Alias<OldProduct>("Product")).Cache.SetAsync("product", new OldProduct());
        HybridCache cache = NewProgram(shared, aliases: TypeAliases.None.Alias<Product>("Product")).Cache;

        WireFormatException unreadable = await Assert.ThrowsAsync<WireFormatException>(
            async () => await cache.GetOrCreateAsync("product", _ => ValueTask.FromResult(new Product())));
        Product replaced = await cache.GetOrReplaceAsync("product", _ => ValueTask.FromResult(new Product { Price = [7] }));

        Assert.Equal(WireFormatError.SchemaMismatch, unreadable.Error);
        Assert.Equal([7], replaced.Price);

        ServiceCollection json = new();
        json.AddSingleton<IDistributedCache>(shared).AddHybridCache();
        await json.BuildServiceProvider().GetRequiredService<HybridCache>().SetAsync("json", new Product { Price = [8] });
        await Assert.ThrowsAsync<WireFormatException>(
            async () => await cache.GetOrCreateAsync("json", _ => ValueTask.FromResult(new Product())));
        Product anew = await cache.GetOrReplaceAsync("json", _ => ValueTask.FromResult(new Product { Price = [9] }));
        Assert.Equal([9], anew.Price);
    }

    // HybridCache keeps values that never change as objects, so that they are read once.
    [Fact]
    public async Task GetOrReplace_makes_a_damaged_entry_of_an_immutable_type_anew()
    {
        var shared = new BufferCache();
        await NewProgram(shared).Cache.SetAsync("price", new Frozen(5));
        byte[] entry = shared.Entries["price"];
        int payload = entry.AsSpan().IndexOf(Shop.Serializer.Serialize(new Frozen(5))); // behind HybridCache's own header
        Assert.InRange(payload, 1, entry.Length);
        entry[payload] ^= 0xFF;
        HybridCache cache = NewProgram(shared).Cache;

        await Assert.ThrowsAsync<WireFormatException>(
            async () => await cache.GetOrCreateAsync("price", _ => ValueTask.FromResult(new Frozen(6))));
        Assert.Equal(new Frozen(6), await cache.GetOrReplaceAsync("price", _ => ValueTask.FromResult(new Frozen(6))));
    }

    [Fact]
    public async Task GetOrReplace_passes_the_factorys_own_exceptions_on_and_calls_it_once()
    {
        HybridCache cache = NewProgram(new BufferCache()).Cache;
        int calls = 0;

        await Assert.ThrowsAsync<WireFormatException>(async () => await cache.GetOrReplaceAsync<ShopEvent>("event", _ =>
        {
            calls++;
            return ValueTask.FromResult(Shop.Serializer.Deserialize<ShopEvent>([1, 2, 3])!);
        }));

        Assert.Equal(1, calls);
    }

    // A value that was just made and cannot be read is the program's mistake, and no endless loop.
    [Fact]
    public async Task GetOrReplace_throws_when_the_new_value_is_refused_too()
    {
        HybridCache cache = NewProgram(new BufferCache()).Cache;
        int calls = 0;

        await Assert.ThrowsAsync<TypeRefusedException>(async () => await cache.GetOrReplaceAsync<ShopEvent>("event", _ =>
        {
            calls++;
            return ValueTask.FromResult<ShopEvent>(Shop.Intruder);
        }));

        Assert.Equal(1, calls);
    }

    [Fact]
    public async Task A_value_that_cannot_be_written_is_a_clear_exception()
    {
        HybridCache cache = NewProgram(new BufferCache()).Cache;

        await Assert.ThrowsAsync<UnsupportedTypeException>(
            async () => await cache.GetOrCreateAsync("stream", _ => ValueTask.FromResult(new Basket { Anything = () => 1 })));
        Assert.Equal(1, await cache.GetOrCreateAsync("number", _ => ValueTask.FromResult(1)));
    }

    [Fact]
    public async Task Factories_share_the_types_among_them()
    {
        var shared = new BufferCache();
        var services = new ServiceCollection();
        services.AddSingleton<IDistributedCache>(shared).AddHybridCache()
            .AddSerializerFactory(new WireHybridCacheSerializerFactory(SerializerOptions.Default)
            {
                Covers = type => type == typeof(Basket),
            })
            .AddSerializer(new WireHybridCacheSerializer<ShopEvent>(Shop.Serializer));
        HybridCache cache = services.BuildServiceProvider().GetRequiredService<HybridCache>();

        await cache.SetAsync<ShopEvent>("event", Shop.Gift);
        await cache.SetAsync("basket", new Basket());
        await cache.SetAsync("node", new Node { Name = "as JSON" });

        Assert.Equal(Shop.Gift, await cache.GetOrCreateAsync<ShopEvent>("event", _ => throw new InvalidOperationException("made")));
        Assert.Contains(
            JsonSerializer.Serialize("as JSON"),
            System.Text.Encoding.UTF8.GetString(shared.Entries["node"]),
            StringComparison.Ordinal);
        Assert.Contains("Basket", System.Text.Encoding.UTF8.GetString(shared.Entries["basket"]), StringComparison.Ordinal);
    }

    private static IDistributedCache NewShared(bool takesBuffers) => takesBuffers ? new BufferCache() : new ArrayCache();

    private static (HybridCache Cache, LogLines Lines) NewProgram(IDistributedCache shared, bool all = false, TypeAliases? aliases = null)
    {
        var lines = new LogLines();
        var services = new ServiceCollection();
        services.AddLogging(logging => logging.AddProvider(lines));
        services.AddSingleton(shared);
        services.AddHybridCache().AddSerializerFactory(new WireHybridCacheSerializerFactory(Shop.Options with
        {
            TypeFilter = all ? Shop.Options.TypeFilter.Allow<Intruder>() : Shop.Options.TypeFilter,
            TypeAliases = aliases ?? TypeAliases.None,
        }));
        return (services.BuildServiceProvider().GetRequiredService<HybridCache>(), lines);
    }

    /// <summary>A type of which HybridCache keeps the object itself.</summary>
    [System.ComponentModel.ImmutableObject(true)]
    public sealed record Frozen(decimal Amount);

    /// <summary>A class of the release before.</summary>
    public sealed class OldProduct
    {
        public string Price { get; set; } = "free";
    }

    /// <summary>A class that has changed since.</summary>
    public sealed class Product
    {
        public int[] Price { get; set; } = [];
    }
}
